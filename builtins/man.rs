//! `man`, `whatis` and `apropos`: what the table of commands knows of each, as a page and as a line.
use crate::{
    Builtin, Call, Error, Opt, Result, Status, TOOLS,
    args::{self, Order},
    find, help, nearest,
};
use std::io::Write;

pub(crate) static MAN: Builtin = Builtin {
    name: "man",
    synopsis: "[-k|-f] [SECTION] NAME...",
    about: "Show the page of a command.",
    options: &[
        Opt::flag('f', &["whatis"], "whatis", "show one line for each NAME, as whatis does"),
        Opt::flag('k', &["apropos"], "apropos", "search the commands' descriptions, as apropos does"),
        Opt::flag('h', &["help"], "help", "show this help"),
    ],
    trouble: Status(2),
    run: man,
};

pub(crate) static WHATIS: Builtin = Builtin {
    name: "whatis",
    synopsis: "NAME...",
    about: "Show one line about each command.",
    options: &[],
    trouble: Status(2),
    run: |call| {
        let parsed = args::parse(call, Order::Anywhere)?;
        whatis(call, &parsed.operands)
    },
};

pub(crate) static APROPOS: Builtin = Builtin {
    name: "apropos",
    synopsis: "[OPTION]... KEYWORD...",
    about: "Search the names and descriptions of the commands.",
    options: &[
        Opt::flag('a', &["and"], "and", "require all keywords to match"),
        Opt::flag('e', &["exact"], "exact", "search each keyword for exact match"),
    ],
    trouble: Status(2),
    run: |call| {
        let parsed = args::parse(call, Order::Anywhere)?;
        apropos(call, &parsed.operands, parsed.has("and"), parsed.has("exact"))
    },
};

/// The status of what is not there.
const NOTHING: Status = Status(16);

fn man(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.has("help") {
        return Err(Error::Help);
    }
    let mut names = &parsed.operands[..];
    if parsed.has("apropos") {
        return apropos(call, names, false, false);
    }
    if parsed.has("whatis") {
        return whatis(call, names);
    }
    // All pages are of section 1.
    let section = names.first().filter(|word| word.len() == 1 && word.starts_with(|c: char| c.is_ascii_digit()));
    if section.is_some() {
        names = &names[1..];
    }
    if names.is_empty() {
        writeln!(call.stderr, "What manual page do you want?\nFor example, try 'man man'.")?;
        return Ok(Status::FAILURE);
    }
    let mut status = Status::OK;
    for name in names {
        match find(name).filter(|_| section.is_none_or(|section| section == "1")) {
            Some(tool) => {
                let page = page(tool);
                call.stdout.write_all(page.as_bytes())?;
            }
            None => {
                call.stdout.flush()?;
                let near = nearest(name, TOOLS.iter().map(|tool| tool.name));
                let near = near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
                let place = section.map(|section| format!(" in section {section}")).unwrap_or_default();
                writeln!(call.stderr, "No manual entry for {name}{place}{near}")?;
                status = NOTHING;
            }
        }
    }
    Ok(status)
}

/// The page of `tool`, with the headings of a manual: what `--help` says, after its first line.
fn page(tool: &Builtin) -> String {
    let title = format!("{}(1)", tool.name.to_uppercase());
    let about = tool.about.lines().next().unwrap_or_default();
    let usage = format!("{} {}", tool.name, tool.synopsis);
    let text = help(tool);
    let indented = |line: &str| if line.is_empty() { "\n".to_string() } else { format!("       {line}\n") };
    let body: String = text.lines().skip(1).map(indented).collect();
    format!(
        "{title}\n\nNAME\n       {} - {about}\n\nSYNOPSIS\n       {}\n\nDESCRIPTION\n{body}",
        tool.name,
        usage.trim_end()
    )
}

fn line(tool: &Builtin) -> String {
    let about = tool.about.lines().next().unwrap_or_default();
    format!("{:<20} - {about}\n", format!("{} (1)", tool.name))
}

fn whatis(call: &mut Call<'_>, names: &[String]) -> Result<Status> {
    if names.is_empty() {
        writeln!(call.stderr, "{} what?", call.name())?;
        return Ok(Status::FAILURE);
    }
    let mut status = Status::OK;
    for name in names {
        match find(name) {
            Some(tool) => call.stdout.write_all(line(tool).as_bytes())?,
            None => status = nothing(call, name)?,
        }
    }
    Ok(status)
}

fn apropos(call: &mut Call<'_>, words: &[String], all: bool, exact: bool) -> Result<Status> {
    if words.is_empty() {
        writeln!(call.stderr, "{} what?", call.name())?;
        return Ok(Status::FAILURE);
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let has = |tool: &Builtin, word: &str| {
        let text = format!("{} {}", tool.name, tool.about).to_lowercase();
        match exact {
            true => text.split(|c: char| !c.is_alphanumeric()).any(|part| part == word),
            false => text.contains(word),
        }
    };
    let fits = |tool: &Builtin| match all {
        true => lower.iter().all(|word| has(tool, word)),
        false => lower.iter().any(|word| has(tool, word)),
    };
    let found: String = TOOLS.iter().filter(|tool| fits(tool)).map(|tool| line(tool)).collect();
    call.stdout.write_all(found.as_bytes())?;
    let mut status = if found.is_empty() { NOTHING } else { Status::OK };
    for (word, lower) in words.iter().zip(&lower) {
        if !TOOLS.iter().any(|tool| has(tool, lower)) {
            status = nothing(call, word)?;
        }
    }
    Ok(status)
}

fn nothing(call: &mut Call<'_>, name: &str) -> Result<Status> {
    call.stdout.flush()?;
    writeln!(call.stderr, "{name}: nothing appropriate.")?;
    Ok(NOTHING)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_page_is_made_of_the_table() {
        check(
            &[],
            "man 1 true",
            expect![[r#"
                TRUE(1)

                NAME
                       true - Return a successful result.

                SYNOPSIS
                       true

                DESCRIPTION
                       Return a successful result.
            "#]],
        );
        check(
            &[],
            "man gerp",
            expect![[r#"
                [stderr]
                No manual entry for gerp (did you mean 'grep'?)
                [status 16]
            "#]],
        );
    }

    #[test]
    fn lines_about_commands() {
        check(
            &[],
            "whatis tac nosuch",
            expect![[r#"
                tac (1)              - Write each FILE to standard output, last line first.
                [stderr]
                nosuch: nothing appropriate.
                [status 16]
            "#]],
        );
        check(
            &[],
            "apropos -a byte compare",
            expect![[r#"
                cmp (1)              - Compare two files byte by byte.
            "#]],
        );
    }
}
