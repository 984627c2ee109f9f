//! The commands of docsh, over a read-only tree ([`Fs`]) and byte streams. Nothing here names a store, a runtime, a
//! parser or the host.
//!
//! To add a command: write `NAME.rs` with a `pub(crate) static NAME: Builtin` and its `run`, add its `mod` line and its
//! row in [`TOOLS`]. `run` reads its options with [`args::parse`], its operands with [`Call::each_input`] or
//! [`Call::open`], complains with [`Call::warn`], and answers a [`Status`]. `cat.rs` is the example to start from.
mod absent;
pub mod args;
mod call;
mod cancel;
mod candidates;
mod change;
mod checksum;
mod concatenation;
mod directive;
mod error;
mod escape;
mod extended;
mod fs;
pub mod glob;
mod in_order;
mod keyboard;
mod limits;
mod merge_sort;
pub mod mode;
mod moment;
mod nearest;
mod number;
pub mod pad;
mod path;
pub mod pattern;
pub mod quote;
mod quoting;
mod ranges;
mod records;
mod scan;
mod session;
mod size;
mod stream;
mod successive;
mod tabs;
#[cfg(test)]
mod testing;
mod usage;
pub mod version;
mod walk;
pub mod width;

mod awk;
mod basename;
mod basenc;
mod bc;
mod cal;
mod cat;
mod cd;
mod chmod;
mod chown;
mod cksum;
mod cmp;
mod column;
mod comm;
mod cp;
mod csplit;
mod cut;
mod date;
mod dd;
mod df;
mod diff;
mod dirname;
mod dirs;
mod du;
mod echo;
mod env;
mod expand;
mod expr;
mod factor;
mod fd;
mod file;
mod find;
mod fmt;
mod fold;
mod getconf;
mod grep;
mod gzip;
mod head;
mod hexdump;
mod iconv;
mod id;
mod install;
mod join;
mod jq;
mod less;
mod link;
mod ln;
mod look;
mod ls;
mod man;
mod md5sum;
mod mkdir;
mod mkfifo;
mod mknod;
mod mktemp;
mod mv;
mod nice;
mod nl;
mod numfmt;
mod od;
mod paste;
mod patch;
mod pathchk;
mod pr;
mod printenv;
mod printf;
mod pwd;
mod readlink;
mod realpath;
mod rev;
mod rg;
mod rm;
mod rmdir;
mod sdiff;
mod sed;
mod seq;
mod shred;
mod shuf;
mod sleep;
mod sort;
mod split;
mod stat;
mod strings;
mod sum;
mod sync;
mod tac;
mod tail;
mod tee;
pub mod test;
mod timeout;
mod touch;
mod tput;
mod tr;
mod tree;
mod r#true;
mod truncate;
mod tsort;
mod uname;
mod unexpand;
mod uniq;
mod unlink;
mod url;
mod wc;
mod xargs;
mod xxd;
mod yes;
mod yq;
mod zgrep;

pub use absent::absent;
pub use args::{Opt, Parsed, Takes};
pub use call::{Builtin, Call, Device, Run, Stdio, help, quoted, quoted_if_odd, resolve};
pub use cancel::{Cancel, Stop};
pub use change::create;
pub use error::{Error, Result, Status};
pub use fs::{
    About, Change, Entry, ErrorKind, Fs, FsError, FsResult, Kind, Meta, Needle, Needles, Opening, Volume, stat_each,
};
pub use glob::{Glob, GlobFlags};
pub use keyboard::{Key, Keyboard};
pub use limits::{Limits, Memory, Purse};
pub use moment::{Civil, Moment};
pub use nearest::nearest;
pub use path::VPath;
pub use quoting::{Quoting, curly};
pub use session::{Array, Assoc, Attributes, Readonly, Session, Value, Variable, Variables};
pub use size::Unit;
pub use stream::{Capture, Input, InputKind, Output, Sink, Stream, Terminal};
pub use usage::{Cost, Usage};

