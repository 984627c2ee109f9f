//! `fd`: files by a pattern on their names, as fd-find 10 finds them. Hidden files are left out unless `-H` asks for
//! them; ignore files of the site are not read.
mod exec;
mod options;

use crate::{Builtin, Call, Error, ErrorKind, Kind, Result, Status, VPath, walk::Place, walk::Walk};
use options::Options;
use std::io::Write;

pub(crate) static FD: Builtin = Builtin { name: "fd", ..ROW };

/// The name that Debian gives it.
pub(crate) static FDFIND: Builtin = Builtin { name: "fdfind", ..ROW };

const ROW: Builtin = Builtin {
    name: "fd",
    synopsis: "[OPTIONS] [pattern] [path]...",
    about: "Find entries of the site by a regular expression on their names.",
    options: options::TABLE,
    trouble: Status(2),
    run,
};

/// What has been found so far, and what is still to be done with it.
struct Search<'o> {
    options: &'o Options,
    count: usize,
    batch: Vec<String>,
    status: Status,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    match search(call) {
        // Its messages have a form of their own.
        Err(Error::Failed(message, status)) => {
            complain(call, &message)?;
            Err(Error::Quiet(status))
        }
        result => result,
    }
}

fn search(call: &mut Call<'_>) -> Result<Status> {
    let (options, paths) = options::read(call)?;
    if let Some(dir) = &options.base {
        let path = crate::cd::folder(call, dir).map_err(|error| failed(format!("could not set '{dir}': {error}")))?;
        call.session.cwd = path;
    }
    let mut search = Search { options: &options, count: 0, batch: Vec::new(), status: Status::OK };
    let mut starts = Vec::new();
    for path in &paths {
        match crate::cd::folder(call, path) {
            Ok(dir) => starts.push((path.as_str(), dir)),
            Err(_) => {
                complain(call, &format!("Search path '{path}' is not a directory."))?;
                search.status = Status::FAILURE;
            }
        }
    }
    if paths.is_empty() {
        // Commands and NUL-separated lists get a path that cannot be taken for an option.
        let name = if options.exec.is_some() || options.end == '\0' { "." } else { "" };
        starts.push((name, call.session.cwd.clone()));
    } else if starts.is_empty() {
        return Err(failed("No valid search paths given.".to_string()));
    }
    for (name, dir) in starts {
        let name = if options.absolute { dir.to_string() } else { name.to_string() };
        search.walk(call, &name, dir)?;
    }
    let (status, count) = (search.finish(call)?, search.count);
    Ok(if options.quiet { (count > 0).into() } else { status })
}

fn failed(message: String) -> Error {
    Error::Failed(message, Status::FAILURE)
}

fn complain(call: &mut Call<'_>, message: &str) -> Result<()> {
    call.stdout.flush()?;
    writeln!(call.stderr, "[fd error]: {message}")?;
    Ok(())
}

