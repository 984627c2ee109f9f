//! `set` and `shopt`: what a shell may be told about itself.

macro_rules! options {
    ($(#[$doc:meta])* $type:ident { $($field:ident $name:literal $letter:literal $default:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $type { $(#[doc = concat!("`", $name, "`")] pub $field: bool,)* }

        impl Default for $type {
            fn default() -> $type {
                $type { $($field: $default,)* }
            }
        }

        impl $type {
            /// Every name and its letter (a space where it has none), sorted by name.
            pub const NAMES: &'static [(&'static str, char)] = &[$(($name, $letter),)*];

            /// The option called `name`.
            pub fn get(&self, name: &str) -> Option<bool> {
                match name { $($name => Some(self.$field),)* _ => None }
            }

            /// Turn the option called `name` on or off; `false` when there is none.
            pub fn set(&mut self, name: &str, on: bool) -> bool {
                match name { $($name => self.$field = on,)* _ => return false }
                true
            }
        }
    };
}

options! {
    /// The options of `set -o`.
    SetOptions {
        allexport "allexport" 'a' false;
        braceexpand "braceexpand" 'B' true;
        emacs "emacs" ' ' false;
        errexit "errexit" 'e' false;
        errtrace "errtrace" 'E' false;
        functrace "functrace" 'T' false;
        hashall "hashall" 'h' true;
        histexpand "histexpand" 'H' false;
        history "history" ' ' false;
        ignoreeof "ignoreeof" ' ' false;
        interactive_comments "interactive-comments" ' ' true;
        keyword "keyword" 'k' false;
        monitor "monitor" 'm' false;
        noclobber "noclobber" 'C' false;
        noexec "noexec" 'n' false;
        noglob "noglob" 'f' false;
        nolog "nolog" ' ' false;
        notify "notify" 'b' false;
        nounset "nounset" 'u' false;
        onecmd "onecmd" 't' false;
        physical "physical" 'P' false;
        pipefail "pipefail" ' ' false;
        posix "posix" ' ' false;
        privileged "privileged" 'p' false;
        verbose "verbose" 'v' false;
        vi "vi" ' ' false;
        xtrace "xtrace" 'x' false;
    }
}

options! {
    /// The options of `shopt`.
    ShoptOptions {
        autocd "autocd" ' ' false;
        cdspell "cdspell" ' ' false;
        checkhash "checkhash" ' ' false;
        dotglob "dotglob" ' ' false;
        execfail "execfail" ' ' false;
        expand_aliases "expand_aliases" ' ' false;
        extglob "extglob" ' ' false;
        extquote "extquote" ' ' true;
        failglob "failglob" ' ' false;
        globasciiranges "globasciiranges" ' ' true;
        globskipdots "globskipdots" ' ' true;
        globstar "globstar" ' ' false;
        gnu_errfmt "gnu_errfmt" ' ' false;
        huponexit "huponexit" ' ' false;
        inherit_errexit "inherit_errexit" ' ' false;
        interactive_comments "interactive_comments" ' ' true;
        lastpipe "lastpipe" ' ' false;
        localvar_inherit "localvar_inherit" ' ' false;
        localvar_unset "localvar_unset" ' ' false;
        login_shell "login_shell" ' ' false;
        nocaseglob "nocaseglob" ' ' false;
        nocasematch "nocasematch" ' ' false;
        nullglob "nullglob" ' ' false;
        patsub_replacement "patsub_replacement" ' ' true;
        promptvars "promptvars" ' ' true;
        restricted_shell "restricted_shell" ' ' false;
        shift_verbose "shift_verbose" ' ' false;
        sourcepath "sourcepath" ' ' true;
        varredir_close "varredir_close" ' ' false;
        xpg_echo "xpg_echo" ' ' false;
    }
}

/// All of a shell's options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `set -o`
    pub set: SetOptions,
    /// `shopt`
    pub shopt: ShoptOptions,
}

impl SetOptions {
    /// The option whose letter is `letter`.
    pub fn named(letter: char) -> Option<&'static str> {
        SetOptions::NAMES.iter().find(|(_, known)| *known == letter && letter != ' ').map(|(name, _)| *name)
    }

    /// `$-`, as bash orders it; `c` for a `-c` command line.
    pub fn letters(&self, command: bool) -> String {
        let mut letters: Vec<char> = SetOptions::NAMES
            .iter()
            .filter(|(name, letter)| *letter != ' ' && self.get(name) == Some(true))
            .map(|(_, letter)| *letter)
            .collect();
        letters.sort_by_key(|letter| (letter.is_uppercase(), *letter));
        let mut text: String = letters.into_iter().collect();
        if command {
            text.push('c');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_go_by_name_and_letter() {
        let mut options = SetOptions::default();
        assert_eq!(SetOptions::named('e'), Some("errexit"));
        assert!(options.set("errexit", true));
        assert!(!options.set("nosuch", true));
        assert_eq!(options.letters(true), "ehBc");
    }
}
