//! The operators of `test`, `[` and `[[ ]]`.
use crate::{Cancel, Device, Fs, FsResult, Kind, Meta, Session, VPath, resolve};

/// What an operator may look at.
pub struct Facts<'a> {
    /// The site.
    pub fs: &'a dyn Fs,
    /// Working directory and variables.
    pub session: &'a Session,
    /// For the size of a page that the tree does not know.
    pub cancel: &'a Cancel,
    /// Whether a file descriptor is a terminal.
    pub is_terminal: &'a dyn Fn(u16) -> bool,
    /// Whether an option of the shell is on.
    pub is_option: &'a dyn Fn(&str) -> bool,
}

impl Facts<'_> {
    fn path(&self, operand: &str) -> FsResult<VPath> {
        resolve(self.fs, &self.session.cwd, operand)
    }

    fn stat(&self, operand: &str) -> Option<Meta> {
        if Device::named(operand).is_some() {
            return Some(Device::meta());
        }
        self.fs.stat(&self.path(operand).ok()?).ok()
    }

    fn has_bytes(&self, operand: &str, meta: &Meta) -> bool {
        let size = || self.fs.size(&self.path(operand).ok()?, self.cancel).ok();
        meta.size.or_else(size).is_some_and(|size| size > 0)
    }

    fn is_set(&self, name: &str) -> bool {
        let Some((name, key)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) else {
            return self.session.var(name).is_some();
        };
        match self.session.vars.variable(name).map(|variable| &variable.value) {
            Some(crate::Value::Indexed(array)) if key == "@" || key == "*" => !array.is_empty(),
            Some(crate::Value::Indexed(array)) => key.parse().is_ok_and(|index: u64| array.contains_key(&index)),
            Some(crate::Value::Assoc(map)) => map.get(key).is_some() || (key == "@" && !map.is_empty()),
            Some(crate::Value::Scalar(_)) => key == "0",
            Some(crate::Value::Unset) | None => false,
        }
    }
}

/// Whether `word` is an operator before one operand.
pub fn is_unary(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|letter| letter.len() == 1 && "abcdefghknoprstuvwxzGLNORS".contains(letter))
}

/// Whether `word` is an operator between two operands, `-a` and `-o` left out.
pub fn is_binary(word: &str) -> bool {
    matches!(
        word,
        "=" | "==" | "!=" | "<" | ">" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-nt" | "-ot" | "-ef"
    )
}

/// Whether `operator` holds for `operand`; the error is a message.
pub fn unary(facts: &Facts<'_>, operator: &str, operand: &str) -> Result<bool, String> {
    let meta = || facts.stat(operand);
    let is = |kind| meta().is_some_and(|meta| meta.kind == kind);
    let has_bit = |bit| meta().is_some_and(|meta| meta.mode & bit != 0);
    Ok(match operator {
        "-n" => !operand.is_empty(),
        "-z" => operand.is_empty(),
        // Everything is root's, and the guest is root.
        "-a" | "-e" | "-r" | "-O" | "-G" => meta().is_some(),
        "-f" => is(Kind::File),
        "-d" => is(Kind::Dir),
        "-c" => is(Kind::Device),
        "-w" => is(Kind::Device) || facts.path(operand).is_ok_and(|path| facts.fs.is_writable(&path)),
        "-x" => meta().is_some_and(|meta| meta.is_dir() || meta.mode & 0o111 != 0),
        "-s" => meta().is_some_and(|meta| facts.has_bytes(operand, &meta)),
        "-u" => has_bit(0o4000),
        "-g" => has_bit(0o2000),
        "-k" => has_bit(0o1000),
        "-b" | "-h" | "-L" | "-p" | "-S" | "-N" => false,
        "-t" => operand.trim().parse().is_ok_and(facts.is_terminal),
        "-v" => facts.is_set(operand),
        "-R" => facts.session.vars.variable(operand).is_some_and(|variable| variable.attributes.nameref),
        "-o" => (facts.is_option)(operand),
        _ => return Err(format!("{operator}: unary operator expected")),
    })
}

/// Whether `operator` holds between two operands; the error is a message. Strings are compared by their bytes.
pub fn binary(facts: &Facts<'_>, left: &str, operator: &str, right: &str) -> Result<bool, String> {
    let time = |operand| facts.stat(operand).map(|meta| meta.time());
    Ok(match operator {
        "=" | "==" => left == right,
        "!=" => left != right,
        "<" => left < right,
        ">" => left > right,
        "-eq" => integer(left)? == integer(right)?,
        "-ne" => integer(left)? != integer(right)?,
        "-lt" => integer(left)? < integer(right)?,
        "-le" => integer(left)? <= integer(right)?,
        "-gt" => integer(left)? > integer(right)?,
        "-ge" => integer(left)? >= integer(right)?,
        // What does not exist is older than all that does.
        "-nt" => time(left) > time(right),
        "-ot" => time(left) < time(right),
        "-ef" => match (facts.path(left), facts.path(right)) {
            (Ok(left), Ok(right)) => left == right,
            _ => false,
        },
        _ => return Err(format!("{operator}: binary operator expected")),
    })
}

/// A whole number with blanks around it.
pub fn integer(text: &str) -> Result<i64, String> {
    text.trim_matches([' ', '\t', '\n']).parse().map_err(|_| format!("{text}: integer expression expected"))
}
