//! What `print` and `printf` write, and where to.
use super::{
    ast::{Expr, Redirect, RedirectKind},
    files::Goal,
    format,
    interpreter::Interpreter,
};
use crate::Result;
use std::io::Write;

impl<'p> Interpreter<'p, '_, '_> {
    /// `print`; without arguments, the record.
    pub(super) fn print(&mut self, arguments: &'p [Expr], redirect: Option<&'p Redirect>) -> Result<()> {
        let mut line = self.buffer();
        if arguments.is_empty() {
            line.extend_from_slice(self.record.whole());
        }
        for (at, argument) in arguments.iter().enumerate() {
            if at > 0 {
                line.extend_from_slice(&self.record.ofs);
            }
            self.printed(argument, &mut line)?;
        }
        line.extend_from_slice(&self.specials.ors);
        let result = self.emit(redirect, &line);
        self.give_back(line);
        result
    }

    /// Write `text` to stdout or where the statement says.
    pub(super) fn emit(&mut self, redirect: Option<&'p Redirect>, text: &[u8]) -> Result<()> {
        let Some(redirect) = redirect else {
            self.call.stdout.write_all(text)?;
            return Ok(());
        };
        let target = self.eval(&redirect.target)?.to_text(&self.specials.convfmt);
        if target.is_empty() {
            return Err(
                self.fatal(format!("expression for `{}' redirection has null string value", redirect.kind.sign()))
            );
        }
        if redirect.kind == RedirectKind::Pipe && !self.is_output(&target) {
            // What has been printed so far comes before what the command prints.
            self.call.stdout.flush()?;
        }
        match self.files.output(self.call, redirect.kind, &target) {
            Ok(Goal::Stdout) => self.call.stdout.write_all(text)?,
            Ok(Goal::Stderr) => {
                self.call.stdout.flush()?;
                self.call.stderr.write_all(text)?;
            }
            Ok(Goal::File(file)) => file.write_all(text)?,
            Ok(Goal::Command(buffer)) => {
                buffer.extend_from_slice(text);
                self.call.memory.take(text.len())?;
            }
            Err(cause) => {
                let target = String::from_utf8_lossy(&target);
                return Err(self.fatal(format!("cannot redirect to `{target}': {cause}")));
            }
        }
        Ok(())
    }

    /// The first of `arguments`, with the others in the places of its directives.
    pub(super) fn sprintf(&mut self, arguments: &'p [Expr]) -> Result<Vec<u8>> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.eval(argument)?);
        }
        let Some((form, values)) = values.split_first() else { return Ok(Vec::new()) };
        let form = form.to_text(&self.specials.convfmt);
        format::format(&form, values, &self.specials.convfmt).map_err(|shortage| self.fatal(shortage.to_string()))
    }
}
