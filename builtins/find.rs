//! `find`: every file below some folders that an expression holds for.
//!
//! Folders are walked in the order of their names' bytes. Nothing is asked of the store but the sizes of pages that the
//! tree does not know, and only when a test or a format needs them.
mod age;
mod command;
mod exec;
mod expression;
mod format;
mod parse;
mod predicate;
mod walk;

use crate::{Builtin, Call, Result, Status};

pub(crate) static FIND: Builtin = Builtin {
    name: "find",
    synopsis: "[-H] [-L] [-P] [-Olevel] [-D debugopts] [path...] [expression]",
    about: "Walk folders and print what matches. Default path is the current directory; default expression is -print.\n\
            Operators: ( EXPR ) ! EXPR -not EXPR EXPR -a EXPR EXPR -o EXPR EXPR , EXPR\n\
            Positional options: -daystart -follow -regextype TYPE\n\
            Options: -depth -maxdepth LEVELS -mindepth LEVELS -mount -xdev -files0-from FILE\n\
            Tests: -amin N -anewer FILE -atime N -cmin N -cnewer FILE -ctime N -empty -executable -false -fstype TYPE\n\
            -gid N -group NAME -iname PATTERN -inum N -ipath PATTERN -iregex PATTERN -links N -mmin N -mtime N\n\
            -name PATTERN -newer FILE -newerXY REFERENCE -nogroup -nouser -path PATTERN -perm [-/]MODE -readable\n\
            -regex PATTERN -samefile FILE -size N[bcwkMG] -true -type [dfbcpls],... -uid N -used N -user NAME\n\
            -wholename PATTERN -writable -xtype [dfbcpls]\n\
            Actions: -delete -exec COMMAND ; -exec COMMAND {} + -execdir COMMAND ; -fls FILE -fprint FILE\n\
            -fprint0 FILE -fprintf FILE FORMAT -ls -ok COMMAND ; -okdir COMMAND ; -print -print0 -printf FORMAT\n\
            -prune -quit",
    options: &[],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let command = command::read(call)?;
    walk::Walk::new(call, command).run()
}

#[cfg(test)]
mod tests;