/// Every tool, sorted by name.
pub static TOOLS: &[&Builtin] = &[
    &test::BRACKET,
    &man::APROPOS,
    &uname::ARCH,
    &awk::AWK,
    &md5sum::B2SUM,
    &basenc::BASE32,
    &basenc::BASE64,
    &basename::BASENAME,
    &basenc::BASENC,
    &bc::BC,
    &cal::CAL,
    &cat::CAT,
    &cd::CD,
    &chown::CHGRP,
    &chmod::CHMOD,
    &chown::CHOWN,
    &cksum::CKSUM,
    &tput::CLEAR,
    &cmp::CMP,
    &column::COLUMN,
    &comm::COMM,
    &cp::CP,
    &csplit::CSPLIT,
    &cut::CUT,
    &date::DATE,
    &dd::DD,
    &df::DF,
    &diff::DIFF,
    &dirname::DIRNAME,
    &dirs::DIRS,
    &du::DU,
    &echo::ECHO,
    &grep::EGREP,
    &env::ENV,
    &expand::EXPAND,
    &expr::EXPR,
    &factor::FACTOR,
    &r#true::FALSE,
    &fd::FD,
    &fd::FDFIND,
    &grep::FGREP,
    &file::FILE,
    &find::FIND,
    &fmt::FMT,
    &fold::FOLD,
    &awk::GAWK,
    &getconf::GETCONF,
    &grep::GREP,
    &id::GROUPS,
    &gzip::GUNZIP,
    &gzip::GZIP,
    &hexdump::HD,
    &head::HEAD,
    &hexdump::HEXDUMP,
    &uname::HOSTNAME,
    &iconv::ICONV,
    &id::ID,
    &install::INSTALL,
    &join::JOIN,
    &jq::JQ,
    &less::LESS,
    &link::LINK,
    &ln::LN,
    &id::LOGNAME,
    &look::LOOK,
    &ls::LS,
    &man::MAN,
    &awk::MAWK,
    &md5sum::MD5SUM,
    &mkdir::MKDIR,
    &mkfifo::MKFIFO,
    &mknod::MKNOD,
    &mktemp::MKTEMP,
    &less::MORE,
    &mv::MV,
    &cal::NCAL,
    &nice::NICE,
    &nl::NL,
    &nice::NOHUP,
    &uname::NPROC,
    &numfmt::NUMFMT,
    &od::OD,
    &paste::PASTE,
    &patch::PATCH,
    &pathchk::PATHCHK,
    &dirs::POPD,
    &pr::PR,
    &printenv::PRINTENV,
    &printf::PRINTF,
    &dirs::PUSHD,
    &pwd::PWD,
    &readlink::READLINK,
    &realpath::REALPATH,
    &tput::RESET,
    &rev::REV,
    &rg::RG,
    &rm::RM,
    &rmdir::RMDIR,
    &sdiff::SDIFF,
    &sed::SED,
    &seq::SEQ,
    &md5sum::SHA1SUM,
    &md5sum::SHA224SUM,
    &md5sum::SHA256SUM,
    &md5sum::SHA384SUM,
    &md5sum::SHA512SUM,
    &shred::SHRED,
    &shuf::SHUF,
    &sleep::SLEEP,
    &sort::SORT,
    &split::SPLIT,
    &stat::STAT,
    &strings::STRINGS,
    &sum::SUM,
    &sync::SYNC,
    &tac::TAC,
    &tail::TAIL,
    &tee::TEE,
    &test::TEST,
    &nice::TIME,
    &timeout::TIMEOUT,
    &touch::TOUCH,
    &tput::TPUT,
    &tr::TR,
    &tree::TREE,
    &r#true::TRUE,
    &truncate::TRUNCATE,
    &tsort::TSORT,
    &uname::TTY,
    &uname::UNAME,
    &unexpand::UNEXPAND,
    &uniq::UNIQ,
    &unlink::UNLINK,
    &uname::UPTIME,
    &url::URL,
    &id::USERS,
    &wc::WC,
    &man::WHATIS,
    &id::WHO,
    &id::WHOAMI,
    &xargs::XARGS,
    &xxd::XXD,
    &yes::YES,
    &yq::YQ,
    &gzip::ZCAT,
    &zgrep::ZEGREP,
    &zgrep::ZFGREP,
    &zgrep::ZGREP,
];

/// The tool called `name`.
pub fn find(name: &str) -> Option<&'static Builtin> {
    TOOLS.binary_search_by(|tool| tool.name.cmp(name)).ok().map(|at| TOOLS[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names, sorted);
    }

    #[test]
    fn no_command_panics_on_words_beyond_ascii() {
        const WORDS: [&str; 9] = ["日", "-日", "-é1", "--é=日", "é=日", "+é", "-n é", "日,é-日", "-k日 x"];
        // These go on for ever, or for as long as the word says.
        for tool in TOOLS.iter().filter(|tool| !["yes", "sleep"].contains(&tool.name)) {
            for word in WORDS {
                for line in [format!("{} {word}", tool.name), format!("{} {word} 日 é", tool.name)] {
                    testing::run(&[("日", "é\n日本\n")], &line, "日 é\n".as_bytes());
                }
            }
        }
    }
}
