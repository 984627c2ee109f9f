//! Each predicate by its name.
use super::{
    age::{Age, Unit},
    expression::{Action, Compare, Exec, Expr, Permissions, Target, Test},
    format::Format,
    parse::Parser,
};
use crate::{
    Device, Error, Glob, GlobFlags, Kind, Moment, Result, curly, mode,
    pattern::{Options, Pattern, Syntax, Whole},
};

impl Parser<'_, '_> {
    /// The predicate `name`, whose arguments come next.
    pub(super) fn predicate(&mut self, name: &str) -> Result<Expr> {
        let test = match name {
            "-true" | "-noleaf" | "-mount" | "-xdev" | "-x" | "-follow" | "-warn" | "-nowarn" => Test::True,
            "-false" | "-nouser" | "-nogroup" => Test::False,
            "-daystart" => {
                self.from_day_start = true;
                Test::True
            }
            "-depth" | "-d" => {
                self.settings.depth_first = true;
                Test::True
            }
            "-maxdepth" => {
                self.settings.max_depth = Some(self.level(name)?);
                Test::True
            }
            "-mindepth" => {
                self.settings.min_depth = self.level(name)?;
                Test::True
            }
            "-files0-from" => {
                self.settings.starts_from = Some(self.argument(name)?.to_string());
                Test::True
            }
            "-regextype" => {
                let kind = self.argument(name)?;
                self.syntax = Syntax::named(kind).ok_or_else(|| {
                    let known: Vec<String> = Syntax::FIND_NAMES.iter().map(|name| curly(name)).collect();
                    let known = known.join(", ");
                    Error::failed(format!("Unknown regular expression type {}; valid types are {known}.", curly(kind)))
                })?;
                Test::True
            }
            "-name" => Test::Name(self.glob(name, false)?),
            "-iname" => Test::Name(self.glob(name, true)?),
            "-path" | "-wholename" => Test::Path(self.glob(name, false)?),
            "-ipath" | "-iwholename" => Test::Path(self.glob(name, true)?),
            // A site has no symbolic links and no security contexts.
            "-lname" | "-ilname" | "-context" => {
                self.argument(name)?;
                Test::False
            }
            "-regex" => self.regex(name, false)?,
            "-iregex" => self.regex(name, true)?,
            "-type" | "-xtype" => self.kinds(name)?,
            "-size" => self.size()?,
            "-empty" => Test::Empty,
            "-newer" | "-anewer" | "-cnewer" => Test::NewerThan(self.reference(name)?),
            "-mtime" | "-atime" | "-ctime" => self.age(name, Unit::Days)?,
            "-mmin" | "-amin" | "-cmin" => self.age(name, Unit::Minutes)?,
            "-perm" => self.permissions()?,
            "-links" => Test::Links(self.compare(name)?),
            "-inum" => Test::Inode(self.compare(name)?),
            // All belongs to root, and nothing was read since it changed.
            "-uid" | "-gid" | "-used" => truth(self.compare(name)?.holds(0)),
            "-user" | "-group" => self.owner(name)?,
            "-fstype" => truth(self.argument(name)? == "docsh"),
            "-samefile" => {
                let file = self.argument(name)?;
                Test::Same(self.call.resolve(file).map_err(|error| Error::failed(format!("{}: {error}", curly(file))))?)
            }
            "-readable" => Test::Readable,
            "-writable" => Test::Writable,
            "-executable" => Test::Executable,
            "-help" | "--help" => return Err(Error::Help),
            "-version" | "--version" => return Err(Error::Version),
            _ if name.len() == 8 && name.starts_with("-newer") => Test::NewerThan(self.newer_xy(name)?),
            _ => return self.action(name).map(Expr::Action),
        };
        Ok(Expr::Test(test))
    }

