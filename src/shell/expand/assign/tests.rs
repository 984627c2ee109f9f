//! Assignments. Every answer is bash 5.2's.
use crate::shell::testing::{TREE, check_all};

#[test]
fn scalars() {
    check_all(
        TREE,
        &[
            (
                r#"x=5; x+=3; echo $x; x+=" y"; echo "$x"; a=1 b=$a; echo $b; x=$(echo v; exit 3); echo $? $x; x=*; echo "$x"; y=a\ b; z=$y; echo "$z"; x=1 y=$x eval 'echo $x$y'; echo $x"#,
                "53\n53 y\n1\n3 v\n*\na b\n11\n-dash [x] a d f1 index.md sp ace.md\n",
            ),
            (
                "declare -i n=3+4; n+=2; n[1]=2*3; echo ${n[@]}; declare -l l=ABC; declare -u u=abc; declare -c c=aBC; l+=DE; echo $l $u $c; declare -lu b=aB; echo $b",
                "9 6\nabcde ABC Abc\naB\n",
            ),
            (
                "set -a; q=1; declare -p q; BASHPID=3; GROUPS=4; echo $GROUPS; f() { v=$v-in; }; v=out; f; echo $v",
                "declare -x q=\"1\"\n0\nout-in\n",
            ),
        ],
    );
}

#[test]
fn arrays() {
    check_all(
        TREE,
        &[
            (
                r#"a=(x "y z" *1); echo "${#a[@]}" "${a[1]}" "${a[2]}"; a+=(w); a[1]+=Q; a[7]=s; echo "${!a[@]}" "${a[@]}"; a[-1]=t; echo ${a[7]}; a=([3]=c d [1]=b); echo "${!a[@]}" "${a[@]}""#,
                "3 y z f1\n0 1 2 3 7 x y zQ f1 w s\nt\n1 3 4 b c d\n",
            ),
            (
                r#"x=s; x[2]=t; declare -p x; y=s; y+=(t); declare -p y; a=(1 2); a=3; declare -p a; b=("${a[@]}" {1..2} "$(echo q)"); declare -p b; i=2; c[i+1]=z; c[$i]=w; declare -p c"#,
                "declare -a x=([0]=\"s\" [2]=\"t\")\ndeclare -a y=([0]=\"s\" [1]=\"t\")\ndeclare -a a=([0]=\"3\" [1]=\"2\")\ndeclare -a b=([0]=\"3\" [1]=\"2\" [2]=\"1\" [3]=\"2\" [4]=\"q\")\ndeclare -a c=([2]=\"w\" [3]=\"z\")\n",
            ),
            (
                r#"declare -A m=([a]=1 ["b c"]=2); m[d]=3; m+=([a]=9 [e]=4); m[a]+=0; echo "${m[a]}" "${m[b c]}" "${m[d]}" "${m[e]}" ${#m[@]}; declare -A n=(k1 v1 k2 v2); echo ${n[k1]}${n[k2]}; k='x]'; m[$k]=5; echo "${m[$k]}"; n=([z]=1); declare -p n"#,
                "90 2 3 4 4\nv1v2\n5\ndeclare -A n=([z]=\"1\" )\n",
            ),
            ("a=(1 2); a[-5]=3; echo no", "docsh: line 1: a[-5]: bad array subscript\n[1]\n"),
            ("a[]=3; echo no", "docsh: line 1: a[]: bad array subscript\n[1]\n"),
            ("declare -A m; m[]=3; echo no", "docsh: line 1: m[]: bad array subscript\n[1]\n"),
            ("a[1/0]=3; echo no", "docsh: line 1: 1/0: division by 0 (error token is \"0\")\n[1]\n"),
            ("a=(1); a[1]=(2); echo no", "docsh: line 1: a[1]: cannot assign list to array member\n[1]\n"),
            (
                "declare -A m=([a]=1 b); echo ${#m[@]}",
                "1\ndocsh: line 1: m: 'b': must use subscript when assigning associative array\n",
            ),
        ],
    );
}

