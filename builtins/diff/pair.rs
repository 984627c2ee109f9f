//! Two files side by side: what differs, and in which form it is shown.
use super::{
    compare::{Change, compare},
    context, merged,
    name::escaped,
    normal,
    options::{Options, Style},
    side,
    text::Text,
};
use crate::{Call, Error, Input, Moment, Output, Result, Status, Stdio};
use std::{fmt, io::Write};

/// One of the two files.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) text: Text,
    /// Last modification.
    pub(crate) time: Moment,
}

/// What a comparison prints through: the head of its output comes before the first hunk, or not at all.
pub(crate) struct Printer<'a> {
    pub(crate) out: &'a mut Output,
    pub(crate) options: &'a Options,
    pub(crate) files: [&'a File; 2],
    /// The line `diff -r a b`, inside of folders.
    title: Option<String>,
    begun: bool,
}

/// A change and whether it is passed over (`-B`, `-I`).
pub(crate) type Marked = (Change, bool);

/// Compare `old` and `new` and print what differs. `true` when something does.
pub(crate) fn run(call: &mut Call<'_>, options: &Options, old: File, new: File, title: Option<String>) -> Result<bool> {
    let [mut old, mut new] = [strip(call, options, old)?, strip(call, options, new)?];
    let script = matches!(options.style, Style::Ed | Style::ForwardEd);
    let names = [(0, &old), (1, &new)].map(|(at, file)| options.label(at, &file.name).to_string());
    let open: Vec<&String> = [&old, &new]
        .iter()
        .zip(&names)
        .filter(|(file, _)| script && file.text.ends_open())
        .map(|(_, name)| name)
        .collect();
    let binary = !options.text && (old.text.is_binary() || new.text.is_binary());
    let names = (names[0].as_str(), names[1].as_str());
    if old.text.bytes() == new.text.bytes() && !(options.style == Style::SideBySide || options.style == Style::Merged) {
        say_identical(call, options, names)?;
        return Ok(false);
    }
    if binary {
        if old.text.bytes() == new.text.bytes() {
            say_identical(call, options, names)?;
            return Ok(false);
        }
        match options.brief {
            true => writeln!(call.stdout, "Files {} and {} differ", names.0, names.1)?,
            false => writeln!(call.stdout, "Binary files {} and {} differ", names.0, names.1)?,
        }
        return Ok(true);
    }
    // Lines that are shown as context take part in the comparison.
    let horizon = match options.style {
        Style::Context | Style::Unified => options.horizon.max(options.context),
        _ => options.horizon,
    };
    if script {
        // An editor cannot leave a line open.
        old.text.close();
        new.text.close();
    }
    let changes = compare(&old.text, &new.text, options.ignored, options.minimal, horizon, &call.cancel)?;
    let mut marked = Vec::with_capacity(changes.len());
    for change in changes {
        marked.push((change, passed_over(options, &old.text, &new.text, change)?));
    }
    let differ = marked.iter().any(|(_, passed_over)| !passed_over);
    if options.brief {
        if differ {
            writeln!(call.stdout, "Files {} and {} differ", names.0, names.1)?;
        }
    } else {
        let files = [&old, &new];
        let mut printer = Printer { out: &mut call.stdout, options, files, title, begun: false };
        match (options.paginate, printer.title.take()) {
            (true, Some(title)) => {
                let (mut out, pages) = Output::capture();
                print(Printer { out: &mut out, ..printer }, &marked)?;
                out.flush()?;
                paginate(call, &title, pages.take())?;
            }
            (_, title) => {
                printer.title = title;
                print(printer, &marked)?;
            }
        }
    }
    if !open.is_empty() {
        for name in &open {
            call.warn(format_args!("{name}: No newline at end of file\n"))?;
        }
        return Err(crate::Error::Quiet(crate::Status(2)));
    }
    if !differ {
        say_identical(call, options, names)?;
    }
    Ok(differ)
}

fn print(mut printer: Printer<'_>, marked: &[Marked]) -> Result<()> {
    match printer.options.style {
        Style::Normal | Style::Rcs | Style::ForwardEd => normal::print(&mut printer, marked),
        Style::Ed => normal::print_ed(&mut printer, marked),
        Style::Context | Style::Unified => context::print(&mut printer, marked),
        Style::SideBySide => side::print(&mut printer, marked),
        Style::Merged => merged::print(&mut printer, marked),
    }
}

/// Hand `text` to `pr`, under `title` on each page.
fn paginate(call: &mut Call<'_>, title: &str, text: Vec<u8>) -> Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    call.memory.take(text.len())?;
    call.stdout.flush()?;
    let words = ["pr", "-h", title].map(String::from);
    let io = Stdio { stdin: Input::bytes(text), stdout: call.stdout.clone(), stderr: call.stderr.clone() };
    let answer = call.shell.run(&words, io, &mut call.session.of_child(), &call.cancel);
    call.cancel.check()?;
    match answer.is_ok() {
        true => Ok(()),
        false => Err(Error::Failed("subsidiary program 'pr' failed".to_string(), Status(2))),
    }
}

fn strip(call: &mut Call<'_>, options: &Options, file: File) -> Result<File> {
    match options.ignored.trailing_cr {
        true => Ok(File { text: file.text.without_cr(&mut call.memory)?, ..file }),
        false => Ok(file),
    }
}

