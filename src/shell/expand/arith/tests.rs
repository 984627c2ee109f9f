//! Expressions and their errors. Every answer is bash 5.2's.
use crate::shell::testing::{TREE, check_all};

#[test]
fn operators() {
    check_all(
        TREE,
        &[
            (
                "echo $((7/2)) $((-7/2)) $((-7%3)) $((2**10)) $((2**3**2)) $((-2**2)) $((1<<4|1)) $((~5)) $((!0)) $((7^2)) $((6&3)) $((1<2<3)) $((3>2>1)) $((5>=5)) $((1!=2))",
                "3 -3 -1 1024 512 4 17 -6 1 5 2 1 0 1 1\n",
            ),
            (
                "echo $((1?2:3?4:5)) $((0?2:3?4:5)) $((1,2)) $((1||0&&0)) $((7&3==3)) $(((1+2)*3)) $((- -3)) $((!!5)) $((+-+2))",
                "2 4 2 1 1 9 3 1 -2\n",
            ),
            (
                "echo $((010)) $((0x1F)) $((2#101)) $((64#_)) $((36#zZ)) $((9223372036854775807+1)) $((-9223372036854775808/-1)) $((1<<64)) $((1<<-1)) $((2**63)) $((9223372036854775808))",
                "8 31 5 63 1295 -9223372036854775808 -9223372036854775808 1 -9223372036854775808 -9223372036854775808 -9223372036854775808\n",
            ),
            (
                "echo $((i=5)) $((i++)) $((++i)) $((i--)) $((--i)) $((i+=10)) $((i-=1)) $((i*=2)) $((i/=3)) $((i%=5)) $((i<<=3)) $((i>>=1)) $((i&=6)) $((i|=9)) $((i^=3)) $i",
                "5 5 7 7 5 15 14 28 9 4 32 16 0 9 10 10\n",
            ),
            (
                "a=5; echo $((a+++1)) $((a---1)) $((a ++)) $((++ a)) $((5 ++ 3)) $((++5)) $((a=b=3)) $a$b",
                "6 5 5 7 8 5 3 33\n",
            ),
            (
                "echo $((0 && x++)) $((1 || x++)) ${x-unset} $((1 ? x=2 : (x=3))) $((0 ? (y=2) : 5)) ${y-unset} $((0 && 1/0))",
                "0 1 unset 2 5 unset 0\n",
            ),
        ],
    );
}

#[test]
fn variables_are_expressions() {
    check_all(
        TREE,
        &[
            (
                r#"x=010; echo $((x)) $((10#$x)); x=" 5 "; echo $((x+1)); x=; echo $((x+1)) $((nosuch)); x="3+4"; echo $((x*2)); y=x; echo $((y)); x=a[1]; a=(8 9); echo $((x)) $((a)) $((a[1]++)) ${a[1]} $((a[-1])) $((a[7]))"#,
                "8 10\n6\n1 0\n14\n7\n9 8 9 10 10 0\n",
            ),
            (
                r#"declare -A m; m[k]=7; k=k; echo $((m[k])) $((m[k]+=2)) $((m[$k])) $((m["k"])) ${m[k]}; i=0; a[i++]+=5; echo $i ${a[0]} $((b[2]=3)) ${!b[@]}; ((m[a b]=3)); echo ${m[a b]}"#,
                "7 9 9 9 9\n1 5 3 2\n3\n",
            ),
            (
                r#"echo $(( )) $(( "1" + 1 )) $((1 + 2)); ((0)); echo $?; ((3)); echo $?; ((x=0)); echo $?; let x=5 y=x*2; echo $x$y; let 0; echo $?; let; echo $?"#,
                "0 2 3\n1\n0\n1\n510\n1\n1\ndocsh: line 1: let: expression expected\n",
            ),
            ("declare -i n=3+4; n+=2; echo $n; n=x; echo $n; a=(3 1); echo ${a[n-n+1]} ${a[$((0))]}", "9\n0\n1 3\n"),
            (
                "for ((i=0; i<3; i++)); do echo -n $i; done; for ((;;)); do break; done; echo; for ((i=0;1/0;)); do :; done; echo $?",
                "012\n1\ndocsh: line 1: ((: 1/0: division by 0 (error token is \"0\")\n",
            ),
        ],
    );
}