    fn action(&mut self, name: &str) -> Result<Action> {
        Ok(match name {
            "-print" => Action::Print(Target::Stdout, '\n'),
            "-print0" => Action::Print(Target::Stdout, '\0'),
            "-fprint" => Action::Print(self.target(name)?, '\n'),
            "-fprint0" => Action::Print(self.target(name)?, '\0'),
            "-printf" => Action::Printf(Target::Stdout, Format::read(self.call, self.argument(name)?)?),
            "-fprintf" => Action::Printf(self.target(name)?, Format::read(self.call, self.argument(name)?)?),
            "-ls" => Action::Ls(Target::Stdout),
            "-fls" => Action::Ls(self.target(name)?),
            "-prune" => Action::Prune,
            "-quit" => Action::Quit,
            "-delete" => {
                self.settings.depth_first = true;
                Action::Delete
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => self.exec(name)?,
            _ => return Err(Error::failed(format!("unknown predicate `{name}'"))),
        })
    }

    fn level(&mut self, name: &str) -> Result<usize> {
        let text = self.argument(name)?;
        text.parse().map_err(|_| {
            Error::failed(format!("Expected a positive decimal integer argument to {name}, but got {}", curly(text)))
        })
    }

    fn glob(&mut self, name: &str, ignore_case: bool) -> Result<Glob> {
        Ok(Glob::new(self.argument(name)?, GlobFlags { ignore_case, ..GlobFlags::default() }))
    }

    fn regex(&mut self, name: &str, ignore_case: bool) -> Result<Test> {
        let options = Options { ignore_case, whole: Whole::Line, size: self.call.limits.regex, ..Options::default() };
        let text = self.argument(name)?;
        Pattern::posix(text, self.syntax, options)
            .map(Test::Regex)
            .map_err(|error| Error::failed(format!("failed to compile regular expression {}: {error}", curly(text))))
    }

    fn kinds(&mut self, name: &str) -> Result<Test> {
        let text = self.argument(name)?;
        if text.is_empty() {
            return Err(Error::failed(format!("Arguments to {name} should contain at least one letter")));
        }
        let mut kinds = Vec::new();
        for letter in text.split(',') {
            match letter {
                "f" => kinds.push(Kind::File),
                "d" => kinds.push(Kind::Dir),
                "c" => kinds.push(Kind::Device),
                "b" | "p" | "l" | "s" | "D" => {}
                "" => {
                    return Err(Error::failed(format!(
                        "Last file type in list argument to {name} is missing, i.e., list is ending on: ','"
                    )));
                }
                letter if letter.chars().count() > 1 => {
                    return Err(Error::failed(format!("Must separate multiple arguments to {name} using: ','")));
                }
                letter => return Err(Error::failed(format!("Unknown argument to {name}: {letter}"))),
            }
        }
        Ok(Test::Kinds(kinds))
    }

    fn size(&mut self) -> Result<Test> {
        let text = self.argument("-size")?;
        let (number, unit) = match text.chars().last() {
            Some('b') => (&text[..text.len() - 1], 512),
            Some('c') => (&text[..text.len() - 1], 1),
            Some('w') => (&text[..text.len() - 1], 2),
            Some('k') => (&text[..text.len() - 1], 1 << 10),
            Some('M') => (&text[..text.len() - 1], 1 << 20),
            Some('G') => (&text[..text.len() - 1], 1 << 30),
            Some(digit) if digit.is_ascii_digit() => (text, 512),
            Some(letter) => return Err(Error::failed(format!("invalid -size type `{letter}'"))),
            None => return Err(Error::failed("invalid null argument to -size")),
        };
        let compare =
            Compare::read(number).ok_or_else(|| Error::failed(format!("Invalid argument `{text}' to -size")))?;
        Ok(Test::Size(compare, unit))
    }

    fn compare(&mut self, name: &str) -> Result<Compare> {
        let text = self.argument(name)?;
        Compare::read(text).ok_or_else(|| invalid(name, text))
    }

    fn age(&mut self, name: &str, unit: Unit) -> Result<Test> {
        let text = self.argument(name)?;
        Age::read(text, unit, self.call.now(), self.from_day_start).map(Test::Age).ok_or_else(|| invalid(name, text))
    }

    fn permissions(&mut self) -> Result<Test> {
        let text = self.argument("-perm")?;
        let (build, rest): (fn(u32) -> Permissions, &str) = match text.as_bytes().first() {
            Some(b'-') => (Permissions::All, &text[1..]),
            Some(b'/') => (Permissions::Any, &text[1..]),
            _ => (Permissions::Exactly, text),
        };
        let bits = mode::apply(rest, 0, false, 0);
        let bits = bits.ok_or_else(|| Error::failed(format!("invalid mode {}", curly(text))))?;
        Ok(Test::Permissions(build(bits)))
    }

    fn owner(&mut self, name: &str) -> Result<Test> {
        match self.argument(name)? {
            "root" | "0" => Ok(Test::True),
            number if number.parse::<u32>().is_ok() => Ok(Test::False),
            other => {
                let what = if name == "-user" { "a known user" } else { "an existing group" };
                Err(Error::failed(format!("{} is not the name of {what}", curly(other))))
            }
        }
    }

    /// The time of the file that comes next.
    fn reference(&mut self, name: &str) -> Result<(i64, u32)> {
        let file = self.argument(name)?;
        let meta = self.call.stat(file).map_err(|error| Error::failed(format!("{}: {error}", curly(file))))?;
        Ok(meta.time())
    }

    /// `-newerXY`: X and Y are times of files, but for `t`, a date.
    fn newer_xy(&mut self, name: &str) -> Result<(i64, u32)> {
        let (x, y) = (name.get(6..7).unwrap_or("?"), name.get(7..8).unwrap_or("?"));
        if !"aBcm".contains(x) || !"aBcmt".contains(y) {
            return Err(Error::failed(format!("invalid predicate `{name}'")));
        }
        if x == "B" || y == "B" {
            return Err(Error::failed("This system does not provide a way to find the birth time of a file."));
        }
        if y != "t" {
            return self.reference(name);
        }
        let text = self.argument(name)?;
        let moment = Moment::read(text, self.call.now());
        let moment = moment.ok_or_else(|| {
            Error::failed(format!("I cannot figure out how to interpret {} as a date or time", curly(text)))
        })?;
        Ok((moment.seconds, moment.nanos))
    }

    /// Where the file that comes next writes to.
    fn target(&mut self, name: &str) -> Result<Target> {
        let file = self.argument(name)?;
        match Device::named(file) {
            Some(Device::Fd(1)) => Ok(Target::Stdout),
            Some(Device::Fd(2)) => Ok(Target::Stderr),
            _ => match self.call.create_shared(file) {
                Ok(output) => Ok(Target::File(output)),
                Err(error) => Err(Error::failed(format!("{}: {error}", curly(file)))),
            },
        }
    }

    fn exec(&mut self, name: &str) -> Result<Action> {
        let mut words: Vec<String> = Vec::new();
        let asks = matches!(name, "-ok" | "-okdir");
        let is_batch = loop {
            match self.next() {
                Some(";") => break false,
                Some("+") if !asks && words.last().is_some_and(|word| word == "{}") => break true,
                Some(word) => words.push(word.to_string()),
                None => {
                    let message = match &words[..] {
                        [.., file, plus] if plus == "+" && file.contains("{}") => format!(
                            "In ‘{name} ... {{}} +’ the ‘{{}}’ must appear by itself, but you specified {}",
                            curly(file)
                        ),
                        _ => format!("missing argument to `{name}'"),
                    };
                    return Err(Error::failed(message));
                }
            }
        };
        if is_batch {
            words.pop();
            if words.iter().any(|word| word.contains("{}")) {
                return Err(Error::failed(format!("Only one instance of {{}} is supported with {name} ... +")));
            }
        }
        if words.is_empty() {
            return Err(Error::failed(format!("missing argument to `{name}'")));
        }
        self.execs.push(Exec { words, is_batch, in_folder: name.ends_with("dir"), asks });
        Ok(Action::Exec(self.execs.len() - 1))
    }
}

fn truth(yes: bool) -> Test {
    if yes { Test::True } else { Test::False }
}

fn invalid(name: &str, text: &str) -> Error {
    Error::failed(format!("invalid argument `{text}' to `{name}'"))
}
