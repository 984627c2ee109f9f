//! Declarations. Every answer is bash 5.2's.
use crate::shell::testing::{TREE, check_all};

#[test]
fn show() {
    check_all(
        TREE,
        &[
            (
                r#"x="a\"b\$c"; y=$'n\n'; declare -p x y; declare -i n=3; declare -rx e=4; declare -a a=(1 "2 3"); declare -A m=([k]=v); declare -p n e a m; declare u; declare -p u; declare -p nosuch; declare -n r=x; declare -p r"#,
                "declare -- x=\"a\\\"b\\$c\"\ndeclare -- y=$'n\\n'\ndeclare -i n=\"3\"\ndeclare -rx e=\"4\"\ndeclare -a a=([0]=\"1\" [1]=\"2 3\")\ndeclare -A m=([k]=\"v\" )\ndeclare -- u\ndeclare -n r=\"x\"\ndocsh: line 1: declare: nosuch: not found\n",
            ),
            (
                "f() { local a=1 b; local; declare -p a b; }; f; f() { echo hi; }; declare -F f; declare -f f; declare -f nosuch; echo $?",
                "declare -- a=\"1\"\ndeclare -- b\ndeclare -- a=\"1\"\ndeclare -- b\nf\nf () \n{ \n    echo hi\n}\n1\n",
            ),
            (
                "declare -Z",
                "docsh: line 1: declare: -Z: invalid option\ndeclare: usage: declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]\n[2]\n",
            ),
            (
                "declare 1a=3; export 1a; export -z; readonly 'a b'; local x; echo $?",
                "1\ndocsh: line 1: declare: `1a=3': not a valid identifier\ndocsh: line 1: export: `1a': not a valid identifier\ndocsh: line 1: export: -z: invalid option\nexport: usage: export [-fn] [name[=value] ...] or export -p\ndocsh: line 1: readonly: `a b': not a valid identifier\ndocsh: line 1: local: can only be used in a function\n",
            ),
            (
                r#"x=1; declare -a x; declare -p x; declare -A y; declare -a y; declare -A x; echo $?; declare a2[3]=x "m[k]=v"; declare -p a2 m; v='b=(3 4)'; declare $v; declare -p b"#,
                "declare -a x=([0]=\"1\")\n1\ndeclare -a a2=([3]=\"x\")\ndeclare -a m=([0]=\"v\")\ndeclare -- b=\"(3\"\ndocsh: line 1: declare: y: cannot convert associative to indexed array\ndocsh: line 1: declare: x: cannot convert indexed to associative array\ndocsh: line 1: declare: `4)': not a valid identifier\n",
            ),
            (
                "x=5; declare x+=3; declare -i x; declare x+=3; declare +i x; declare -p x; declare -u x=abc; declare -l x; declare -p x; declare -ir k=2+3; declare -p k; declare +r k",
                "declare -- x=\"56\"\ndeclare -l x=\"ABC\"\ndeclare -ir k=\"5\"\ndocsh: line 1: declare: k: readonly variable\n[1]\n",
            ),
        ],
    );
}

#[test]
fn arrays_without_values_and_lists_in_strings() {
    check_all(
        TREE,
        &[
            (
                "declare -a c; declare -A m; declare -p c m; c+=(x); m[k]=v; declare -p c m",
                "declare -a c\ndeclare -A m\ndeclare -a c=([0]=\"x\")\ndeclare -A m=([k]=\"v\" )\n",
            ),
            (
                "v='(1 \"2 3\")'; declare -a a=$v; declare -A m='([k]=v)'; declare b=$v; declare -p a m b",
                "declare -a a=([0]=\"1\" [1]=\"2 3\")\ndeclare -A m=([k]=\"v\" )\ndeclare -- b=\"(1 \\\"2 3\\\")\"\n",
            ),
        ],
    );
}