#[test]
fn errors_are_those_of_bash() {
    check_all(
        TREE,
        &[
            ("echo $((1/0)); echo no", "docsh: line 1: 1/0: division by 0 (error token is \"0\")\n[1]\n"),
            ("echo $((1 / (0) * 3))", "docsh: line 1: 1 / (0) * 3: division by 0 (error token is \"(0) * 3\")\n[1]\n"),
            ("echo $((5%0))", "docsh: line 1: 5%0: division by 0 (error token is \"0\")\n[1]\n"),
            (
                "((1/0)); echo $?; let 1/0; echo $?; [[ 1/0 -eq 1 ]]; echo $?",
                "1\n1\n1\ndocsh: line 1: ((: 1/0: division by 0 (error token is \"0\")\ndocsh: line 1: let: 1/0: division by 0 (error token is \"0\")\ndocsh: line 1: [[: 1/0: division by 0 (error token is \"0\")\n",
            ),
            ("echo $((1 + ))", "docsh: line 1: 1 + : syntax error: operand expected (error token is \"+ \")\n[1]\n"),
            ("echo $((1 2 3))", "docsh: line 1: 1 2 3: syntax error in expression (error token is \"2 3\")\n[1]\n"),
            ("echo $((08))", "docsh: line 1: 08: value too great for base (error token is \"08\")\n[1]\n"),
            ("echo $((2#3)) ", "docsh: line 1: 2#3: value too great for base (error token is \"2#3\")\n[1]\n"),
            ("echo $((65#1))", "docsh: line 1: 65#1: invalid arithmetic base (error token is \"65#1\")\n[1]\n"),
            ("echo $((2#))", "docsh: line 1: 2#: invalid integer constant (error token is \"2#\")\n[1]\n"),
            ("echo $((12abc))", "docsh: line 1: 12abc: value too great for base (error token is \"12abc\")\n[1]\n"),
            (
                "echo $((1 = 2))",
                "docsh: line 1: 1 = 2: attempted assignment to non-variable (error token is \"= 2\")\n[1]\n",
            ),
            (
                "echo $((x + 1 = 3))",
                "docsh: line 1: x + 1 = 3: attempted assignment to non-variable (error token is \"= 3\")\n[1]\n",
            ),
            (
                "echo $((1 ? x=2 : x=3))",
                "docsh: line 1: 1 ? x=2 : x=3: attempted assignment to non-variable (error token is \"=3\")\n[1]\n",
            ),
            (
                "echo $((x@))",
                "docsh: line 1: x@: syntax error: invalid arithmetic operator (error token is \"@\")\n[1]\n",
            ),
            ("echo $((.5))", "docsh: line 1: .5: syntax error: operand expected (error token is \".5\")\n[1]\n"),
            ("echo $((a[))", "docsh: line 1: a[: bad array subscript (error token is \"a[\")\n[1]\n"),
            ("echo $(('1'))", "docsh: line 1: '1': syntax error: operand expected (error token is \"'1'\")\n[1]\n"),
            (
                "echo $((1 ? 2))",
                "docsh: line 1: 1 ? 2: `:' expected for conditional expression (error token is \"2\")\n[1]\n",
            ),
            ("echo $((1 ? : 2))", "docsh: line 1: 1 ? : 2: expression expected (error token is \": 2\")\n[1]\n"),
            ("echo $((3--))", "docsh: line 1: 3--: syntax error: operand expected (error token is \"-\")\n[1]\n"),
            ("echo $((x=))", "docsh: line 1: x=: syntax error: operand expected (error token is \"=\")\n[1]\n"),
            ("echo $((,1))", "docsh: line 1: ,1: syntax error: operand expected (error token is \",1\")\n[1]\n"),
            ("echo $((2**-1))", "docsh: line 1: 2**-1: exponent less than 0 (error token is \"1\")\n[1]\n"),
            (
                "x=1.5; echo $((x+1))",
                "docsh: line 1: 1.5: syntax error: invalid arithmetic operator (error token is \".5\")\n[1]\n",
            ),
            (
                "x=y; y=x; echo $((x))",
                "docsh: line 1: y: expression recursion level exceeded (error token is \"y\")\n[1]\n",
            ),
            ("set -u; echo $((x))", "docsh: line 1: x: unbound variable\n[127]\n"),
            ("readonly x=1; echo $((x=3)); echo no", "docsh: line 1: x: readonly variable\n[1]\n"),
            ("readonly x=1; ((x=3)); echo $?", "1\ndocsh: line 1: x: readonly variable\n"),
        ],
    );
}
