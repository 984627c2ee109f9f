//! Reading into variables. Every answer is bash 5.2's.
use crate::shell::testing::{TREE, check_all};

#[test]
fn fields() {
    check_all(
        TREE,
        &[
            (
                r#"read a b <<< "1 2 3 "; p "$a" "$b"; IFS=: read a b <<< "1:2:"; p "$a" "$b"; IFS=: read a b <<< "1:2::"; p "$a" "$b"; IFS=: read a <<< "x:y:"; p "$a"; read <<< "  x y  "; p "$REPLY"; read a b c <<< 1; p "$a" "$b" "$c"; IFS= read a <<< "  x  "; p "$a""#,
                "<1><2 3>\n<1><2>\n<1><2::>\n<x:y:>\n<  x y  >\n<1><><>\n<  x  >\n",
            ),
            (
                r#"read -r a <<< 'a\tb\'; p "$a"; read a <<< 'a\tb\ c\\d'; p "$a"; read a b <<< 'x\ y z'; p "$a" "$b"; printf 'a\\\nb\n' | { read x; p "$x"; }; read -a r <<< ' x y  z '; p "${r[@]}"; IFS=: read -a r <<< 'a::b:'; p "${r[@]}""#,
                "<a\\tb\\>\n<atb c\\d>\n<x y><z>\n<ab>\n<x><y><z>\n<a><><b>\n",
            ),
        ],
    );
}

#[test]
fn records_end_where_they_are_told() {
    check_all(
        TREE,
        &[
            (
                r#"read -n 3 a <<< abcdef; p $a; read -N 3 a <<< "a b c"; p "$a"; read -N 3 a b <<< "a bcd"; p "$a" "$b"; read -n 1 a <<< éa; p $a; read -d : a <<< x:y; p $a; printf 'a\0b\0' | { read -d '' x; read -d '' y; p $x $y; read -d '' z; echo $?; }; printf abc | { read a; echo $? $a; }; read a < /dev/null; echo $? "[$a]""#,
                "<abc>\n<a b>\n<a b><>\n<é>\n<x>\n<a><b>\n1\n1 abc\n1 []\n",
            ),
            (
                r#"exec 4<<< $'l1\nl2'; read -u 4 x; read -u4 y; p $x $y; printf '1\n2\n3\n' | { read a; while read b; do p $a $b; done; }; read -t 0 x <<< y; echo $?; read -t 1 x <<< y; echo $? $x"#,
                "<l1><l2>\n<1><2>\n<1><3>\n0\n0 y\n",
            ),
        ],
    );
}

#[test]
fn errors_are_those_of_bash() {
    check_all(
        TREE,
        &[(
            "read 1a <<< x; read -u 9 a; read -n x a; read -t -1 a; echo $?; read -Z; echo $?; read -a; echo $?",
            "1\n2\n2\ndocsh: line 1: read: `1a': not a valid identifier\ndocsh: line 1: read: 9: invalid file descriptor: Bad file descriptor\ndocsh: line 1: read: x: invalid number\ndocsh: line 1: read: -1: invalid timeout specification\ndocsh: line 1: read: -Z: invalid option\nread: usage: read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]\ndocsh: line 1: read: -a: option requires an argument\nread: usage: read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]\n",
        )],
    );
}

#[test]
fn mapfile_reads_lines() {
    check_all(
        TREE,
        &[
            (
                r#"mapfile -t a <<< $'1\n2\n3'; declare -p a; mapfile -n 1 -s 1 a <<< $'1\n2\n3'; declare -p a; mapfile -O 5 -t a <<< x; declare -p a; mapfile -t -d : a <<< a:b; declare -p a; readarray -t -d '' a < <(printf 'x\0y'); declare -p a; mapfile < /dev/null; declare -p MAPFILE; mapfile -t -c 1 -C 'echo cb' a <<< $'1\n2'"#,
                "declare -a a=([0]=\"1\" [1]=\"2\" [2]=\"3\")\ndeclare -a a=([0]=$'2\\n')\ndeclare -a a=([0]=$'2\\n' [5]=\"x\")\ndeclare -a a=([0]=\"a\" [1]=$'b\\n')\ndeclare -a a=([0]=\"x\" [1]=\"y\")\ndeclare -a MAPFILE=()\ncb 0 1\ncb 1 2\n",
            ),
            (
                "mapfile 1a; declare -A m; mapfile m <<< x; mapfile -n x; echo $?; mapfile -u 9 a; echo $?; mapfile -Z; echo $?",
                "1\n1\n2\ndocsh: line 1: mapfile: `1a': not a valid identifier\ndocsh: line 1: mapfile: m: not an indexed array\ndocsh: line 1: mapfile: x: invalid line count\ndocsh: line 1: mapfile: 9: invalid file descriptor: Bad file descriptor\ndocsh: line 1: mapfile: -Z: invalid option\nmapfile: usage: mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]\n",
            ),
        ],
    );
}

#[test]
fn getopts_reads_options() {
    check_all(
        TREE,
        &[
            (
                r#"f() { while getopts ab:c o "$@"; do echo "$o ${OPTARG-unset} $OPTIND"; done; echo "end $OPTIND"; OPTIND=1; }; f -a -b val -c x; f -abval -- z; f -ac; f; f -a - x; f -b; f -z; f -az"#,
                "a unset 2\nb val 4\nc unset 5\nend 5\na unset 1\nb val 2\nend 3\na unset 1\nc unset 2\nend 2\nend 1\na unset 2\nend 2\n? unset 2\nend 2\n? unset 2\nend 2\na unset 1\n? unset 2\nend 2\ndocsh: option requires an argument -- b\ndocsh: illegal option -- z\ndocsh: illegal option -- z\n",
            ),
            (
                r#"while getopts :ab: o -a -b; do echo "$o ${OPTARG-u}"; done; OPTIND=1; while getopts :a o -z -a; do echo "$o ${OPTARG-u}"; done; OPTERR=0; OPTIND=1; getopts a o -q; echo "$? $o"; getopts; getopts a 1x -a; echo $?; getopts -z v; echo $?"#,
                "a u\n: b\n? z\na u\n0 ?\n1\n2\ngetopts: usage: getopts optstring name [arg ...]\ndocsh: line 1: getopts: `1x': not a valid identifier\ndocsh: line 1: getopts: -z: invalid option\ngetopts: usage: getopts optstring name [arg ...]\n",
            ),
        ],
    );
}
