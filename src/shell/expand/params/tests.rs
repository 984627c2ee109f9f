//! Parameters and their operators. Every answer is bash 5.2's.
use crate::shell::testing::{TREE, check_all};

#[test]
fn defaults() {
    check_all(
        TREE,
        &[
            (
                r#"p ${u-d} ${u:-d} ${u+s} ${u:+s}; e=; p "${e-d}" "${e:-d}" "${e+s}" "${e:+s}"; x=1; p ${x-d} ${x:+s} ${x:+"a b"} ${x+a b}"#,
                "<d><d>\n<><d><s><>\n<1><s><a b><a><b>\n",
            ),
            (
                r#"p ${v:=a b}; p "$v"; p "${w:="c d"}" ${w=z}; a=(); p "${a[@]-u}" "${a[@]+s}" "${a[@]:-d}"; a=(""); p "${a[@]-u}" "${a[@]:-d}"; p ${b[2]:=q} ${!b[@]}"#,
                "<a><b>\n<a b>\n<c d><c><d>\n<u><d>\n<><d>\n<q><2>\n",
            ),
            ("echo ${x:?msg}; echo no", "docsh: line 1: x: msg\n[127]\n"),
            ("echo ${x?}; echo no", "docsh: line 1: x: parameter not set\n[127]\n"),
            ("a=(1); echo ${a[3]:?foo}", "docsh: line 1: a[3]: foo\n[127]\n"),
            ("(echo ${x:?}); echo $?", "1\ndocsh: line 1: x: parameter null or not set\n"),
            ("echo ${1:=a}; echo no", "docsh: line 1: $1: cannot assign in this way\n[1]\n"),
            ("readonly x=; echo ${x:=3}; echo no", "docsh: line 1: x: readonly variable\n[1]\n"),
        ],
    );
}

#[test]
fn ends_are_trimmed() {
    check_all(
        TREE,
        &[
            (
                r#"x=/a/b/c.tar.gz; p ${x##*/} ${x%/*} ${x%%.*} ${x#*.} ${x#"*."} ${x%$u} ${x#/a} ${x%.gz} ${x%nosuch}"#,
                "<c.tar.gz></a/b></a/b/c><tar.gz></a/b/c.tar.gz></a/b/c.tar.gz></b/c.tar.gz></a/b/c.tar></a/b/c.tar.gz>\n",
            ),
            (
                r#"x='a*b?c[d]'; p "${x#a\*}" "${x%"[d]"}" "${x%[d]}"; p=*; p "${x#$p}" "${x##$p}" "${x#"$p"}"; a=(aa ab); p "${a[@]#a}" "${a[*]%b}""#,
                "<b?c[d]><a*b?c><a*b?c[d]>\n<a*b?c[d]><><a*b?c[d]>\n<a><b><aa a>\n",
            ),
            (
                r#"set -- one two; p "${@#o}" "${*%o}" "${1#*n}"; x=日本語; p ${x#日} ${x%語} ${x#?} ${x%?}"#,
                "<ne><two><one tw><e>\n<本語><日本><本語><日本>\n",
            ),
        ],
    );
}

#[test]
fn matches_are_replaced() {
    check_all(
        TREE,
        &[
            (
                "x=banana; p ${x/a/A} ${x//a/A} ${x/#b/B} ${x/%a/A} ${x//n} ${x/#/_} ${x/%/_} ${x//} ${x//?/.} ${x/a*/Z} ${x/nosuch/y}",
                "<bAnana><bAnAnA><Banana><bananA><baaa><_banana><banana_><banana><......><bZ><banana>\n",
            ),
            (
                r#"x=a/b/c; p ${x//\//:} ${x/\/} "${x//[\/]/-}"; s=/; p ${x//$s/-} "${x//"$s"/-}"; e=; p ${e/#/x} ${e//*/y} ${e/a/b}."#,
                "<a:b:c><ab/c><a-b-c>\n<a-b-c><a-b-c>\n<x><y><.>\n",
            ),
            (
                r#"x=aXbXc; p ${x//X/[&]} ${x//X/"&"} ${x//X/\&} "${x//X/\\&}" "${x/X/'&'}"; y="[&]"; p ${x//X/$y} ${x//X/"$y"}; z='\&'; p ${x//X/$z} "${x/X/"$z"}"; shopt -u patsub_replacement; p ${x/X/[&]} ${x/X/$z}"#,
                "<a[X]b[X]c><a&b&c><a&b&c><a\\Xb\\Xc><a&bXc>\n<a[X]b[X]c><a[&]b[&]c>\n<a&b&c><a\\&bXc>\n<a[&]bXc><a\\&bXc>\n",
            ),
            (
                r#"a=(xa xb); p "${a[@]/x/y}" "${a[@]/#x}" "${a[*]/%b/B}"; shopt -s nocasematch; x=ABC; p ${x/b/-} ${x#a}"#,
                "<ya><yb><a><b><xa xB>\n<A-C><ABC>\n",
            ),
        ],
    );
}