#[test]
fn readonly_variables_stay() {
    check_all(
        TREE,
        &[
            ("readonly x=1; x=2; echo no", "docsh: line 1: x: readonly variable\n[1]\n"),
            (
                "readonly x; for x in 1; do echo no; done; echo $?; read x <<< 3; echo $?; readonly a=(1); a[2]=3; echo no",
                "1\n1\ndocsh: line 1: x: readonly variable\ndocsh: line 1: x: readonly variable\ndocsh: line 1: a: readonly variable\n[1]\n",
            ),
            (
                "readonly x; unset x; echo $?; declare x=3; echo $?; readonly x=4; echo $?; export x; declare -p x",
                "1\n1\n1\ndeclare -rx x\ndocsh: line 1: unset: x: cannot unset: readonly variable\ndocsh: line 1: declare: x: readonly variable\ndocsh: line 1: x: readonly variable\n",
            ),
        ],
    );
}

#[test]
fn namerefs() {
    check_all(
        TREE,
        &[
            (
                "declare -n r=x; r=5; echo $x; r+=1; echo $x; declare -n s=m; declare -A m; s[k]=v; echo ${m[k]}; unset r; echo ${x-unset}; declare -n t=a[1]; t=q; declare -p a; f() { local -n o=$1; o=set; }; f z; echo $z",
                "5\n51\nv\nunset\ndeclare -a a=([1]=\"q\")\nset\n",
            ),
            (
                "declare -n r=r; echo $?; declare -n b=1a; echo $?",
                "1\n1\ndocsh: line 1: declare: r: nameref variable self references not allowed\ndocsh: line 1: declare: `1a': invalid variable name for name reference\n",
            ),
        ],
    );
}

#[test]
fn what_is_unset_is_gone() {
    check_all(
        TREE,
        &[
            (
                "a=(1 2 3); unset 'a[1]' 'a[-1]'; declare -p a; unset a; echo ${a-unset}; x=1; unset 'x[1]'; echo $?; unset x[0]; echo ${x-unset}; declare -A m=([a]=1 [@]=2); unset 'm[@]'; declare -p m; f() { :; }; unset f; type f; unset -v 1a; unset nosuch; echo $?; unset -z",
                "declare -a a=([0]=\"1\")\nunset\n1\nunset\ndeclare -A m=([a]=\"1\" )\n0\ndocsh: line 1: unset: x: not an array variable\ndocsh: line 1: type: f: not found\ndocsh: line 1: unset: `1a': not a valid identifier\ndocsh: line 1: unset: -z: invalid option\nunset: usage: unset [-f] [-v] [-n] [name ...]\n[2]\n",
            ),
            (
                "x=g; f() { local x=l; unset x; echo ${x-unset}; g; }; g() { echo ${x-unset}; }; f; h() { local x=l; k; echo $x; }; k() { unset x; echo $x; }; h",
                "unset\nunset\ng\ng\n",
            ),
        ],
    );
}

#[test]
fn scopes() {
    check_all(
        TREE,
        &[
            (
                r#"x=g; f() { local x; echo ${x-unset}; x=l; g; declare -g x=G; }; g() { echo $x; }; f; echo $x; f() { local x=$1 y=$x; echo $y; }; f 1; f() { local a=("${a[@]}" x); echo ${a[@]}; }; a=(1); f; echo ${a[@]}; local x"#,
                "unset\nl\nG\nG\n1 x\n1\ndocsh: line 1: local: can only be used in a function\n[1]\n",
            ),
            (
                "export e=1; f() { local e=2; bash -c 'echo $e'; }; f; bash -c 'echo $e'; export -n e; bash -c 'echo ${e-unset}'",
                "2\n1\nunset\n",
            ),
        ],
    );
}
