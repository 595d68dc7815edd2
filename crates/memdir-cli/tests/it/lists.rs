//! list and show.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

fn three() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.memorize(
        "user_role.md",
        40,
        "user",
        "role",
        "Data engineer, ten years of SQL",
        "Body.",
    );
    sandbox.memorize("projekt/冻结.md", 1, "project", "发布冻结", "三月之前不发布", "正文");
    sandbox.write("memory/plain.md", 0, "No frontmatter at all.\n");
    sandbox
}

#[test]
fn lists_the_newest_first_with_everything_that_names_a_memory() {
    let sandbox = three();
    assert_snapshot!(sandbox.run(["list"]), @"");
    assert_snapshot!(sandbox.run(["list", "--no-description", "--limit", "2"]), @"");
    assert_snapshot!(sandbox.run(["list", "--type", "user"]), @"");
}

#[test]
fn minimal_json_holds_nothing_from_inside_but_name_and_type() {
    let sandbox = three();
    assert_snapshot!(sandbox.run(["list", "--json", "--limit", "1", "--type", "user"]), @"");
    assert_snapshot!(sandbox.run(["list", "--json", "--full", "--limit", "1", "--type", "user"]), @"");
}

#[test]
fn an_absent_and_an_empty_store_list_nothing() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(["list"]), "[exit status: 0]\n");
    assert!(!sandbox.memory().exists());
    std::fs::create_dir(sandbox.memory()).unwrap();
    assert_eq!(sandbox.run(["list"]), "[exit status: 0]\n");
    assert_snapshot!(sandbox.run(["list", "--json"]), @"");
}

#[test]
fn shows_by_path_name_number_and_beginning() {
    let sandbox = three();
    let whole = sandbox.run(["show", "user_role.md"]);
    assert_snapshot!(whole, @"");
    for reference in ["user_role", "role", "ROLE", "3", "user_r", "ro"] {
        assert_eq!(sandbox.run(["show", reference]), whole, "{reference}");
    }
    assert!(sandbox.run(["show", "冻结.md"]).contains("正文"));
    assert!(sandbox.run(["show", "发布"]).contains("正文"));
    assert_snapshot!(sandbox.run(["show", "role", "--json"]), @"");
}

#[test]
fn what_is_not_there_is_not_found_with_similar_names() {
    let sandbox = three();
    assert_snapshot!(sandbox.run(["show", "usr_role"]), @"");
    assert_snapshot!(sandbox.run(["show", "nothing-like-it", "--json"]), @"");
    assert_snapshot!(sandbox.run(["show", "99"]), @"");
    assert_snapshot!(Sandbox::new().run(["show", "x"]), @"");
}

#[test]
fn raw_prints_the_bytes_and_the_rest_prints_nothing_that_a_terminal_obeys() {
    let sandbox = Sandbox::new();
    let bytes = b"---\nname: n\n---\n\n\x1b[2Jred\x07\xff\r\n";
    sandbox.write("memory/n.md", 0, bytes);
    assert_eq!(sandbox.output(["show", "n", "--raw"]).stdout, bytes);
    assert_snapshot!(sandbox.run(["show", "n"]), @"");
}