#[test]
fn letters_change_case() {
    check_all(
        TREE,
        &[(
            r#"x=éa; p ${x^} ${x^^} ${x^^[a]}; y=ÀB; p ${y,} ${y,,} ${y~} ${y~~} ${y,,[B]}; a=(ab cd); p "${a[@]^}"; z=ß; p ${z^^}"#,
            "<Éa><ÉA><éA>\n<àB><àb><àB><àb><Àb>\n<Ab><Cd>\n<ß>\n",
        )],
    );
}

#[test]
fn slices() {
    check_all(
        TREE,
        &[
            (
                r#"x=abcdef; p ${x:2} ${x:1:2} ${x: -2} ${x:1:-1} "${x:10}" "${x:6}" ${x:(-3):2} "${x::2}" "${x:2:}" ${x: -3:-1} "${x: -9}"; i=1; p ${x:i:i+1} ${x:$i}"#,
                "<cdef><bc><ef><bcde><><><de><ab><><de><>\n<bc><bcdef>\n",
            ),
            (
                r#"set -- a b c; p "${@:2}" "${@:1:2}" "${@: -1}" "${@:5}" "${@:3:0}" "${*:2}"; a=(1 2 3); a[10]=x; p "${a[@]:3}" "${a[@]:4:1}" "${a[@]: -2}" "${a[@]: -11:1}" "${a[@]: -12:2}" "${a[@]:1:1}""#,
                "<b><c><a><b><c><b c>\n<x><x><x><1><2>\n",
            ),
            ("x=abc; echo ${x:0:-5}; echo no", "docsh: line 1: -5: substring expression < 0\n[1]\n"),
            ("a=(1); echo ${a[@]:0:-1}; echo no", "docsh: line 1: -1: substring expression < 0\n[1]\n"),
            ("x=abc; echo ${x:1/0}; echo no", "docsh: line 1: x: 1/0: division by 0 (error token is \"0\")\n[1]\n"),
        ],
    );
}

#[test]
fn lengths_keys_and_names() {
    check_all(
        TREE,
        &[(
            r#"x=日本語é; a=([2]=ab [5]=c); p ${#x} ${#a} ${#a[2]} ${#a[@]} "${!a[@]}" ${#u} ${#}; set -- q w; p ${#} ${#@} ${#1} ${#*}; _q1=1; _q2=; p "${!_q@}" "${!_q*}"; s=x; p ${!s[@]} ${#s[@]}"#,
            "<4><0><2><2><2><5><0><0>\n<2><2><1><2>\n<_q1><_q2><_q1 _q2>\n<0><1>\n",
        )],
    );
}

