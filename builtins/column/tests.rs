use crate::testing::{check, check_with_stdin};
use expect_test::expect;

const PEOPLE: &str = "ann:31:Oslo\nbartholomew:7:Rio\n\ncy::\n";

#[test]
fn fields_are_aligned() {
    check_with_stdin(
        &[],
        "column -t -s :",
        PEOPLE,
        expect![[r#"
            ann          31  Oslo
            bartholomew  7   Rio
            cy               
        "#]],
    );
}

#[test]
fn columns_have_names_and_sides() {
    check_with_stdin(
        &[],
        "column -t -s : -N NAME,AGE,TOWN -R AGE -O TOWN,NAME -o ' | '",
        PEOPLE,
        expect![[r#"
            TOWN | NAME        | AGE
            Oslo | ann         |  31
            Rio  | bartholomew |   7
                 | cy          | 
        "#]],
    );
}

#[test]
fn lists_fill_columns_or_rows() {
    let fruit = "apple\nfig\n\npear\nplum\nquince\n";
    check_with_stdin(
        &[],
        "column -c 24",
        fruit,
        expect![[r#"
            apple	pear	quince
            fig	plum
        "#]],
    );
    check_with_stdin(
        &[],
        "column -x -c 24",
        fruit,
        expect![["
        apple\tfig\tpear
        plum\tquince
    "]],
    );
    check_with_stdin(
        &[],
        "column -c 5 -L",
        "apple\n\nfig\n",
        expect![[r#"
        apple

        fig
    "#]],
    );
}

#[test]
fn rows_become_objects() {
    check(
        &[("t", "1 \"x\"\n2\n")],
        "column -t -J -N ID,Name -n Things t",
        expect![[r#"
        {
           "things": [
              {
                 "id": "1",
                 "name": "\"x\""
              },{
                 "id": "2",
                 "name": null
              }
           ]
        }
    "#]],
    );
}

#[test]
fn children_stand_below_their_parent() {
    let tree = "1 root 0\n2 leaf 4\n3 twig 1\n4 bough 1\n";
    check_with_stdin(
        &[],
        "column -t -N ID,NAME,UP -r NAME -i ID -p UP -H UP",
        tree,
        expect![[r#"
        ID  NAME
        1   root
        3   ├─twig
        4   └─bough
        2     └─leaf
    "#]],
    );
    check_with_stdin(
        &[],
        "column -J -N ID,NAME,UP -r NAME -i ID -p UP -H UP,ID",
        "1 root 0\n2 leaf 1\n",
        expect![[r#"
        {
           "table": [
              {
                 "name": "root",
                 "children": [
                    {
                       "name": "leaf"
                    }
                 ]
              }
           ]
        }
    "#]],
    );
}

#[test]
fn wide_cells_are_cut_or_wrapped() {
    let text = "a bbbbbbbb c\n";
    check_with_stdin(
        &[],
        "column -t -c 9 -T 2",
        text,
        expect![[r#"
        a  bbb  c
    "#]],
    );
    check_with_stdin(
        &[],
        "column -t -c 9 -W 2",
        text,
        expect![[r#"
        a  bbb  c
           bbb  
           bb   
    "#]],
    );
}

#[test]
fn wrong_words_are_named() {
    check(
        &[],
        "column -J",
        expect![[r#"
        [stderr]
        column: option --table-columns required for --json
        [status 1]
    "#]],
    );
    check_with_stdin(
        &[],
        "column -t -R no",
        "a\n",
        expect![[r#"
        [stderr]
        column: undefined column name 'no'
        [status 1]
    "#]],
    );
    check(
        &[],
        "column nosuch",
        expect![[r#"
        [stderr]
        column: nosuch: No such file or directory
        [status 1]
    "#]],
    );
}

#[test]
fn names_are_found_in_any_case() {
    let (stdout, ..) = crate::testing::run(&[], "column -t -N name,count -O COUNT,Name", b"a 1\n");
    assert_eq!(String::from_utf8_lossy(&stdout), "count  name\n1      a\n");
}
