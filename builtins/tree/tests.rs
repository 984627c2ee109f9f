use crate::testing::check;
use expect_test::expect;

const TREE: crate::testing::Tree<'_> =
    &[("a/one.md", "1\n"), ("a/sub/deep.txt", "22\n"), ("b.md", "b"), (".hidden", ""), ("c d.md", "")];

#[test]
fn the_root_counts_and_hidden_files_do_not_show() {
    check(
        TREE,
        "tree",
        expect![[r#"
        .
        ├── a
        │   ├── one.md
        │   └── sub
        │       └── deep.txt
        ├── b.md
        └── c d.md

        3 directories, 4 files
    "#]],
    );
    check(
        TREE,
        "tree -a -L 1",
        expect![[r#"
        .
        ├── .hidden
        ├── a
        ├── b.md
        └── c d.md

        2 directories, 3 files
    "#]],
    );
    check(
        TREE,
        "tree -d",
        expect![[r#"
        .
        └── a
            └── sub

        3 directories
    "#]],
    );
}

#[test]
fn lines_can_be_dressed() {
    check(
        TREE,
        "tree -psugD a",
        expect![[r#"
        [drwxr-xr-x root     root            4096 Jan 15  2025]  a
        ├── [-rw-r--r-- root     root               2 Jan 15  2025]  one.md
        └── [drwxr-xr-x root     root            4096 Jan 15  2025]  sub
            └── [-rw-r--r-- root     root               3 Jan 15  2025]  deep.txt

        2 directories, 2 files
    "#]],
    );
    check(
        TREE,
        "tree -fi --noreport a",
        expect![[r#"
        a
        a/one.md
        a/sub
        a/sub/deep.txt
    "#]],
    );
    check(
        TREE,
        "tree --charset=ascii -FQ",
        expect![[r#"
        "."/
        |-- "a"/
        |   |-- "one.md"
        |   `-- "sub"/
        |       `-- "deep.txt"
        |-- "b.md"
        `-- "c d.md"

        3 directories, 4 files
    "#]],
    );
    check(
        TREE,
        "tree --du -h a",
        expect![[r#"
        [8.0K]  a
        ├── [   2]  one.md
        └── [4.0K]  sub
            └── [   3]  deep.txt

         8.0K used in 2 directories, 2 files
    "#]],
    );
}

#[test]
fn patterns_choose_files() {
    check(
        TREE,
        "tree -P '*.md'",
        expect![[r#"
        .
        ├── a
        │   ├── one.md
        │   └── sub
        ├── b.md
        └── c d.md

        3 directories, 3 files
    "#]],
    );
    check(
        TREE,
        "tree -P '*.md|*.txt' --prune -I b*",
        expect![[r#"
        .
        ├── a
        │   ├── one.md
        │   └── sub
        │       └── deep.txt
        └── c d.md

        3 directories, 3 files
    "#]],
    );
    check(
        TREE,
        "tree -r --dirsfirst",
        expect![[r#"
        .
        ├── a
        │   ├── sub
        │   │   └── deep.txt
        │   └── one.md
        ├── c d.md
        └── b.md

        3 directories, 4 files
    "#]],
    );
}

#[test]
fn programs_get_json_and_xml() {
    check(
        TREE,
        "tree -J -s",
        expect![[r#"
        [
          {"type":"directory","name":".","size":4096,"contents":[
            {"type":"directory","name":"a","size":4096,"contents":[
              {"type":"file","name":"one.md","size":2},
              {"type":"directory","name":"sub","size":4096,"contents":[
                {"type":"file","name":"deep.txt","size":3}
              ]}
            ]},
            {"type":"file","name":"b.md","size":1},
            {"type":"file","name":"c d.md","size":0}
          ]}
        ,
          {"type":"report","directories":3,"files":4}
        ]
    "#]],
    );
    check(
        TREE,
        "tree -X a b.md",
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <tree>
              <directory name="a">
                <file name="one.md"></file>
                <directory name="sub">
                  <file name="deep.txt"></file>
                </directory>
              </directory>
              <file name="b.md"><error>error opening dir</error>
              </file>
              <report>
                <directories>2</directories>
                <files>3</files>
              </report>
            </tree>
        "#]],
    );
}

#[test]
fn what_cannot_be_opened_is_said() {
    check(
        TREE,
        "tree nosuch a/sub",
        expect![[r#"
        nosuch  [error opening dir]
        a/sub
        └── deep.txt

        1 directory, 1 file
        [status 2]
    "#]],
    );
    check(
        TREE,
        "tree -L x",
        expect![[r#"
        [stderr]
        tree: Invalid level, must be greater than 0.
        [status 1]
    "#]],
    );
    check(
        TREE,
        "tree -o out",
        expect![[r#"
        [stderr]
        tree: invalid filename 'out': Read-only file system
        [status 1]
    "#]],
    );
}

#[test]
fn what_is_known_may_come_first() {
    check(
        TREE,
        "tree --metafirst -p a/sub",
        expect![[r#"
            [drwxr-xr-x]  a/sub
            [-rw-r--r--]  └── deep.txt

            1 directory, 1 file
        "#]],
    );
}

#[test]
fn a_list_of_paths_is_drawn() {
    let list = [("list", "./a/b/\n./a/.c/d\n/e\n./a/é\r\n\n")];
    check(
        &list,
        "tree --fromfile list",
        expect![[r#"
            list
            ├── .
            │   └── a
            │       ├── b
            │       └── é
            └── e

            4 directories, 2 files
        "#]],
    );
    check(
        &list,
        "tree --fromfile -L 1 -F --dirsfirst list",
        expect![[r#"
            list
            ├── ./
            └── e

            2 directories, 1 file
        "#]],
    );
    check(
        &list,
        "tree --fromfile nosuch",
        expect![[r#"
            nosuch  [error opening dir]

            0 directories, 0 files
            [status 2]
        "#]],
    );
    let long = [("list", &*"a/".repeat(2048))];
    check(
        &long,
        "tree --fromfile list",
        expect![[r#"
            [stderr]
            tree: list: File name too long
            [status 1]
        "#]],
    );
}

#[test]
fn lines_are_drawn_for_old_terminals_too() {
    let tree = [("d/a/b", ""), ("d/c", "")];
    let drawing = |flag: &str| crate::testing::run(&tree, &format!("tree --noreport {flag} d"), b"").0;
    assert_eq!(drawing("-S"), b"d\n\xc3\xc4\xc4 a\n\xb3   \xc0\xc4\xc4 b\n\xc0\xc4\xc4 c\n");
    let lines = ["d", "\x1b(0tqq \x1b(Ba", "\x1b(0x   mqq \x1b(Bb", "\x1b(0mqq \x1b(Bc", ""];
    assert_eq!(drawing("-A -S"), lines.join("\n").as_bytes());
}
