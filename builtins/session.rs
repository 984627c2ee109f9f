//! What a command line may change and a subshell may not: a clone of a [`Session`] is a subshell.
mod array;
mod variables;

pub use array::{Array, Assoc};
pub use variables::{Attributes, Readonly, Value, Variable, Variables};

use crate::VPath;

/// The state of one shell, as far as commands see it.
#[derive(Clone, Debug)]
pub struct Session {
    /// The working directory.
    pub cwd: VPath,
    /// Variables, with the scopes of running functions.
    pub vars: Variables,
    /// `$1`, `$2`, …
    pub positional: Vec<String>,
    /// `$0`.
    pub name: String,
    /// `$?`.
    pub status: u8,
    /// The folders of `pushd`, nearest first, without the working directory.
    pub dirs: Vec<VPath>,
    /// The file mode mask of `umask`.
    pub umask: u16,
}

impl Session {
    /// A fresh session in the root folder, with the guest's virtual environment: nothing of it is the host's.
    pub fn new() -> Session {
        let mut vars = Variables::default();
        for (name, value) in
            [("HOME", "/"), ("PATH", "/usr/bin:/bin"), ("LC_ALL", "C.UTF-8"), ("PWD", "/"), ("SHLVL", "1")]
        {
            vars.export(name, value);
        }
        Session { vars, ..Session::empty() }
    }

    fn empty() -> Session {
        Session {
            cwd: VPath::root(),
            vars: Variables::default(),
            positional: Vec::new(),
            name: "docsh".to_string(),
            status: 0,
            dirs: Vec::new(),
            umask: 0o022,
        }
    }

    /// What a program that is started from here is given: the folder, the environment and the mask. The shell's own
    /// variables, which may be large, stay here.
    pub fn of_child(&self) -> Session {
        let vars = self.vars.exported();
        Session { cwd: self.cwd.clone(), vars, umask: self.umask, name: self.name.clone(), ..Session::empty() }
    }

    /// The value of a variable, as `$name` expands (an array's element 0); `None` when it is unset.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name)
    }

    /// The value of an exported variable, as a command's `getenv` sees it.
    pub fn env(&self, name: &str) -> Option<&str> {
        let variable = self.vars.variable(name)?;
        variable.scalar().filter(|_| variable.attributes.exported)
    }
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}
