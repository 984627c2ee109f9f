//! `clear`, `reset` and `tput`: what a terminal is told to do, and what is known of it.
//!
//! All terminals are taken for the kind that understands ECMA-48's sequences, as `xterm-256color` does.
use crate::{
    Builtin, Call, Error, Opt, Result, Status, Terminal,
    args::{self, Order},
};
use std::io::Write;

pub(crate) static TPUT: Builtin = Builtin {
    name: "tput",
    synopsis: "[-T TYPE] CAPABILITY [PARAMETER]...",
    about: "Query the terminal, or make it do something.",
    options: &[
        Opt::value('T', &[], "type", "TYPE", "the terminal's type (they are all alike here)"),
        Opt::flag('S', &[], "stdin", "read several capabilities from standard input"),
        Opt::flag('V', &[], "version", "print the version"),
    ],
    trouble: Status(2),
    run: tput,
};

pub(crate) static CLEAR: Builtin = Builtin {
    name: "clear",
    synopsis: "[-x]",
    about: "Clear the terminal screen.",
    options: &[
        Opt::value('T', &[], "type", "TYPE", "the terminal's type (they are all alike here)"),
        Opt::flag('V', &[], "version", "print the version"),
        Opt::flag('x', &[], "keep", "do not clear what has scrolled away"),
    ],
    trouble: Status(1),
    run: clear,
};

pub(crate) static RESET: Builtin = Builtin {
    name: "reset",
    synopsis: "",
    about: "Set the terminal back to a sane state.",
    options: &[],
    trouble: Status(1),
    run: reset,
};

const CLEAR_SCREEN: &str = "\x1b[H\x1b[2J";
const CLEAR_SCROLLED: &str = "\x1b[3J";

fn clear(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.has("version") {
        return Err(Error::Version);
    }
    call.stdout.write_all(CLEAR_SCREEN.as_bytes())?;
    if !parsed.has("keep") {
        call.stdout.write_all(CLEAR_SCROLLED.as_bytes())?;
    }
    Ok(Status::OK)
}

fn reset(call: &mut Call<'_>) -> Result<Status> {
    args::parse(call, Order::Anywhere)?;
    // Only a terminal can be in a state.
    if call.stdout.terminal().is_some() {
        call.stdout.write_all(b"\x1bc\x1b[!p\x1b[?3;4l\x1b[4l\x1b>")?;
    }
    Ok(Status::OK)
}

fn tput(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::BeforeOperands)?;
    if parsed.has("version") {
        return Err(Error::Version);
    }
    if parsed.has("stdin") {
        let mut records = crate::records::Records::lines(false);
        let mut input = call.stdin.clone();
        let mut status = Status::OK;
        while let Some(line) = records.next_bare(&mut input, &mut call.memory)? {
            let line = String::from_utf8_lossy(line).into_owned();
            let words: Vec<&str> = line.split_whitespace().collect();
            if let [name, parameters @ ..] = &words[..] {
                let answer = show(call, name, parameters)?;
                if !answer.is_ok() {
                    status = answer;
                }
            }
        }
        return Ok(status);
    }
    let words: Vec<&str> = parsed.operands.iter().map(String::as_str).collect();
    match &words[..] {
        [] => Err(Error::usage("missing capability")),
        [name, parameters @ ..] => show(call, name, parameters),
    }
}

/// The status of a capability that the terminal does not have.
const UNKNOWN: Status = Status(4);

fn show(call: &mut Call<'_>, name: &str, parameters: &[&str]) -> Result<Status> {
    let terminal = [&call.stdout, &call.stderr].into_iter().find_map(|stream| stream.terminal());
    if let Some(number) = number(call, terminal, name) {
        writeln!(call.stdout, "{number}")?;
        return Ok(Status::OK);
    }
    // Flags answer by their status.
    if let "am" | "bce" | "km" | "xenl" | "mir" | "msgr" = name {
        return Ok(Status::OK);
    }
    if let "hs" | "eslok" | "hc" = name {
        return Ok(Status::FAILURE);
    }
    let parameter = |at: usize| parameters.get(at).and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
    let text = match name {
        "longname" => "xterm with 256 colors".to_string(),
        "setaf" | "setf" => colour(3, parameter(0)),
        "setab" | "setb" => colour(4, parameter(0)),
        "cup" => format!("\x1b[{};{}H", parameter(0) + 1, parameter(1) + 1),
        "hpa" => format!("\x1b[{}G", parameter(0) + 1),
        "vpa" => format!("\x1b[{}d", parameter(0) + 1),
        "cuu" | "cud" | "cuf" | "cub" => {
            let letter =
                ['A', 'B', 'C', 'D'][["cuu", "cud", "cuf", "cub"].iter().position(|n| *n == name).unwrap_or(0)];
            format!("\x1b[{}{letter}", parameter(0))
        }
        name => match SEQUENCES.iter().find(|(known, _)| *known == name) {
            Some((_, sequence)) => (*sequence).to_string(),
            None => {
                call.warn(format_args!("unknown terminfo capability '{name}'"))?;
                return Ok(UNKNOWN);
            }
        },
    };
    call.stdout.write_all(text.as_bytes())?;
    if name == "longname" {
        call.stdout.write_all(b"\n")?;
    }
    Ok(Status::OK)
}

