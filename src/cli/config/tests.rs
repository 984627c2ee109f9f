use super::*;
use std::{ffi::OsString, time::Duration};

fn environment(vars: &[(&'static str, &str)]) -> Environment {
    let vars: Vec<(&str, OsString)> = vars.iter().map(|(name, value)| (*name, OsString::from(value))).collect();
    let var = move |name: &str| vars.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    Environment { var: Box::new(var), restricted: false }
}

/// The configuration of this file.
fn config(text: &str, vars: &[(&'static str, &str)]) -> Result<Config, String> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.toml");
    fs::write(&file, text).unwrap();
    let refusal = |refusal: Refusal| {
        assert_eq!(refusal.status, 78);
        refusal.message.replace(dir.path().to_str().unwrap(), "")
    };
    load(Some(&file), environment(vars)).map_err(refusal)
}

fn choose(text: &str, vars: &[(&'static str, &str)], flag: Option<&str>) -> Result<Chosen, (u8, String)> {
    let config = config(text, vars).unwrap();
    let path = config.path.clone().unwrap();
    config.choose(flag).map_err(|refusal| (refusal.status, refusal.message.replace(path.to_str().unwrap(), "FILE")))
}

const TWO: &str = r#"
    default_site = "docs"
    [sites.docs]
    url = "http://127.0.0.1:8000/"
    collection = "c"
    ttl = "5s"
    headers = { "x-team" = "docs" }
    headers_env = { authorization = "SECRET" }
    [sites.file]
    file = "/srv/docs.db"
    access = "open"
"#;

#[test]
fn a_site_is_as_configured() {
    let docs = choose(TWO, &[("SECRET", "s3cret")], None).unwrap();
    let Place::Chroma(chroma) = &docs.place else { panic!("not in Chroma") };
    assert_eq!((docs.name.as_str(), docs.options.ttl, docs.trusts_caller), ("docs", Duration::from_secs(5), false));
    assert_eq!((chroma.url.as_str(), chroma.collection.as_str()), ("http://127.0.0.1:8000", "c"));
    assert_eq!((chroma.tenant.as_str(), chroma.database.as_str()), ("default_tenant", "default_database"));
    let headers = [("x-team", "docs"), ("authorization", "s3cret")].map(|(name, value)| (name.into(), value.into()));
    assert_eq!(chroma.headers, headers);
    let file = choose(TWO, &[], Some("file")).unwrap();
    assert!(matches!(&file.place, Place::Embedded(path) if path == Path::new("/srv/docs.db")));
    assert_eq!((file.rules, file.trusts_caller), (Rules::Off, true));
}

#[test]
fn flags_come_before_the_environment_and_that_before_the_file() {
    let vars = [("SECRET", "s"), ("DOCSH_SITE", "file"), ("HOME", "/nowhere")];
    let name = |flag| choose(TWO, &vars, flag).unwrap().name;
    assert_eq!((name(None), name(Some("docs")), name(Some("acme"))), ("file".into(), "docs".into(), "acme".into()));
    let mut restricted = config(TWO, &vars).unwrap();
    restricted.environment.restricted = true;
    assert_eq!(restricted.choose(None).map(|chosen| chosen.name).ok(), Some("docs".into()));
}

#[test]
fn without_a_configuration_the_bundled_site_is_the_default() {
    let home = tempfile::tempdir().unwrap();
    let bare = load(None, environment(&[("HOME", home.path().to_str().unwrap())])).unwrap();
    if bare.path.is_none() {
        let chosen = bare.choose(None).unwrap();
        assert!(matches!(chosen.place, Place::Bundled));
        assert_eq!(chosen.name, "acme");
    }
    // A configuration of the working directory is nobody's.
    assert_ne!(bare.path, Some(PathBuf::from("config.toml")));
}

#[test]
fn an_ingested_site_is_found_by_its_name() {
    let home = tempfile::tempdir().unwrap();
    let sites = home.path().join(".local/share/docsh/sites");
    fs::create_dir_all(&sites).unwrap();
    fs::write(sites.join("mine.db"), "").unwrap();
    let vars = [("HOME", home.path().to_str().unwrap())];
    let mine = choose("", &vars, Some("mine")).unwrap();
    assert!(matches!(mine.place, Place::Embedded(path) if path == sites.join("mine.db")));
    let expected =
        "site other: there is no such site; there are acme, mine; make one with `docsh ingest DIR --site other`";
    assert_eq!(choose("", &vars, Some("other")).map(drop), Err((78, expected.into())));
    assert_eq!(
        choose("", &vars, None).map(drop),
        Err((64, "FILE has no `default_site`: name one with --site: acme, mine".into()))
    );
}

#[test]
fn what_is_wrong_is_named() {
    let rows = [
        (
            "default_sit = \"x\"",
            "/config.toml: line 1: unknown field `default_sit`, expected one of `default_site`, `sites`, `limits`, `cache`",
        ),
        (
            "[sites.a]\nurl = \"http://h\"\ncolection = \"c\"",
            "/config.toml: line 3: unknown field `colection`, expected one of",
        ),
        ("[limits]\ntime = \"soon\"", "/config.toml: line 2: \"soon\" is not a time, such as \"60s\""),
        ("[sites.\"A B\"]\n", "/config.toml: \"A B\" is not a site's name"),
        ("default_site = \"x\"", "/config.toml: `default_site`: there is no [sites.x]"),
        (
            "[sites.a]\nstore = \"mysql\"",
            "/config.toml: line 2: unknown variant `mysql`, expected one of `embedded`, `chroma`",
        ),
    ];
    for (text, expected) in rows {
        let message = config(text, &[]).map(drop).unwrap_err();
        assert!(message.starts_with(expected), "{message}");
    }
    let rows = [
        ("store = \"chroma\"", "a site in Chroma needs a `url`"),
        ("url = \"ftp://h\"", "`url` is neither http nor https"),
        ("url = \"https://user:pw@h\"", "`url` holds a secret: name a variable or a file that does"),
        (
            "url = \"http://h\"\nheaders = { Authorization = \"Bearer x\" }",
            "`headers`: \"Authorization\" is a secret: use `headers_env` or `headers_file`",
        ),
        ("url = \"http://h\"\ntoken_env = \"UNSET\"", "the variable UNSET is not set"),
        ("url = \"http://h\"\ntoken_file = \"/no/such\"", "/no/such: No such file or directory (os error 2)"),
        ("collection = \"c\"", "`collection` is for sites in Chroma"),
        ("url = \"http://h\"\nfile = \"/x\"", "`file` is for sites in a file"),
        (
            "store = \"bundled\"\ns3 = { endpoint = \"minio:9000\" }",
            "`s3.endpoint` is not an address, such as http://host:8000",
        ),
        ("file = \"docs.db\"", "`file` must be an absolute path"),
    ];
    for (table, expected) in rows {
        let refusal = choose(&format!("[sites.a]\n{table}"), &[("HOME", "/h")], Some("a")).map(drop).unwrap_err();
        assert_eq!(refusal, (78, format!("[sites.a]: {expected}")));
    }
    assert_eq!(choose("", &[], Some("../x")).map(drop).unwrap_err().0, 78);
    let missing = load(Some(Path::new("/no/config.toml")), environment(&[])).map(drop).unwrap_err();
    assert_eq!(
        (missing.status, missing.message.as_str()),
        (78, "/no/config.toml: No such file or directory (os error 2)")
    );
}

#[test]
fn tokens_are_checked_with_the_sites_key() {
    let dir = tempfile::tempdir().unwrap();
    let key = dir.path().join("key.pem");
    let der = "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
    fs::write(&key, format!("-----BEGIN PUBLIC KEY-----\n{der}\n-----END PUBLIC KEY-----\n")).unwrap();
    let table = |more: &str| format!("[sites.a]\nstore = \"bundled\"\n{more}");
    let keyed = format!("key_file = {:?}\n", key.display().to_string());
    let site = choose(&table(&format!("{keyed}host = \"h\"")), &[], Some("a")).unwrap();
    let refusal = site.admit("nonsense", 0).map(drop).unwrap_err();
    assert_eq!((refusal.status, refusal.message.as_str()), (77, "site a: the token is refused: it is not a token"));
    let refusal = choose(&table(""), &[], Some("a")).unwrap().admit("x", 0).map(drop).unwrap_err();
    let expected = "site a: the token cannot be checked: the site has no `key_file` or `jwks_file`";
    assert_eq!((refusal.status, refusal.message.as_str()), (77, expected));
    let rows = [
        (keyed.as_str(), "a site with a key needs `host` or `audience`".to_string()),
        ("host = \"h\"", "`host` means nothing without `key_file` or `jwks_file`".into()),
        ("key_file = \"/no/key\"", "`key_file`: /no/key: No such file or directory (os error 2)".into()),
        ("algorithms = [\"RS256\"]", "`algorithms` means nothing without `key_file` or `jwks_file`".into()),
    ];
    for (more, expected) in rows {
        let refusal = choose(&table(more), &[], Some("a")).map(drop).unwrap_err();
        assert_eq!(refusal, (78, format!("[sites.a]: {expected}")));
    }
}

#[test]
fn tokens_come_from_files_and_variables() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("token");
    fs::write(&file, "from-file\n").unwrap();
    let environment = environment(&[("DOCSH_TOKEN", "from-env")]);
    let token = |file: Option<&Path>| environment.token(file, None).map_err(|refusal| refusal.status);
    assert_eq!(token(Some(&file)), Ok(Some("from-file".into())));
    assert_eq!(token(None), Ok(Some("from-env".into())));
    assert_eq!(token(Some(Path::new("/no/token"))), Err(77));
    fs::write(&file, " \n").unwrap();
    assert_eq!(token(Some(&file)), Err(77));
}

#[test]
fn the_cache_is_the_users_own_unless_configured() {
    let cache = |text: &str, vars: &[(&'static str, &str)]| {
        let folder = choose(text, vars, Some("acme")).unwrap().options.cache;
        folder.map(|cache| (cache.folder.into_string().unwrap(), cache.capacity))
    };
    assert_eq!(cache("", &[("HOME", "/h")]), Some(("/h/.cache/docsh/v1".into(), 512 << 20)));
    assert_eq!(cache("", &[("HOME", "/h"), ("XDG_CACHE_HOME", "/c")]), Some(("/c/docsh/v1".into(), 512 << 20)));
    assert_eq!(cache("[cache]\nfolder = \"/x\"\nsize = \"1MiB\"", &[]), Some(("/x".into(), 1 << 20)));
    assert_eq!(cache("[cache]\ndisk = false", &[("HOME", "/h")]), None);
}