pub(super) fn say_identical(call: &mut Call<'_>, options: &Options, names: (&str, &str)) -> Result<()> {
    if options.identical {
        writeln!(call.stdout, "Files {} and {} are identical", names.0, names.1)?;
    }
    Ok(())
}

/// Whether all lines of a change are blank, or match the pattern of `-I`.
fn passed_over(options: &Options, old: &Text, new: &Text, change: Change) -> Result<bool> {
    if !options.passes_over() {
        return Ok(false);
    }
    let blanks_too = options.ignored.canonical(b" x \n") != options.ignored.canonical(b" x\n");
    let trivial = |line: &[u8]| -> Result<bool> {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let blank = match blanks_too {
            true => text.is_empty(),
            false => text.iter().all(|byte| matches!(byte, b' ' | 9..=13)),
        };
        if options.blank_lines && blank {
            return Ok(true);
        }
        match &options.matching {
            Some(pattern) => Ok(pattern.is_match(text)?),
            None => Ok(false),
        }
    };
    for at in change.old..change.old + change.deleted {
        if !trivial(old.line(at))? {
            return Ok(false);
        }
    }
    for at in change.new..change.new + change.inserted {
        if !trivial(new.line(at))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The colours of a diff.
#[derive(Clone, Copy)]
pub(crate) enum Colour {
    Header,
    Place,
    Deleted,
    Added,
}

impl Printer<'_> {
    /// Print what comes before the first hunk, once.
    pub(crate) fn begin(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        if let Some(title) = self.title.take() {
            self.coloured(Colour::Header, format_args!("{title}"))?;
            self.out.write_all(b"\n")?;
        }
        let marks = match self.options.style {
            Style::Context => ["***", "---"],
            Style::Unified => ["---", "+++"],
            _ => return Ok(()),
        };
        for (at, mark) in marks.into_iter().enumerate() {
            let file = self.files[at];
            let line = match self.options.labels.get(at) {
                Some(label) => format!("{mark} {label}"),
                None => {
                    let time = file.time.format("%Y-%m-%d %H:%M:%S.%N %z");
                    format!("{mark} {}\t{time}", escaped(&file.name))
                }
            };
            self.coloured(Colour::Header, format_args!("{line}"))?;
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Text in a colour, where colours are wanted.
    pub(crate) fn coloured(&mut self, colour: Colour, text: fmt::Arguments<'_>) -> Result<()> {
        self.colour(Some(colour))?;
        write!(self.out, "{text}")?;
        self.colour(None)
    }

    /// Begin a colour, or end it.
    pub(crate) fn colour(&mut self, colour: Option<Colour>) -> Result<()> {
        if self.options.colour {
            let code = match colour {
                Some(Colour::Header) => "1",
                Some(Colour::Place) => "36",
                Some(Colour::Deleted) => "31",
                Some(Colour::Added) => "32",
                None => "0",
            };
            write!(self.out, "\x1b[{code}m")?;
        }
        Ok(())
    }

    /// A line of file `side` after its mark: `< `, `+`, `! `.
    pub(crate) fn line(&mut self, side: usize, number: usize, mark: &str, colour: Option<Colour>) -> Result<()> {
        let line = self.files[side].text.line(number);
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let blank = if self.options.initial_tab { "\t" } else { " " };
        // The unified form has no blank after its mark.
        let gap = match self.options.style {
            Style::Unified if self.options.initial_tab => "\t",
            Style::Unified | Style::Ed | Style::ForwardEd | Style::Rcs => "",
            _ if self.options.no_blank && text.is_empty() => "",
            _ => blank,
        };
        let mark = if self.options.no_blank && text.is_empty() { mark.trim_end() } else { mark };
        if colour.is_some() {
            self.colour(colour)?;
        }
        write!(self.out, "{mark}{gap}")?;
        match self.options.expand_tabs {
            true => {
                let column = if self.options.initial_tab { 0 } else { mark.len() + gap.len() };
                let expanded = self.expanded(text, column);
                self.out.write_all(&expanded)?;
            }
            false => self.out.write_all(text)?,
        }
        if colour.is_some() {
            self.colour(None)?;
        }
        match text.len() == line.len() {
            true if self.options.style == Style::Rcs => {}
            true => self.out.write_all(b"\n\\ No newline at end of file\n")?,
            false => self.out.write_all(b"\n")?,
        }
        Ok(())
    }

    fn expanded(&self, text: &[u8], offset: usize) -> Vec<u8> {
        let size = self.options.ignored.tab_size;
        let mut expanded = Vec::new();
        let mut column = 0;
        for &byte in text {
            match byte {
                b'\t' => {
                    let blanks = size - column % size;
                    expanded.extend(std::iter::repeat_n(b' ', blanks));
                    column += blanks;
                }
                b'\r' => {
                    expanded.push(byte);
                    expanded.extend(std::iter::repeat_n(b' ', offset));
                    column = 0;
                }
                b'\x08' => {
                    expanded.push(byte);
                    column = column.saturating_sub(1);
                }
                byte => {
                    expanded.push(byte);
                    column += usize::from(byte >= b' ');
                }
            }
        }
        expanded
    }
}