/// A capability that is a number. Without a terminal it is what the guest's variables say, or the usual.
fn number(call: &Call<'_>, terminal: Option<Terminal>, name: &str) -> Option<u32> {
    let variable = |name: &str| call.session.var(name).and_then(|text| text.parse().ok());
    Some(match name {
        "cols" => terminal.map(|terminal| terminal.columns.into()).or_else(|| variable("COLUMNS")).unwrap_or(80),
        "lines" => terminal.map(|terminal| terminal.rows.into()).or_else(|| variable("LINES")).unwrap_or(24),
        "colors" => 256,
        "pairs" => 65536,
        "it" => 8,
        _ => return None,
    })
}

/// Set a colour: 8 plain ones, 8 bright ones, and those of the table.
fn colour(ground: u32, number: u32) -> String {
    match number {
        0..8 => format!("\x1b[{ground}{number}m"),
        8..16 => format!("\x1b[{}{}m", ground + 6, number - 8),
        number => format!("\x1b[{ground}8;5;{number}m"),
    }
}

const SEQUENCES: &[(&str, &str)] = &[
    ("bel", "\x07"),
    ("blink", "\x1b[5m"),
    ("bold", "\x1b[1m"),
    ("civis", "\x1b[?25l"),
    ("clear", "\x1b[H\x1b[2J\x1b[3J"),
    ("cnorm", "\x1b[?12l\x1b[?25h"),
    ("cr", "\r"),
    ("cub1", "\x08"),
    ("cud1", "\n"),
    ("cuf1", "\x1b[C"),
    ("cuu1", "\x1b[A"),
    ("cvvis", "\x1b[?12;25h"),
    ("dim", "\x1b[2m"),
    ("ed", "\x1b[J"),
    ("el", "\x1b[K"),
    ("el1", "\x1b[1K"),
    ("home", "\x1b[H"),
    ("invis", "\x1b[8m"),
    ("op", "\x1b[39;49m"),
    ("rc", "\x1b8"),
    ("rev", "\x1b[7m"),
    ("ritm", "\x1b[23m"),
    ("rmcup", "\x1b[?1049l\x1b[23;0;0t"),
    ("rmso", "\x1b[27m"),
    ("rmul", "\x1b[24m"),
    ("sc", "\x1b7"),
    ("sgr0", "\x1b(B\x1b[m"),
    ("sitm", "\x1b[3m"),
    ("smcup", "\x1b[?1049h\x1b[22;0;0t"),
    ("smso", "\x1b[7m"),
    ("smul", "\x1b[4m"),
    ("smxx", "\x1b[9m"),
];

#[cfg(test)]
mod tests {
    use crate::testing::{check, run};
    use expect_test::expect;

    #[test]
    fn numbers_are_those_of_the_usual_terminal() {
        check(
            &[],
            "tput cols",
            expect![["
            80
        "]],
        );
        check(
            &[],
            "tput colors",
            expect![["
            256
        "]],
        );
    }

    #[test]
    fn sequences_are_those_of_ecma_48() {
        let bytes = |command: &str| String::from_utf8(run(&[], command, b"").0).unwrap();
        assert_eq!(bytes("tput bold"), "\x1b[1m");
        assert_eq!(bytes("tput setaf 1"), "\x1b[31m");
        assert_eq!(bytes("tput setab 9"), "\x1b[101m");
        assert_eq!(bytes("tput cup 2 3"), "\x1b[3;4H");
        assert_eq!(bytes("clear"), "\x1b[H\x1b[2J\x1b[3J");
        assert_eq!(bytes("reset"), "");
    }

    #[test]
    fn what_is_not_known_is_said() {
        check(
            &[],
            "tput nosuch",
            expect![[r#"
                [stderr]
                tput: unknown terminfo capability 'nosuch'
                [status 4]
            "#]],
        );
    }
}
