use super::*;

fn seen(path: &str, text: &str, groups: &[&str]) -> String {
    let left = view(path, Bytes::copy_from_slice(text.as_bytes()), &Visitor::member(groups.iter().copied())).unwrap();
    String::from_utf8(left.to_vec()).unwrap()
}

const SPEC: &str = r#"{
  "paths": {
    "/open": { "get": {"x-mint": {"href": "/x"}}, "delete" : {"x-mint": {"groups": ["admin"]}, "n": 1e400} },
    "/secret": {
      "x-mint": { "groups": ["admin", "billing"] }
    }
  },
  "type": {
    "required": ["id", "shard"],
    "properties": {
      "shard": { "x-mint": { "groups": ["admin"] } },
      "id": { "enum": ["a", "hold", "b\"\u0041"], "x-mint-enum": { "hold": ["billing"], "b\"A": ["admin"] } }
    }
  },
  "oneOf": [ {"x-mint": {"groups": ["admin"]}} ],
  "odd": [1, {"x-mint": {"groups": "admin"}}, 2.50]
}
"#;

#[test]
fn parts_are_cut_with_what_names_them_and_the_rest_stays_as_written() {
    let expected = r#"{
  "paths": {
    "/open": { "get": {"x-mint": {"href": "/x"}} }
  },
  "type": {
    "required": ["id"],
    "properties": {
      "id": { "enum": ["a"], "x-mint-enum": {} }
    }
  },
  "oneOf": [],
  "odd": [1, 2.50]
}
"#;
    assert_eq!(seen("v2.json", SPEC, &[]), expected);
    let billing = seen("v2.json", SPEC, &["billing"]);
    assert!(billing.contains(r#""enum": ["a", "hold"], "x-mint-enum": { "hold": ["billing"] }"#), "{billing}");
    assert!(billing.contains(r#""/secret""#) && !billing.contains("shard"), "{billing}");
}

#[test]
fn who_may_see_all_gets_the_file_itself() {
    let spec = SPEC.replace(r#"{"x-mint": {"groups": "admin"}}, "#, "");
    assert_eq!(seen("v2.json", &spec, &["admin", "billing"]), spec);
    let yaml = "a: 1 # a comment\nb: {x-mint: {groups: [eng]}}\n";
    assert_eq!(seen("v1.yaml", yaml, &["eng"]), yaml);
}

#[test]
fn yaml_is_cut_too() {
    let yaml = "# of VELVET\npaths:\n  /a:\n    x-mint:\n      groups: [eng]\n  /b:\n    get:\n      responses:\n        200: {}\nlist:\n- x-mint: {metadata: {groups: [eng]}}\n- two\n";
    assert_eq!(
        seen("v1.yaml", yaml, &[]),
        "---\npaths:\n  /b:\n    get:\n      responses:\n        200: {}\nlist:\n  - two\n"
    );
}

#[test]
fn every_member_of_a_name_counts_where_there_are_several() {
    let spec = r#"{"paths": {"/a": {"get": {"x-mint": {"groups": ["eng"], "groups": []}}}},
 "paths": {"/b": {"get": {"x-mint": {"groups": ["eng"]}}}, "/c": {"get": {}}},
 "required": ["x", "y"], "properties": {"z": {}}, "properties": {"y": {"x-mint": {"groups": ["eng"]}}}}
"#;
    let expected = r#"{"paths": {},
 "paths": {"/c": {"get": {}}},
 "required": ["x"], "properties": {"z": {}}, "properties": {}}
"#;
    assert_eq!((seen("a.json", spec, &[]).as_str(), seen("a.json", spec, &["eng"]).as_str()), (expected, spec));
}

#[test]
fn a_rule_that_is_merged_into_a_part_is_its_own() {
    let yaml = "rule: &rule\n  x-mint: {groups: [eng]}\npaths:\n  /a:\n    get: {<<: *rule, summary: VELVET}\n  /b:\n    \
                get: {<<: [{deprecated: true}, *rule], summary: VELVET}\n  /c:\n    get: {<<: {deprecated: true}, summary: open}\n";
    let expected = "---\npaths:\n  /c:\n    get:\n      \"<<\":\n        deprecated: true\n      summary: open\n";
    assert_eq!((seen("a.yaml", yaml, &[]).as_str(), seen("a.yaml", yaml, &["eng"]).as_str()), (expected, yaml));
    let tagged = "a: {!custom x-mint: {groups: [eng]}, b: VELVET}\nc: 1\n";
    assert_eq!(seen("a.yaml", tagged, &[]), "---\nc: 1\n");
}

#[test]
fn a_restricted_file_holds_nothing_for_others() {
    assert_eq!(seen("a.json", r#"{"x-mint": {"groups": ["eng"]}, "a": 1}"#, &[]), "{}\n");
    assert_eq!(seen("a.yml", "x-mint: {groups: [eng]}\na: 1\n", &[]), "---\n{}\n");
}

#[test]
fn what_cannot_be_parsed_is_served_to_nobody() {
    let refusal = |path, text: &str| view(path, Bytes::copy_from_slice(text.as_bytes()), &Visitor::member(["eng"]));
    assert!(refusal("a.json", "{\"x-mint\": ").is_err());
    assert!(refusal("a.json", &"[".repeat(10_000)).is_err());
    assert!(refusal("a.yaml", "a: [\nx-mint").is_err());
    assert!(refusal("a.yaml", &"- ".repeat(10_000)).is_err());
}
