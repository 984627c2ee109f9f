//! Runs a script over the lines.
use super::{
    Options,
    edit::Edit,
    input::Lines,
    list,
    output::{Target, Writer},
    script::{Action, Script, When},
    select::Progress,
};
use crate::{Call, Error, FsError, Input, Result, Status, pattern::Pattern};
use std::{
    io::{BufRead, Write},
    mem,
};

/// A space: the text of a line, and whether a delimiter ended it.
pub(super) struct Line {
    pub(super) text: Vec<u8>,
    ended: bool,
}

/// What comes out when the cycle ends.
enum Queued {
    Text(Vec<u8>),
    File(String),
}

/// Where a cycle goes.
enum Flow {
    /// The script has ended: print, go on with the next line.
    End,
    /// The same without printing.
    EndSilently,
    /// The same, but begin again with what is left of this line.
    Again,
    /// Leave with this status.
    Quit(Status),
}

pub(super) struct Machine<'m, 'c> {
    pub(super) call: &'m mut Call<'c>,
    pub(super) script: &'m Script,
    pub(super) options: &'m Options,
    pub(super) input: Lines,
    pub(super) pattern: Line,
    hold: Line,
    queue: Vec<Queued>,
    pub(super) ranges: Vec<Progress>,
    /// The separate file that the line is of.
    file: u64,
    line_sources: Vec<Option<Input>>,
    pub(super) substituted: bool,
    /// What `//` means.
    pub(super) last_regex: Option<&'m Pattern>,
    writer: Writer,
    /// `-i`: the file that is edited.
    edits: Option<Edit>,
    /// Bytes of the spaces that the run's memory knows of.
    accounted: usize,
    pub(super) scratch: Vec<u8>,
}

impl<'m, 'c> Machine<'m, 'c> {
    pub(super) fn new(call: &'m mut Call<'c>, script: &'m Script, options: &'m Options, files: Vec<String>) -> Self {
        Machine {
            input: Lines::new(files, options.delimiter, options.separate),
            line_sources: line_sources(call, script),
            call,
            script,
            options,
            pattern: Line { text: Vec::new(), ended: true },
            hold: Line { text: Vec::new(), ended: true },
            queue: Vec::new(),
            ranges: script.commands.iter().map(Progress::at_start).collect(),
            file: 0,
            substituted: false,
            last_regex: None,
            writer: Writer::new(options, script),
            edits: None,
            accounted: 0,
            scratch: Vec::new(),
        }
    }

    /// Run the script over every line, and give the status.
    pub(super) fn run(mut self) -> Result<Status> {
        let mut again = false;
        while again || self.read_pattern(false)? {
            let flow = self.cycle()?;
            if matches!(flow, Flow::End) && !self.options.quiet {
                self.print(Target::Main)?;
            }
            if let Flow::Quit(status) = flow {
                self.finish_edit()?;
                return Ok(self.status(status));
            }
            self.release_queue()?;
            again = matches!(flow, Flow::Again);
        }
        self.finish_edit()?;
        Ok(self.status(Status::OK))
    }

    /// A file that could not be read outweighs what `q` asks for.
    fn status(&self, asked: Status) -> Status {
        if self.input.failed { Status(2) } else { asked }
    }

    /// Read the next line over the pattern space, or behind it.
    fn read_pattern(&mut self, append: bool) -> Result<bool> {
        self.call.cancel.check()?;
        self.release_queue()?;
        if !append {
            self.pattern.text.clear();
        }
        self.substituted &= append;
        let Some(ended) = self.input.read(self.call, &mut self.pattern.text)? else { return Ok(false) };
        self.pattern.ended = ended;
        self.account()?;
        if self.file != self.input.file {
            self.begin_file()?;
        }
        Ok(true)
    }

