//! Splitting, braces, tildes, globs and quotes. Every answer is bash 5.2's.
use crate::shell::testing::{TREE, check_all};

#[test]
fn unquoted_expansions_are_split() {
    check_all(
        TREE,
        &[
            (r#"x=" a  b "; p $x "$x" 1$x"2" -$x- $x$x"#, "<a><b>< a  b ><1><a><b><2><-><a><b><-><a><b><a><b>\n"),
            (
                r#"set -- a "" b; IFS=:; p $*; p $@; p "$*"; p "$@"; x=$*; p "$x"; x=$@; p "$x""#,
                "<a><><b>\n<a><><b>\n<a::b>\n<a><><b>\n<a::b>\n<a  b>\n",
            ),
            (r#"set -- a "" b; IFS=; p $*; p "$*"; p $@"#, "<a><b>\n<ab>\n<a><b>\n"),
            (
                r#"IFS=" :"; y="a : b"; p $y; y=" :a"; p $y; y="a::b "; p $y; y="a:"; p $y; p $y""; p $y"q"; p "q"$y"#,
                "<a><b>\n<><a>\n<a><><b>\n<a>\n<a><>\n<a><q>\n<qa>\n",
            ),
            (
                r#"IFS=x; a=axbxxc; p $a "$a" $(echo 1x2); IFS=2; p $((123)) 1x2"#,
                "<a><b><><c><axbxxc><1><2>\n<1><3><1x2>\n",
            ),
            (r#"IFS=$'\n'; x=$'a b\n\nc\n'; p $x"#, "<a b><c>\n"),
            (
                r#"set --; p "$@"; p "$@"''; p "$@$@" "$@$x" ""$@ x"$@" " $@" "${a[@]}" "${a[@]}$x""#,
                "<>\n<>\n<><x>< >\n",
            ),
            (r#"set --; p "${@:-}" "${@:-x}" "${x:-$@}" "${x:-}" ${x:-""} ""${x} $x "${a[@]+s}""#, "<><x><><><><>\n"),
            (
                r#"set -- "a b" c; p x"$@"y "x $@ y" $@ "${*}"; IFS=,; p "$*" "${*:1}" ${u:-$*} "${u:-a $@ b}""#,
                "<xa b><cy><x a b><c y><a><b><c><a b c>\n<a b,c><a b,c><a b><c><a a b><c b>\n",
            ),
            (
                r#"p ${u:-a b "c d" e'f g'}; p "${u:-a b "c d" e'f g'}"; p ${u:-*1} "${u:-*1}" ${u:-"*1"}"#,
                "<a><b><c d><ef g>\n<a b c d e'f g'>\n<f1><*1><*1>\n",
            ),
            (
                r#"p a$u"b" $u"" "$u" $u ""; p "a"'b'\c$'d\n' "\$x \"q\" \\ \z \`" 'a\b' a\ b"#,
                "<ab><><><>\n<abcd\n><$x \"q\" \\ \\z `><a\\b><a b>\n",
            ),
            (
                r#"p $(echo a b) "$(echo a b)" `echo c d` "$(printf 'x\n\n')" "a$(echo)b" "$(echo "a $(echo "b c")")""#,
                "<a><b><a b><c><d><x><ab><a b c>\n",
            ),
            (
                r#"printf 'a\0b' > /dev/null; x=$(printf 'a\0b\n\n'); echo "$x""#,
                "ab\ndocsh: line 1: warning: command substitution: ignored null byte in input\n",
            ),
        ],
    );
}

#[test]
fn braces_make_words() {
    check_all(
        TREE,
        &[
            (
                "p {a,b}{1..3} x{,y}z {a,b,} {a,{b,c}d}e {1..3}{a..b} {01..03} {a..e..2} {3..1} {-1..1} {10..1..-4}",
                "<a1><a2><a3><b1><b2><b3><xz><xyz><a><b><ae><bde><cde><1a><1b><2a><2b><3a><3b><01><02><03><a><c><e><3><2><1><-1><0><1><10><6><2>\n",
            ),
            (
                r#"p {} {a} {a,b {1..x} {a..bb} a{b}c{d,e} {{a,b} {a,b}} "{a,b}" {a","b} {a\,b,c} {a,"b c",d}"#,
                "<{}><{a}><{a,b><{1..x}><{a..bb}><a{b}cd><a{b}ce><{a><{b><a}><b}><{a,b}><{a,b}><a,b><c><a><b c><d>\n",
            ),
            (
                r#"x=1; p ${x}{a,b} {$x,2} {a..c}$x {"$x",'*'}; set +B; p {a,b}"#,
                "<1a><1b><1><2><a1><b1><c1><1><*>\n<{a,b}>\n",
            ),
            ("declare v={a,b}; w={a,b}; echo $v $w", "b {a,b}\n"),
        ],
    );
}

#[test]
fn tildes_are_folders() {
    check_all(
        TREE,
        &[(
            r#"HOME=/h; p ~ ~/x x=~ x=a:~/b --a=~ ~:~ "~" \~ ~"a" ~nosuch a~; y=~/q:~; p $y ${u:-~/z} "${u:-~}""#,
            "</h></h/x><x=/h><x=a:/h/b><--a=~></h:~><~><~><~a><~nosuch><a~>\n</h/q:/h></h/z><~>\n",
        )],
    );
}

#[test]
fn globs_ask_the_tree() {
    check_all(
        TREE,
        &[
            (
                r#"p * .* */ a/* a/? [[:alpha:]]* [!a-d]* d/* nosuch* *\ * "sp"* *'ace'* ./*1 -* '[x]' \[x] [[]*"#,
                "<-dash><[x]><a><d><f1><index.md><sp ace.md><.h><a/><d/><a/b><a/f><a/b><a/f><a><d><f1><index.md><sp ace.md><-dash><[x]><f1><index.md><sp ace.md><d/*><nosuch*><sp ace.md><sp ace.md><sp ace.md><./f1><-dash><[x]><[x]><[x]>\n",
            ),
            (
                "p a//* a/./* a/b/../* f1/* a/*/c/ */f/ f1/ a/b/*/h a*/b [a/b]* a/[b/]c",
                "<a//b><a//f><a/./b><a/./f><a/b/../b><a/b/../f><f1/*><a/b/c/><*/f/><f1/><a/b/c/h><a/b><[a/b]*><a/[b/]c>\n",
            ),
            (
                r#"x='*1'; p $x "$x"; x='\*1'; p $x; x='f\1'; p $x; x='*\1'; p $x; set -f; p *"#,
                "<f1><*1>\n<\\*1>\n<f\\1>\n<f1>\n<*>\n",
            ),
            (
                "shopt -s globstar; p ** a/** **/ a/**/ **/g **/b/** **/** */** ./** **/. f1/** **/.* d/** a** **b",
                "<-dash><[x]><a><a/b><a/b/c><a/b/c/h><a/b/g><a/f><d><f1><index.md><sp ace.md><a/><a/b><a/b/c><a/b/c/h><a/b/g><a/f><a/><a/b/><a/b/c/><d/><a/><a/b/><a/b/c/><a/b/g><a/b><a/b/c><a/b/c/h><a/b/g><-dash><[x]><a><a/b><a/b/c><a/b/c/h><a/b/g><a/f><d><f1><index.md><sp ace.md><a><a/b><a/b/c><a/b/c/h><a/b/g><a/f><d><./><./-dash><./[x]><./a><./a/b><./a/b/c><./a/b/c/h><./a/b/g><./a/f><./d><./f1><./index.md><./sp ace.md><.><a/.><a/b/.><a/b/c/.><d/.><f1/**><.h><a/b/.q><d/.hid><d/><a><**b>\n",
            ),
            (
                r#"shopt -s dotglob; p * d/*; shopt -u dotglob; GLOBIGNORE="a*:f1"; p *; GLOBIGNORE="*"; p *"#,
                "<-dash><.h><[x]><a><d><f1><index.md><sp ace.md><d/.hid>\n<-dash><.h><[x]><d><index.md><sp ace.md>\n<*>\n",
            ),
            (
                "shopt -s nocaseglob; p F* A/*; shopt -s nullglob; p x* [ [] a; shopt -s failglob; p x*; echo no",
                "<f1><A/*>\n<[><a>\ndocsh: line 1: no match: x*\n[1]\n",
            ),
            ("shopt -s extglob; x='@(a|d)'; p $x; shopt -u extglob; p $x", "<a><d>\n<@(a|d)>\n"),
        ],
    );
}

#[test]
fn braces_come_before_parameters() {
    check_all(
        TREE,
        &[
            ("x=a x1=b; echo $x{1,2} ${x}{1,2} \"$x\"{1,2}", "b a1 a2 a1 a2\n"),
            ("echo ${#^}", "docsh: line 1: ${#^}: bad substitution\n[1]\n"),
            ("a=(''); p \"${a[@]:+x}\"", "<>\n"),
            ("p='\\D{%%-%Y}'; x=${p@P}; echo ${x%[0-9][0-9]}", "%-20\n"),
            ("shopt -s nocasematch; x=ABab; echo ${x//b/-}", "A-a-\n"),
        ],
    );
}
