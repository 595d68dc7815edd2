//! References that people type.

use memdir::{Error, Found};

use crate::store::{path, with};

fn check(reference: &str, expect: &Found) {
    let memory = with(&[
        ("user_role.md", "---\nname: Role\n---\n"),
        ("team_role.md", "---\nname: Team role\n---\n"),
        ("sub/user_role.md", "---\nname: Größe\n---\n"),
        ("7.md", "---\nname: seven\n---\n"),
        ("plain.md", "text\n"),
    ]);
    let found = match memory.find(reference) {
        Ok(path) => Found::One(path),
        Err(Error::Ambiguous { candidates, .. }) => Found::Several(candidates),
        Err(Error::Missing { near, .. }) => Found::None(near),
        Err(other) => panic!("{other}"),
    };
    assert_eq!(&found, expect, "{reference}");
}

fn one(reference: &str, expect: &str) {
    check(reference, &Found::One(path(expect)));
}

#[test]
fn a_path_goes_before_a_file_name_and_a_file_name_before_a_name() {
    one("user_role.md", "user_role.md");
    one("sub/user_role.md", "sub/user_role.md");
    one("team_role.md", "team_role.md");
    one("7", "7.md");
}

#[test]
fn names_are_found_in_any_case_and_normal_form() {
    one("ROLE", "user_role.md");
    one("gro\u{308}ße", "sub/user_role.md");
}

#[test]
fn a_number_is_a_place_in_the_list() {
    one("1", "7.md");
    one("5", "user_role.md");
    check("0", &Found::None(Vec::new()));
    check("6", &Found::None(Vec::new()));
}

#[test]
fn the_beginning_of_one_name_is_enough_and_of_several_is_ambiguous() {
    one("pl", "plain.md");
    one("team", "team_role.md");
    check("user", &Found::Several(vec![path("sub/user_role.md"), path("user_role.md")]));
    check("", &Found::None(Vec::new()));
}

#[test]
fn what_is_missing_brings_up_what_is_similar() {
    check("plian", &Found::None(vec![path("plain.md")]));
    check(
        "rolle",
        &Found::None(vec![path("sub/user_role.md"), path("team_role.md"), path("user_role.md")]),
    );
    check("../plain.md", &Found::None(vec![path("plain.md")]));
    check("zzz", &Found::None(Vec::new()));
}