    /// Separate files know nothing of each other.
    fn begin_file(&mut self) -> Result<()> {
        let is_first = self.file == 0;
        self.file = self.input.file;
        if !is_first {
            self.ranges = self.script.commands.iter().map(Progress::at_start).collect();
            self.line_sources = line_sources(self.call, self.script);
            self.hold.text.clear();
        }
        if let Some(suffix) = &self.options.in_place {
            self.finish_edit()?;
            let (edit, output) = Edit::begin(self.call, &self.input.name, suffix)?;
            self.writer.edit(output);
            self.edits = Some(edit);
        }
        Ok(())
    }

    /// Put what was printed for a file in its place.
    fn finish_edit(&mut self) -> Result<()> {
        let Some(edit) = self.edits.take() else { return Ok(()) };
        if let Some(mut output) = self.writer.edited.take() {
            output.flush()?;
        }
        edit.finish()
    }

    fn cycle(&mut self) -> Result<Flow> {
        let script = self.script;
        let mut at = 0;
        while let Some(command) = script.commands.get(at) {
            let selected = self.selects(at, command)? != command.negated;
            at += 1;
            if !selected {
                if let Action::Block(end) = command.action {
                    at = end;
                }
                continue;
            }
            match &command.action {
                Action::Block(_) => {}
                Action::Branch(when, target) => {
                    let jump = match when {
                        When::Always => true,
                        When::Substituted => mem::take(&mut self.substituted),
                        When::NotSubstituted => !mem::take(&mut self.substituted),
                    };
                    if jump {
                        if *target <= at {
                            self.call.cancel.check()?;
                        }
                        at = *target;
                    }
                }
                Action::Append(text) => self.queue.push(Queued::Text(text.clone())),
                Action::Insert(text) => self.write_text(text)?,
                Action::Change(text) => {
                    if !matches!(self.ranges[at - 1], Progress::Active(_)) {
                        self.write_text(text)?;
                    }
                    return Ok(Flow::EndSilently);
                }
                Action::Delete => return Ok(Flow::EndSilently),
                Action::DeleteFirst => match memchr::memchr(self.options.delimiter, &self.pattern.text) {
                    None => return Ok(Flow::EndSilently),
                    Some(end) => {
                        self.pattern.text.drain(..=end);
                        return Ok(Flow::Again);
                    }
                },
                Action::FileName => {
                    let name = format!("{}{}", self.input.name, char::from(self.options.delimiter));
                    self.writer.text(self.call, name.as_bytes())?;
                }
                Action::Get => {
                    self.pattern.text.clone_from(&self.hold.text);
                    self.pattern.ended = self.hold.ended;
                }
                Action::GetAppend => self.grow(false)?,
                Action::Hold => {
                    self.hold.text.clone_from(&self.pattern.text);
                    self.hold.ended = self.pattern.ended;
                }
                Action::HoldAppend => self.grow(true)?,
                Action::Exchange => mem::swap(&mut self.pattern, &mut self.hold),
                Action::List(width) => {
                    let mut text = Vec::new();
                    let width = width.unwrap_or(self.options.line_length);
                    list::list(&self.pattern.text, width, self.options.delimiter, &mut text);
                    self.writer.text(self.call, &text)?;
                }
                Action::Next => {
                    if self.input.is_last(self.call)? {
                        return Ok(if self.options.posix { Flow::EndSilently } else { Flow::End });
                    }
                    if !self.options.quiet {
                        self.print(Target::Main)?;
                    }
                    if !self.read_pattern(false)? {
                        return Ok(Flow::EndSilently);
                    }
                }
                Action::NextAppend => {
                    if self.input.is_last(self.call)? {
                        return Ok(if self.options.posix { Flow::EndSilently } else { Flow::End });
                    }
                    self.pattern.text.push(self.options.delimiter);
                    if !self.read_pattern(true)? {
                        return Ok(Flow::EndSilently);
                    }
                }
                Action::Print => self.print(Target::Main)?,
                Action::PrintFirst => self.print_first(Target::Main)?,
                Action::Quit(status) => {
                    if !self.options.quiet {
                        self.print(Target::Main)?;
                    }
                    self.release_queue()?;
                    self.writer.text(self.call, b"")?;
                    return Ok(Flow::Quit(Status(*status)));
                }
                Action::QuitSilently(status) => return Ok(Flow::Quit(Status(*status))),
                Action::ReadFile(name) => self.queue.push(Queued::File(name.clone())),
                Action::ReadLine(source) => self.read_line(*source)?,
                Action::Substitute(substitution) => self.substitute(substitution)?,
                Action::Write(target) => self.print(*target)?,
                Action::WriteFirst(target) => self.print_first(*target)?,
                Action::Transliterate(transliteration) => transliteration.apply(&mut self.pattern.text),
                Action::Zap => self.pattern.text.clear(),
                Action::LineNumber => {
                    let number = format!("{}{}", self.input.number, char::from(self.options.delimiter));
                    self.writer.text(self.call, number.as_bytes())?;
                }
            }
        }
        Ok(Flow::End)
    }

