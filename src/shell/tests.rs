use super::testing::{TREE, answer_within, check_all};
use docsh_builtins::Limits;

#[test]
fn a_limit_ends_the_run_and_is_named_once() {
    let limits = || Limits { depth: 20, stages: 8, jobs: 2, words: 100, memory: 1 << 20, ..Limits::default() };
    for (text, limit) in [
        ("f() { f; }; (f); echo no", "calls nested deeper than 20"),
        ("f() { f; }; x=$(f) 2>/dev/null; echo no", "calls nested deeper than 20"),
        ("f() { f | f; }; f; echo no", "more than 8 stages at once"),
        ("f() { f | f & wait; }; f; echo no", "more than 8 stages at once"),
        ("while :; do sleep 9 & done; echo no", "more than 2 background jobs at once"),
        ("echo $(echo {1..1000}) no", "expansion of more than 100 words"),
        ("x=x; while :; do x=$x$x; done; echo no", "memory limit of 1 MiB reached"),
        ("X=x; while :; do X=${X//?/$X$X}; done; echo no", "memory limit of 1 MiB reached"),
        ("printf -v x %9999d 0; while :; do y+=$x; done; echo no", "memory limit of 1 MiB reached"),
        ("printf -v x %9999d 0; while :; do a+=(\"$x\"); done; echo no", "memory limit of 1 MiB reached"),
        ("printf -v x %99999d 0; f() { f2 \"$@\" \"$x\"; }; f2() { f \"$@\"; }; f", "memory limit of 1 MiB reached"),
        ("printf -v x %99999d 0; while :; do set -- \"$@\" \"$x\"; done; echo no", "memory limit of 1 MiB reached"),
        ("x=$(printf %250000d 0); ( ( ( ( echo no ) ) ) )", "memory limit of 1 MiB reached"),
        ("yes | tr -d '\\n' | read -r x; echo no", "memory limit of 1 MiB reached"),
        (
            "shopt -s extglob; printf -v x '%101s'; [[ a == ${x// /'@('}a${x// /')'} ]]",
            "pattern nested deeper than 100",
        ),
    ] {
        assert_eq!(answer_within(TREE, text, limits()), format!("docsh: line 1: {limit}\n[126]\n"), "{text}");
    }
}

#[test]
fn a_shell_takes_the_signals_that_it_sends_itself() {
    check_all(
        TREE,
        &[
            ("trap 'echo t $?' USR1; false; kill -USR1 $$; echo x", "t 0\nx\n"),
            ("trap 'echo t; exit 3' HUP; kill -1 $$; echo x", "t\n[3]\n"),
            ("trap '' TERM; kill $$; echo x", "x\n"),
            ("trap 'echo e' EXIT; kill -s INT $$; echo x", "e\n[130]\n"),
            ("trap 'echo t' KILL; kill -9 $$; echo x", "[137]\n"),
            ("kill -CHLD $$; kill -0 $$; echo $?", "0\n"),
            ("kill -FOO $$; echo $?", "1\ndocsh: line 1: kill: FOO: invalid signal specification\n"),
        ],
    );
}

#[test]
fn memory_that_is_free_again_can_be_used_again() {
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let text = "printf -v x %49999d 0; f() { local y=$x; set -- \"$x\"; }; \
                for i in {1..40}; do y=$x; unset y; f \"$x\"; a=(\"$x\"); cat <<<\"$x\" >/dev/null; z=$(echo \"$x\"); done; echo ok";
    assert_eq!(answer_within(TREE, text, limits), "ok\n");
}

#[test]
fn functions_inherit_few_traps_and_can_be_exported() {
    check_all(
        TREE,
        &[
            ("trap 'echo err $?' ERR; f() { false; }; f; true", "err 1\n"),
            ("set -E; trap 'echo err' ERR; f() { false; }; f; true", "err\nerr\n"),
            (
                "trap 'echo \"$? $BASH_COMMAND\"' ERR; x=1 ls  nosuch 2>/dev/null; true",
                "2 x=1 ls nosuch 2> /dev/null\n",
            ),
            ("f() { echo $1; }; export -f f; bash -c 'f a'; echo b | xargs -I{} sh -c 'f {}'", "a\nb\n"),
            ("g() { caller; caller 0; caller 1; echo $?; }; h() { g; }; h", "1 environment\n1 h environment\n1\n"),
        ],
    );
}

#[test]
fn small_things_are_those_of_bash() {
    check_all(
        TREE,
        &[
            ("for ((i = 0; ; i++)); do ((i > 2)) && break; done; echo $i", "3\n"),
            (
                "kill -l 9 15 INT 143; kill -l 99",
                "KILL\nTERM\n2\nTERM\ndocsh: line 1: kill: 99: invalid signal specification\n[1]\n",
            ),
            (
                "cat <<E\nno end",
                "no end\ndocsh: line 2: warning: here-document at line 1 delimited by end-of-file (wanted `E')\n",
            ),
            ("select x in a; do echo $x; done <<< 1", "a\n\n1) a\n#? #? "),
            ("hash; logout", "hash: hash table empty\ndocsh: line 1: logout: not login shell: use `exit'\n[1]\n"),
        ],
    );
}
