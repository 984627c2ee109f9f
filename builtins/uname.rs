//! `uname`, `arch`, `hostname`, `nproc`, `uptime`, `tty`: the virtual machine that the guest is on. Nothing is the
//! host's.
use crate::{
    Builtin, Call, Error, InputKind, Moment, Opt, Result, Status,
    args::{self, Order},
    curly,
};
use std::io::Write;

pub(crate) static UNAME: Builtin = Builtin {
    name: "uname",
    synopsis: "[OPTION]...",
    about: "Print certain system information. With no OPTION, same as -s.",
    options: &[
        Opt::flag('a', &["all"], "all", "print all information"),
        Opt::flag('s', &["kernel-name"], "s", "print the kernel name"),
        Opt::flag('n', &["nodename"], "n", "print the network node hostname"),
        Opt::flag('r', &["kernel-release"], "r", "print the kernel release"),
        Opt::flag('v', &["kernel-version"], "v", "print the kernel version"),
        Opt::flag('m', &["machine"], "m", "print the machine hardware name"),
        Opt::flag('p', &["processor"], "p", "print the processor type"),
        Opt::flag('i', &["hardware-platform"], "i", "print the hardware platform"),
        Opt::flag('o', &["operating-system"], "o", "print the operating system"),
    ],
    trouble: Status(1),
    run: uname,
};

pub(crate) static ARCH: Builtin = Builtin {
    name: "arch",
    synopsis: "",
    about: "Print machine architecture.",
    options: &[],
    trouble: Status(1),
    run: arch,
};

pub(crate) static HOSTNAME: Builtin = Builtin {
    name: "hostname",
    synopsis: "[OPTION]...",
    about: "Show the system's host name.",
    options: &[
        Opt::flag('a', &["alias"], "none", "alias names (there are none)"),
        Opt::flag('A', &["all-fqdns"], "none", "all long host names (there are none)"),
        Opt::flag('d', &["domain"], "domain", "DNS domain name (there is none)"),
        Opt::flag('f', &["fqdn", "long"], "ignored", "long host name (FQDN)"),
        Opt::flag('i', &["ip-address"], "address", "addresses for the host name"),
        Opt::flag('I', &["all-ip-addresses"], "none", "all addresses for the host (there are none)"),
        Opt::flag('s', &["short"], "ignored", "short host name"),
        Opt::flag('y', &["yp", "nis"], "nis", "NIS/YP domain name (there is none)"),
    ],
    trouble: Status(1),
    run: hostname,
};

pub(crate) static NPROC: Builtin = Builtin {
    name: "nproc",
    synopsis: "[OPTION]...",
    about: "Print the number of processing units available to the current process.",
    options: &[
        Opt::flag(' ', &["all"], "ignored", "print the number of installed processors").long_only(),
        Opt::value(' ', &["ignore"], "ignore", "N", "if possible, exclude N processing units").long_only(),
    ],
    trouble: Status(1),
    run: nproc,
};

pub(crate) static UPTIME: Builtin = Builtin {
    name: "uptime",
    synopsis: "[OPTION]...",
    about: "Tell how long the system has been running: only just.",
    options: &[
        Opt::flag('h', &[], args::HELP, "display this help"),
        Opt::flag('p', &["pretty"], "pretty", "show uptime in pretty format"),
        Opt::flag('V', &[], args::VERSION, "output version information"),
        Opt::flag('s', &["since"], "since", "system up since"),
    ],
    trouble: Status(1),
    run: uptime,
};

pub(crate) static TTY: Builtin = Builtin {
    name: "tty",
    synopsis: "[OPTION]...",
    about: "Print the file name of the terminal connected to standard input.",
    options: &[Opt::flag('s', &["silent", "quiet"], "silent", "print nothing, only return an exit status")],
    trouble: Status(2),
    run: tty,
};

pub(crate) const HOST: &str = "docsh";
const MACHINE: &str = "x86_64";

fn uname(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    no_operand(&parsed)?;
    let fields = [
        ("s", "Linux"),
        ("n", HOST),
        ("r", concat!(env!("CARGO_PKG_VERSION"), "-docsh")),
        ("v", "#1 read-only"),
        ("m", MACHINE),
        ("p", "unknown"),
        ("i", "unknown"),
        ("o", "GNU/Linux"),
    ];
    // What is not known is said only when it is asked for by its letter.
    let is_wanted = |key: &str, text: &str| {
        parsed.has(key) || (parsed.has("all") && text != "unknown") || (parsed.options.is_empty() && key == "s")
    };
    let shown: Vec<&str> = fields.iter().filter(|(key, text)| is_wanted(key, text)).map(|(_, text)| *text).collect();
    writeln!(call.stdout, "{}", shown.join(" "))?;
    Ok(Status::OK)
}

fn no_operand(parsed: &args::Parsed) -> Result<()> {
    match parsed.operands.first() {
        Some(extra) => Err(Error::usage(format!("extra operand {}", curly(extra)))),
        None => Ok(()),
    }
}

fn arch(call: &mut Call<'_>) -> Result<Status> {
    no_operand(&args::parse(call, Order::Anywhere)?)?;
    writeln!(call.stdout, "{MACHINE}")?;
    Ok(Status::OK)
}

fn hostname(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if !parsed.operands.is_empty() {
        return Err(Error::failed("you must be root to change the host name"));
    }
    // The last option wins.
    match parsed.options.last().map(|(key, _)| *key) {
        Some("none") => writeln!(call.stdout)?,
        Some("domain") => {}
        Some("address") => writeln!(call.stdout, "127.0.0.1")?,
        Some("nis") => return Err(Error::failed("Local domain name not set")),
        _ => writeln!(call.stdout, "{HOST}")?,
    }
    Ok(Status::OK)
}

fn nproc(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    no_operand(&parsed)?;
    if let Some(text) = parsed.value("ignore").filter(|text| text.parse::<u64>().is_err()) {
        return Err(Error::failed(format!("invalid number to ignore: {}", curly(text))));
    }
    writeln!(call.stdout, "1")?;
    Ok(Status::OK)
}

fn uptime(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let now = Moment::utc(call.now());
    if parsed.has("pretty") {
        writeln!(call.stdout, "up 0 minutes")?;
    } else if parsed.has("since") {
        writeln!(call.stdout, "{}", now.format("%F %T"))?;
    } else {
        let time = now.format("%T");
        writeln!(call.stdout, " {time} up 0 min,  0 users,  load average: 0.00, 0.00, 0.00")?;
    }
    Ok(Status::OK)
}

fn tty(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    no_operand(&parsed)?;
    let is_terminal =
        call.stdin.kind() == InputKind::Host && call.stdout.terminal().or(call.stderr.terminal()).is_some();
    if !parsed.has("silent") {
        writeln!(call.stdout, "{}", if is_terminal { "/dev/tty" } else { "not a tty" })?;
    }
    Ok(is_terminal.into())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_host_has_one_name_and_no_network() {
        let answer = |command: &str| {
            let (stdout, _, status) = crate::testing::run(&[], command, b"");
            (String::from_utf8_lossy(&stdout).into_owned(), status.0)
        };
        let all = ["-f", "-s", "-a", "-d", "-i", "-I", "-y"].map(|option| answer(&format!("hostname {option}")));
        let expected = [("docsh\n", 0), ("docsh\n", 0), ("\n", 0), ("", 0), ("127.0.0.1\n", 0), ("\n", 0), ("", 1)];
        assert_eq!(all, expected.map(|(text, status)| (text.to_string(), status)));
    }
}
