//! Any text for the name of an agent.

use std::path::Path;

use memdir_core::text::fold;
use proptest::prelude::*;
use subagent_memory::{AgentName, NameFault, limits};

#[test]
fn folders_are_readable_and_legal_everywhere() {
    let check = |name: &str, expect: &str| {
        let name = AgentName::parse(name).expect("a name");
        assert_eq!(name.folder(), expect);
        assert_eq!(AgentName::of_folder(expect), Some(name), "{expect}");
    };
    check("reviewer", "reviewer");
    check("code_reviewer-2", "code_reviewer-2");
    check("plugin:reviewer", "plugin%3areviewer");
    check("plugin-reviewer", "plugin-reviewer");
    check("Reviewer", "%52eviewer");
    check("MEMORY.md", "%4d%45%4d%4f%52%59.md");
    check("代码审查", "代码审查");
    check("größe", "grö%c3%9fe");
    check("прове́рка", "прове%cc%81рка");
    check("code reviewer", "code reviewer");
    check("v1.2", "v1.2");
    check("a..b", "a%2e%2eb");
    check(".hidden", "%2ehidden");
    check("trail. ", "trail%2e%20");
    check("-rf", "%2drf");
    check("con", "%63on");
    check("CON", "%43%4f%4e");
    check("nul.x", "%6eul.x");
    check("lpt1", "%6cpt1");
    check("com1 .x", "com1%20%2ex");
    check("memdir~1", "memdir%7e1");
    check("100%", "100%25");
    check("%63on", "%2563on");
    check("a|b<c>\"?*", "a%7cb%3cc%3e%22%3f%2a");
    check("ａ", "%ef%bd%81");
    check("K", "%4b");
    check("🦀", "%f0%9f%a6%80");
}

#[test]
fn what_could_name_another_folder_is_refused_with_the_reason() {
    let check =
        |name: &str, fault: NameFault| assert_eq!(AgentName::parse(name), Err(fault), "{name:?}");
    check("", NameFault::Empty);
    check(" \u{a0}", NameFault::Empty);
    check(".", NameFault::Dots);
    check("..", NameFault::Dots);
    check(". .", NameFault::Dots);
    check("../../evil", NameFault::Separator);
    check("a/b", NameFault::Separator);
    check("a\\b", NameFault::Separator);
    check("/etc", NameFault::Separator);
    check("nul\0x", NameFault::Character);
    check("a\nb", NameFault::Character);
    check("a\u{202e}b", NameFault::Character);
    check("a\u{200b}b", NameFault::Character);
    check(&"x".repeat(limits::NAME_BYTES + 1), NameFault::TooLong);
}

#[test]
fn long_names_keep_their_beginning_and_stay_apart() {
    let folder = |name: &str| AgentName::parse(name).expect("a name").folder();
    let long = "x".repeat(300);
    let [one, other] = [folder(&format!("{long}1")), folder(&format!("{long}2"))];
    assert_ne!(one, other);
    assert_eq!(one.len(), limits::FOLDER_BYTES);
    assert!(one.starts_with(&"x".repeat(109)) && one.contains("x%-"), "{one}");
    assert_eq!(AgentName::of_folder(&one), None);
    assert_eq!(folder(&"x".repeat(limits::FOLDER_BYTES)), "x".repeat(limits::FOLDER_BYTES));
    // An escape is never cut in two.
    for ascii in 0..4 {
        let folder = folder(&format!("{}{}", "x".repeat(ascii), "Ω".repeat(200)));
        let (kept, _) = folder.split_once("%-").expect("shortened");
        assert!(kept.len() % 3 == ascii % 3 && folder.len() <= limits::FOLDER_BYTES, "{folder}");
    }
}

#[test]
fn the_names_that_a_client_asks_for_have_its_folders() {
    for name in ["reviewer", "code-reviewer", "test_runner", "a1"] {
        let name = AgentName::parse(name).expect("a name");
        assert_eq!(name.folder(), name.client_folder());
    }
    let client = |name: &str| AgentName::parse(name).expect("a name").client_folder();
    assert_eq!(client("plugin:Reviewer v1"), "plugin-Reviewer-v1");
    assert_eq!(client("代码🦀"), "----");
}

/// Names that are close to each other, and any others.
fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[aAbB.% :~é1_-]{1,5}",
        "(con|CON|nul|aux|com1)[. a%]{0,3}",
        "[a-zA-Z%2345]{0,6}",
        "\\PC{0,12}",
        "[ſKſsßẞſﬁＡａ½²ǅǆΣσςıİ]{1,3}",
        "[xX代]{100,200}",
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn accepted_names_have_folders_of_their_own_on_any_disk(names in prop::collection::vec(any_name(), 1..12)) {
        let names: Vec<_> = names.iter().filter_map(|name| AgentName::parse(name).ok()).collect();
        for name in &names {
            let folder = name.folder();
            prop_assert!(folder.len() <= limits::FOLDER_BYTES);
            prop_assert_eq!(Path::new("scope").join(&folder).components().count(), 2);
            prop_assert!(!folder.starts_with(['.', '-', '~']) && !folder.ends_with(['.', ' ']), "{}", folder);
            prop_assert!(!folder.contains(['/', '\\', ':', '\0', '<', '>', '"', '|', '?', '*']));
            prop_assert_eq!(&*fold(&folder), &*folder, "another name on a disk that folds");
            match AgentName::of_folder(&folder) {
                Some(back) => prop_assert_eq!(&back, name),
                None => prop_assert!(folder.contains("%-"), "{}", folder),
            }
            for other in &names {
                prop_assert_eq!(*other == *name, fold(&other.folder()) == fold(&folder), "{} {}", name, other);
            }
        }
    }

    #[test]
    fn a_folder_is_that_of_at_most_one_name(folder in "[a-zA-Z0-9%. é-]{0,12}") {
        if let Some(name) = AgentName::of_folder(&folder) {
            prop_assert_eq!(name.folder(), folder);
        }
    }
}