    /// Account for what the spaces have grown by.
    pub(super) fn account(&mut self) -> Result<()> {
        let held = self.pattern.text.capacity() + self.hold.text.capacity() + self.scratch.capacity();
        if held > self.accounted {
            self.call.memory.take(held - self.accounted)?;
            self.accounted = held;
        }
        Ok(())
    }

    /// `G`, or `H` with `holding`: a delimiter and the one space behind the other, which ends as the one does.
    fn grow(&mut self, holding: bool) -> Result<()> {
        let (from, to) = match holding {
            true => (&self.pattern, &mut self.hold),
            false => (&self.hold, &mut self.pattern),
        };
        to.text.push(self.options.delimiter);
        to.text.extend_from_slice(&from.text);
        to.ended = from.ended;
        self.account()
    }

    fn read_line(&mut self, source: usize) -> Result<()> {
        let Some(input) = &mut self.line_sources[source] else { return Ok(()) };
        let mut line = Vec::new();
        input.read_until(self.options.delimiter, &mut line)?;
        if !line.is_empty() {
            self.queue.push(Queued::Text(line));
        }
        Ok(())
    }

    /// What `a`, `r` and `R` have left for the end of the cycle.
    fn release_queue(&mut self) -> Result<()> {
        for queued in mem::take(&mut self.queue) {
            match queued {
                Queued::Text(text) => self.writer.text(self.call, &text)?,
                Queued::File(name) => {
                    // What cannot be opened is silently nothing, as POSIX wants it.
                    let Some(mut input) = open(self.call, &name) else { continue };
                    self.writer.text(self.call, b"")?;
                    if let Err(error) = std::io::copy(&mut input, self.writer.main(self.call)) {
                        let cause = FsError::within(Error::Io(error))?;
                        if !matches!(cause.kind, crate::ErrorKind::IsADirectory) {
                            return Err(Error::Failed(format!("read error on {name}: {cause}"), Status(4)));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The text of `i` and `c`, which ends as lines do; that of `a` keeps its newline under `-z` too.
    fn write_text(&mut self, text: &[u8]) -> Result<()> {
        match text.strip_suffix(b"\n") {
            Some(text) => self.writer.line(self.call, Target::Main, text, true),
            None => self.writer.text(self.call, text),
        }
    }

    pub(super) fn print(&mut self, target: Target) -> Result<()> {
        self.writer.line(self.call, target, &self.pattern.text, self.pattern.ended)
    }

    /// The text up to the first newline, to `target`.
    fn print_first(&mut self, target: Target) -> Result<()> {
        let end = memchr::memchr(self.options.delimiter, &self.pattern.text);
        let line = &self.pattern.text[..end.unwrap_or(self.pattern.text.len())];
        self.writer.line(self.call, target, line, end.is_some() || self.pattern.ended)
    }
}

fn line_sources(call: &Call<'_>, script: &Script) -> Vec<Option<Input>> {
    script.line_sources.iter().map(|name| open(call, name)).collect()
}

/// A file to read from beside the input; `None` where it cannot be read.
fn open(call: &Call<'_>, name: &str) -> Option<Input> {
    if name == "-" || name == "/dev/stdin" { Some(call.stdin.clone()) } else { call.open(name).ok() }
}
