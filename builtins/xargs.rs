//! `xargs`: command lines built from what stdin holds.
//!
//! Items are read one by one, and a command runs as soon as its line is full. Commands run one after the other: `-P` is
//! taken and means nothing, since what they do takes no time of its own.
mod items;
mod options;

use crate::{Builtin, Call, Error, Input, Quoting, Result, Status, Stdio, curly};
use items::Items;
pub(crate) use options::COMMAND_SIZE;
use options::Options;
use std::io::Write;

pub(crate) static XARGS: Builtin = Builtin {
    name: "xargs",
    synopsis: "[OPTION]... COMMAND [INITIAL-ARGS]...",
    about: "Run COMMAND with arguments INITIAL-ARGS and more arguments read from input.",
    options: options::TABLE,
    trouble: Status(1),
    run,
};

const NUL: &str = "WARNING: a NUL character occurred in the input.  It cannot be passed through in the argument list.  \
                   Did you mean to use the --null option?";

fn run(call: &mut Call<'_>) -> Result<Status> {
    let options = options::read(call)?;
    if options.shows_limits {
        let size = options.size;
        writeln!(call.stderr, "Size of command buffer we are actually using: {size}")?;
    }
    let input = match &options.file {
        Some(file) => call
            .open(file)
            .map_err(|error| Error::failed(format!("Cannot open input file {}: {error}", curly(file))))?,
        None => call.stdin.clone(),
    };
    // The commands must not eat what is still to be read.
    let stdin = if options.file.is_some() { call.stdin.clone() } else { Input::empty() };
    let mut builder =
        Builder { options: &options, stdin, args: Vec::new(), bytes: 0, lines: 0, status: Status::OK, ran: 0 };
    let mut has_warned = false;
    let mut items = Items::new(input, &options);
    loop {
        call.cancel.check()?;
        let item = match items.next() {
            Ok(Some(item)) => item,
            Ok(None) => break,
            Err(error) => {
                builder.flush_before_trouble(call)?;
                return Err(error);
            }
        };
        if items.saw_nul() && !std::mem::replace(&mut has_warned, true) {
            call.warn(NUL)?;
        }
        builder.add(call, item)?;
    }
    builder.finish(call)
}

/// The command line that is being filled.
struct Builder<'o> {
    options: &'o Options,
    stdin: Input,
    args: Vec<String>,
    bytes: usize,
    lines: usize,
    status: Status,
    ran: usize,
}

impl Builder<'_> {
    fn add(&mut self, call: &mut Call<'_>, item: items::Item) -> Result<()> {
        let options = self.options;
        if let Some(mark) = &options.replace {
            let words: Vec<String> =
                options.command.iter().map(|word| word.replace(mark.as_str(), &item.text)).collect();
            let size: usize = words.iter().map(|word| word.len() + 1).sum();
            if size > options.size {
                return Err(Error::failed("command too long"));
            }
            return self.launch(call, &words);
        }
        let fixed: usize = options.command.iter().map(|word| word.len() + 1).sum();
        let cost = item.text.len() + 1;
        if fixed + cost > options.size {
            self.flush_before_trouble(call)?;
            return Err(Error::failed("argument line too long"));
        }
        if fixed + self.bytes + cost > options.size {
            if options.exits_when_full && (options.lines.is_some() || options.args.is_some()) {
                return Err(Error::failed("argument list too long"));
            }
            self.flush(call)?;
        }
        self.bytes += cost;
        self.args.push(item.text);
        self.lines += usize::from(item.ends_line);
        let is_full = options.args.is_some_and(|most| self.args.len() >= most)
            || options.lines.is_some_and(|most| self.lines >= most);
        if is_full { self.flush(call) } else { Ok(()) }
    }

    /// What was read before the trouble still runs, unless a command line is all or nothing: `-x`, which `-L` implies.
    fn flush_before_trouble(&mut self, call: &mut Call<'_>) -> Result<()> {
        match self.options.exits_when_full {
            true => Ok(()),
            false => self.flush(call),
        }
    }

    /// Run the command on the arguments at hand, if there are any.
    fn flush(&mut self, call: &mut Call<'_>) -> Result<()> {
        if self.args.is_empty() {
            return Ok(());
        }
        let words: Vec<String> = self.options.command.iter().cloned().chain(self.args.drain(..)).collect();
        (self.bytes, self.lines) = (0, 0);
        self.launch(call, &words)
    }

    fn finish(mut self, call: &mut Call<'_>) -> Result<Status> {
        self.flush(call)?;
        if self.ran == 0 && !self.options.needs_items && self.options.replace.is_none() {
            let words = self.options.command.clone();
            self.launch(call, &words)?;
        }
        Ok(self.status)
    }

    fn launch(&mut self, call: &mut Call<'_>, words: &[String]) -> Result<()> {
        self.ran += 1;
        call.stdout.flush()?;
        if self.options.traces {
            let line: Vec<String> = words.iter().map(|word| Quoting::ShellEscape.quote(word)).collect();
            writeln!(call.stderr, "{}", line.join(" "))?;
        }
        let name = &words[0];
        if !call.shell.has(name) {
            return Err(Error::Failed(format!("{name}: No such file or directory"), Status(127)));
        }
        let mut session = call.session.of_child();
        if let Some(slot) = &self.options.slot {
            session.vars.export(slot, "0");
        }
        let io = Stdio { stdin: self.stdin.clone(), stdout: call.stdout.clone(), stderr: call.stderr.clone() };
        let status = call.shell.run(words, io, &mut session, &call.cancel);
        call.cancel.check()?;
        match status.0 {
            0 => Ok(()),
            255 => Err(Error::Failed(format!("{name}: exited with status 255; aborting"), Status(124))),
            126 | 127 if crate::find(name).is_some() => Err(Error::Quiet(status)),
            // The reader has gone: the real one is told that a signal ended the command.
            141 => Err(Error::Quiet(Status(125))),
            _ => {
                self.status = Status(123);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests;
