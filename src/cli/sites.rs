//! `docsh sites`: which sites there are, of what kind, and where.
use super::{
    Refusal,
    config::{Config, Place},
};
use docsh_builtins::Status;
use std::io::{self, Write};

/// A line a site, the default one marked; what is wrong with one stands in its line.
pub fn run(config: &Config) -> Result<Status, Refusal> {
    let default = config.choose(None).ok().map(|chosen| chosen.name);
    let names = config.names();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let mut lines = String::new();
    for name in &names {
        let mark = if default.as_ref() == Some(name) { '*' } else { ' ' };
        let place = match config.site(name) {
            Ok(chosen) => match chosen.place {
                Place::Bundled => "bundled".to_string(),
                Place::Embedded(file) => format!("embedded  {}", file.display()),
                Place::Chroma(chroma) => {
                    format!("chroma    {} {}/{}/{}", chroma.url, chroma.tenant, chroma.database, chroma.collection)
                }
            },
            Err(refusal) => format!("broken    {}", refusal.message),
        };
        lines += &format!("{mark} {name:width$}  {place}\n");
    }
    // A reader that has gone has seen enough.
    let _ = io::stdout().write_all(lines.as_bytes());
    Ok(Status::OK)
}