impl Search<'_> {
    fn walk(&mut self, call: &mut Call<'_>, name: &str, dir: VPath) -> Result<()> {
        let options = self.options;
        let start = dir.clone();
        let mut walk = Walk::new(call.fs.clone(), dir, name);
        while let Some(place) = walk.next() {
            call.cancel.check()?;
            let place = match place {
                Ok(place) => place,
                Err(error) => {
                    if let ErrorKind::Stopped(stop) = error.kind {
                        return Err(stop.into());
                    }
                    complain(call, &format!("{}: {error}", error.path))?;
                    continue;
                }
            };
            if options.is_left_out(&place, &start) {
                walk.prune();
                continue;
            }
            if options.max_depth.is_some_and(|deepest| place.depth >= deepest) {
                walk.prune();
            }
            if self.is_wanted(call, &place)? {
                if options.prunes {
                    walk.prune();
                }
                if self.found(call, &place)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn is_wanted(&self, call: &Call<'_>, place: &Place) -> Result<bool> {
        let options = self.options;
        if options.min_depth.is_some_and(|least| place.depth < least) {
            return Ok(false);
        }
        let text = if options.full_path { place.path.as_str() } else { place.base() };
        for pattern in &options.patterns {
            let matches = pattern.is_match(text.as_bytes()).map_err(|error| failed(error.to_string()))?;
            if !matches {
                return Ok(false);
            }
        }
        if !options.extensions.is_empty() {
            let name = place.base().to_lowercase();
            if !options.extensions.iter().any(|end| name.len() > end.len() && name.ends_with(end.as_str())) {
                return Ok(false);
            }
        }
        options.has_kind(call, place)
    }

    /// Show what was found, or put it aside. Whether the search is over.
    fn found(&mut self, call: &mut Call<'_>, place: &Place) -> Result<bool> {
        self.count += 1;
        let options = self.options;
        let is_last = options.quiet || options.most.is_some_and(|most| self.count >= most);
        if options.quiet {
            return Ok(true);
        }
        match &options.exec {
            Some(exec) if exec.is_batch => {
                let name = place.name();
                call.memory.take(name.len())?;
                self.batch.push(name);
            }
            Some(exec) => {
                if !exec.run(call, std::slice::from_ref(&place.name()))? {
                    self.status = Status::FAILURE;
                }
            }
            None => {
                let slash = if place.kind == Kind::Dir { "/" } else { "" };
                let text = match &options.format {
                    Some(format) => exec::fill(format, &place.name()),
                    None => place.name() + slash,
                };
                let text = options.coloured(&text, place);
                write!(call.stdout, "{text}{}", options.end)?;
            }
        }
        Ok(is_last)
    }

    fn finish(&mut self, call: &mut Call<'_>) -> Result<Status> {
        if let Some(exec) = &self.options.exec
            && !self.batch.is_empty()
            && !exec.run(call, &std::mem::take(&mut self.batch))?
        {
            self.status = Status::FAILURE;
        }
        Ok(self.status)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: crate::testing::Tree<'_> = &[
        ("README.md", "x\n"),
        ("auth/oauth.mdx", "text\n"),
        ("auth/OAuth.txt", ""),
        ("auth/deep/scopes.md", "s"),
        (".hidden/oauth.md", ""),
    ];

    #[test]
    fn names_match_a_pattern_in_smart_case() {
        check(
            TREE,
            "fd oauth",
            expect![[r#"
            auth/OAuth.txt
            auth/oauth.mdx
        "#]],
        );
        check(
            TREE,
            "fd OA",
            expect![[r#"
            auth/OAuth.txt
        "#]],
        );
        check(
            TREE,
            "fd -H -g oauth.*",
            expect![[r#"
            .hidden/oauth.md
            auth/OAuth.txt
            auth/oauth.mdx
        "#]],
        );
        check(
            TREE,
            "fd",
            expect![[r#"
            README.md
            auth/
            auth/OAuth.txt
            auth/deep/
            auth/deep/scopes.md
            auth/oauth.mdx
        "#]],
        );
        check(
            TREE,
            "fd -p auth/.*scopes -a",
            expect![[r#"
            /auth/deep/scopes.md
        "#]],
        );
    }

    #[test]
    fn kinds_and_depths_choose() {
        check(
            TREE,
            "fd -t d",
            expect![[r#"
            auth/
            auth/deep/
        "#]],
        );
        check(
            TREE,
            "fd -e md . auth",
            expect![[r#"
            auth/deep/scopes.md
        "#]],
        );
        check(
            TREE,
            "fd -t f -d 1",
            expect![[r#"
            README.md
        "#]],
        );
        check(
            TREE,
            "fd -t e",
            expect![[r#"
            auth/OAuth.txt
        "#]],
        );
        check(
            TREE,
            "fd -E deep -e md",
            expect![[r#"
            README.md
        "#]],
        );
        check(
            TREE,
            "fd -S -2b -t f",
            expect![[r#"
            README.md
            auth/OAuth.txt
            auth/deep/scopes.md
        "#]],
        );
        check(
            TREE,
            "fd --max-results 1",
            expect![[r#"
            README.md
        "#]],
        );
    }

    #[test]
    fn commands_are_run() {
        check(
            TREE,
            "fd -e mdx -x basename {} .mdx",
            expect![[r#"
            oauth
        "#]],
        );
        check(
            TREE,
            "fd -e md -X basename -a",
            expect![[r#"
            README.md
            scopes.md
        "#]],
        );
        check(
            TREE,
            "fd -e md -x basename '{/.}|{//}|{.}|{/}'",
            expect![[r#"
            README|README.md
            scopes|scopes.md
        "#]],
        );
        check(
            TREE,
            "fd -e md -x nosuch",
            expect![[r#"
            [stderr]
            [fd error]: Command not found: nosuch
            [fd error]: Command not found: nosuch
            [status 1]
        "#]],
        );
    }

    #[test]
    fn wrong_words_are_named() {
        check(
            TREE,
            "fd a/b",
            expect![[r#"
            [stderr]
            [fd error]: The search pattern 'a/b' contains a path-separation character ('/') and will not lead to any search results.

            Instead, if you want your pattern to match the full file path, use:

              fd --full-path 'a/b'
            [status 1]
        "#]],
        );
        check(
            TREE,
            "fd x nosuch",
            expect![[r#"
            [stderr]
            [fd error]: Search path 'nosuch' is not a directory.
            [fd error]: No valid search paths given.
            [status 1]
        "#]],
        );
        check(
            TREE,
            "fd -q nosuch",
            expect![[r#"
            [status 1]
        "#]],
        );
        check(
            TREE,
            "fd '(' ",
            expect![[r#"
            [stderr]
            [fd error]: regex parse error:
                (
                ^
            error: unclosed group
            [status 1]
        "#]],
        );
    }
}
