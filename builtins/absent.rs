//! Programs that people try in a shell and that docsh leaves out on purpose, with what to do instead. The shell says so
//! where it would say `command not found`; the status stays 127, and `command -v` does not find them.

const NETWORK: &str = "there is no network; every page of the site is a file: ls, cat, grep -r";
const EDITOR: &str = "the site is read-only; cat, less or sed -n 'A,Bp' show a page";
const LANGUAGE: &str = "no programs run here; awk, sed, jq and the shell itself do the work on text";
const INSTALL: &str = "nothing can be installed; help lists the commands there are";
const VERSIONS: &str = "the site is no repository; diff compares pages, ls -lt tells what changed last";
const SYSTEM: &str = "there are no processes and no system to look after; help lists the commands there are";
const BUILD: &str = "nothing can be built; the shell can source a script of the site";
const ROOT: &str = "there is nothing to be allowed: run the command itself";
const ARCHIVE: &str = "the site holds no archives and cannot be written to";
const COMPRESSION: &str = "only gzip's form is read here: zcat, gunzip -c, zgrep";
const MULTIPLEXER: &str = "there is one terminal; run the commands one after the other";

/// Sorted by name.
const TABLE: &[(&str, &str)] = &[
    ("apk", INSTALL),
    ("apt", INSTALL),
    ("apt-get", INSTALL),
    ("aptitude", INSTALL),
    ("aria2c", NETWORK),
    ("brew", INSTALL),
    ("bun", LANGUAGE),
    ("bunzip2", COMPRESSION),
    ("bzcat", COMPRESSION),
    ("bzgrep", COMPRESSION),
    ("bzip2", COMPRESSION),
    ("cargo", BUILD),
    ("cc", BUILD),
    ("clang", BUILD),
    ("cmake", BUILD),
    ("code", EDITOR),
    ("conda", INSTALL),
    ("crontab", SYSTEM),
    ("curl", NETWORK),
    ("deno", LANGUAGE),
    ("dig", NETWORK),
    ("dmesg", SYSTEM),
    ("dnf", INSTALL),
    ("docker", SYSTEM),
    ("dpkg", INSTALL),
    ("ed", EDITOR),
    ("emacs", EDITOR),
    ("ftp", NETWORK),
    ("g++", BUILD),
    ("gcc", BUILD),
    ("gem", INSTALL),
    ("gh", VERSIONS),
    ("git", VERSIONS),
    ("go", BUILD),
    ("helix", EDITOR),
    ("hg", VERSIONS),
    ("host", NETWORK),
    ("htop", SYSTEM),
    ("http", NETWORK),
    ("ifconfig", NETWORK),
    ("ip", NETWORK),
    ("java", LANGUAGE),
    ("journalctl", SYSTEM),
    ("killall", SYSTEM),
    ("kubectl", SYSTEM),
    ("lsblk", SYSTEM),
    ("lsof", SYSTEM),
    ("lua", LANGUAGE),
    ("lz4cat", COMPRESSION),
    ("make", BUILD),
    ("mount", SYSTEM),
    ("mvn", BUILD),
    ("nano", EDITOR),
    ("nc", NETWORK),
    ("netcat", NETWORK),
    ("netstat", NETWORK),
    ("ninja", BUILD),
    ("node", LANGUAGE),
    ("npm", INSTALL),
    ("npx", INSTALL),
    ("nslookup", NETWORK),
    ("nvim", EDITOR),
    ("pacman", INSTALL),
    ("passwd", ROOT),
    ("perl", LANGUAGE),
    ("pgrep", SYSTEM),
    ("php", LANGUAGE),
    ("pico", EDITOR),
    ("ping", NETWORK),
    ("pip", INSTALL),
    ("pip3", INSTALL),
    ("pipx", INSTALL),
    ("pkill", SYSTEM),
    ("pnpm", INSTALL),
    ("podman", SYSTEM),
    ("poetry", INSTALL),
    ("ps", SYSTEM),
    ("pstree", SYSTEM),
    ("python", LANGUAGE),
    ("python2", LANGUAGE),
    ("python3", LANGUAGE),
    ("reboot", SYSTEM),
    ("rsync", NETWORK),
    ("ruby", LANGUAGE),
    ("rustc", BUILD),
    ("scp", NETWORK),
    ("screen", MULTIPLEXER),
    ("service", SYSTEM),
    ("sftp", NETWORK),
    ("shutdown", SYSTEM),
    ("snap", INSTALL),
    ("ss", NETWORK),
    ("ssh", NETWORK),
    ("strace", SYSTEM),
    ("su", ROOT),
    ("sudo", ROOT),
    ("svn", VERSIONS),
    ("systemctl", SYSTEM),
    ("tar", ARCHIVE),
    ("telnet", NETWORK),
    ("tmux", MULTIPLEXER),
    ("top", SYSTEM),
    ("traceroute", NETWORK),
    ("umount", SYSTEM),
    ("unxz", COMPRESSION),
    ("unzip", ARCHIVE),
    ("unzstd", COMPRESSION),
    ("uv", INSTALL),
    ("vi", EDITOR),
    ("view", EDITOR),
    ("vim", EDITOR),
    ("wget", NETWORK),
    ("xz", COMPRESSION),
    ("xzcat", COMPRESSION),
    ("xzgrep", COMPRESSION),
    ("yarn", INSTALL),
    ("yum", INSTALL),
    ("zip", ARCHIVE),
    ("zstd", COMPRESSION),
    ("zstdcat", COMPRESSION),
    ("zstdgrep", COMPRESSION),
];

/// Why docsh has no program called `name`, and what to do instead; `None` for a name it does not know.
pub fn absent(name: &str) -> Option<&'static str> {
    let name = name.rsplit('/').next().unwrap_or(name);
    TABLE.binary_search_by(|(known, _)| (*known).cmp(name)).ok().map(|at| TABLE[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_names_no_tool() {
        assert!(TABLE.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(TABLE.iter().find(|(name, _)| crate::find(name).is_some()), None);
        assert!(absent("curl").is_some() && absent("/usr/bin/python3").is_some() && absent("ls").is_none());
    }
}