#[test]
fn indirection_and_namerefs() {
    check_all(
        TREE,
        &[
            (
                r#"x=foo; y=x; p ${!y} ${!y^} ${!y:1} ${#y}; a=(1 2 3); r=a[1]; p ${!r}; r=a[@]; p "${!r}"; set -- q w; n=2; p ${!n} ${!#}; n=@; p "${!n}""#,
                "<foo><Foo><oo><1>\n<2>\n<1><2><3>\n<w><w>\n<q><w>\n",
            ),
            ("echo ${!u}; echo no", "docsh: line 1: u: invalid indirect expansion\n[1]\n"),
            (r#"y="a b"; echo ${!y}; echo no"#, "docsh: line 1: a b: invalid variable name\n[1]\n"),
            (
                r#"a=(1 2); declare -n q=a; p $q ${q[1]} ${!q} ${#q[@]} "${q[@]}"; q[5]=z; p "${a[@]}"; declare -n w=a[1]; p $w; w=5; p "${a[@]}""#,
                "<1><2><a><2><1><2>\n<1><2><z>\n<2>\n<1><5><z>\n",
            ),
            (r#"declare -n a=b b=a; echo "[$a]""#, "[]\ndocsh: line 1: warning: a: circular name reference\n"),
        ],
    );
}

#[test]
fn transformations() {
    check_all(
        TREE,
        &[
            (
                r#"x="a b'c"; p "${x@Q}" "${x@A}" "${x@U}" "${x@u}" "${x@L}"; y=$'a\nb\t\001é'; p "${y@Q}"; z='a\tb\x41\u00e9\q'; p "${z@E}"; declare -ix n=3; p ${n@a} "${n@A}"; e=; p "${e@Q}" ${u@Q} "${u@a}""#,
                "<'a b'\\''c'><x='a b'\\''c'><A B'C><A b'c><a b'c>\n<$'a\\nb\\t\\001é'>\n<a\tbAé\\q>\n<ix><declare -ix n='3'>\n<''><>\n",
            ),
            (
                r#"a=(1 "2 3"); p "${a[@]@Q}" "${a[*]@Q}" "${a[@]@K}" "${a[@]@k}" "${a[@]@A}" "${a@A}" ${a@a}; declare -A m=([k]="v w"); p "${m[@]@K}" "${m[@]@k}" "${m[@]@A}"; set -- a "b c"; p "${@@Q}" "${@@A}""#,
                "<'1'><'2 3'><'1' '2 3'><0 \"1\" 1 \"2 3\"><0><1><1><2 3><declare><-a><a=([0]=\"1\" [1]=\"2 3\")><declare -a a='1'><a>\n<k \"v w\" ><k><v w><declare><-A><m=([k]=\"v w\" )>\n<'a'><'b c'><set><--><'a'><'b c'>\n",
            ),
            ("x=abc; echo ${x@Z}; echo no", "docsh: line 1: ${x@Z}: bad substitution\n[127]\n"),
            (
                r#"HOME=/h; cd a; x='\w|\W|\u|\h|\\|\[a\]|\101|\q|$HOME'; HOSTNAME=h; echo "${x@P}" | while read -r l; do l=${l#*|}; echo "${l#*|*|*|}"; done"#,
                "\\|a|A|\\q|/h\n",
            ),
        ],
    );
}

#[test]
fn errors_are_those_of_bash() {
    check_all(
        TREE,
        &[
            ("echo ${x!}; echo no", "docsh: line 1: ${x!}: bad substitution\n[1]\n"),
            ("echo ${a[]}; echo no", "docsh: line 1: ${a[]}: bad substitution\n[1]\n"),
            ("set -u; echo $x; echo no", "docsh: line 1: x: unbound variable\n[127]\n"),
            ("set -u; echo ${a[$u]}; echo no", "docsh: line 1: u: unbound variable\n[127]\n"),
            (r#"set -u; echo "${a[@]}" $@ "${x-d}" ${#a[@]}; echo "$1""#, "docsh: line 1: a: unbound variable\n[1]\n"),
            ("(set -u; echo ${#x}); echo $?", "1\ndocsh: line 1: x: unbound variable\n"),
            ("a=(1 2); echo ${a[-5]}.; echo after", ".\nafter\ndocsh: line 1: a: bad array subscript\n"),
        ],
    );
}

#[test]
fn special_parameters() {
    check_all(
        TREE,
        &[
            (
                r#"p $# $? "$*" ${10}; set -- 1 2 3 4 5 6 7 8 9 ten; p $10 ${10} ${#10} $#; (exit 3); p $?; true a bc; p $_"#,
                "<0><0><>\n<10><ten><3><10>\n<3>\n<bc>\n",
            ),
            (
                "true | false | true; echo ${PIPESTATUS[@]} $PIPESTATUS; f() { echo ${FUNCNAME[@]}; }; g() { f; }; g; echo $BASH_SUBSHELL $(echo $BASH_SUBSHELL) $LINENO; SECONDS=100; echo $SECONDS",
                "0 1 0 0\nf g\n0 1 1\n100\n",
            ),
            (
                "RANDOM=42; echo $RANDOM $RANDOM; echo $BASH_VERSION ${BASH_VERSINFO[0]} $OSTYPE $MACHTYPE $UID $EUID; UID=3; echo no",
                "17772 26794\n5.2.15(1)-release 5 linux-gnu x86_64-pc-linux-gnu 0 0\ndocsh: line 1: UID: readonly variable\n[1]\n",
            ),
        ],
    );
}
