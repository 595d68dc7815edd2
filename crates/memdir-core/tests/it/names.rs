//! Names of new memories and of project folders.

use std::collections::BTreeSet;

use memdir_core::{
    MemPath, MemoryType, limits,
    name::{file_name, slug},
    project_key,
};
use proptest::prelude::*;
use serde_json::Value;

fn strings(list: &Value) -> Vec<String> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| item.as_str().expect("a string").to_owned()).collect()
}

#[test]
fn slugs_keep_every_script_and_separate_words_by_one_dash() {
    let slugs: Vec<_> = [
        "User Role & Größe 记忆",
        "Don't mock the database",
        "getUserName in snake_case",
        "  --weird__  name!! ",
        "ｆｕｌｌ　ｗｉｄｔｈ①",
        "내 드라이브",
        "\u{1102}\u{1162} cafe\u{301}",
        "हिन्दी में",
        "İstanbul ΣΑΣ",
        "../../etc/passwd",
        "CON",
        "a\u{202e}b\u{200b}c\u{7}d",
        "½…‥",
        "\u{301}x",
        "🎉",
    ]
    .map(slug)
    .into();
    insta::assert_snapshot!(slugs.join("\n"), @"
    user-role-größe-记忆
    dont-mock-the-database
    getusername-in-snake-case
    weird-name
    full-width1
    내-드라이브
    내-café
    हिन्दी-में
    i̇stanbul-σας
    etc-passwd
    con
    abc-d
    1-2
    x
    ");
}

#[test]
fn file_names_are_the_type_and_the_slug() {
    let long = "a rather long name that goes on and on without ever saying what it wants from the person who reads it";
    let names: Vec<_> = [
        (Some(MemoryType::User), "Role"),
        (Some(MemoryType::Feedback), "不要模拟数据库"),
        (Some(MemoryType::Project), ""),
        (Some(MemoryType::Reference), "🎉"),
        (Some(MemoryType::Reference), "🎂"),
        (None, "Deploy steps"),
        (None, "con"),
        (None, "com1"),
        (None, "Memory"),
        (None, "…"),
        (Some(MemoryType::Feedback), long),
        (Some(MemoryType::Feedback), &format!("{long}!")),
        (Some(MemoryType::Feedback), &format!("{long} too")),
        (Some(MemoryType::User), &"固".repeat(100)),
    ]
    .into_iter()
    .map(|(kind, name)| file_name(kind, name).to_string())
    .collect();
    insta::assert_snapshot!(names.join("\n"), @"
    user_role.md
    feedback_不要模拟数据库.md
    project_note.md
    reference_note-6146299c.md
    reference_note-23816c18.md
    deploy-steps.md
    note_con.md
    note_com1.md
    note_memory.md
    note-b4935894.md
    feedback_a-rather-long-name-that-goes-on-and-on-without-ever-saying-what-it-wants-9db4292b.md
    feedback_a-rather-long-name-that-goes-on-and-on-without-ever-saying-what-it-wants-9db4292b.md
    feedback_a-rather-long-name-that-goes-on-and-on-without-ever-saying-what-it-wants-7776fa31.md
    user_固固固固固固固固固固固固固固固固固固固固固固固固固固-715043a5.md
    ");
}

proptest! {
    #[test]
    fn a_file_name_is_a_short_memory_path_whatever_the_memory_is_called(name in any::<String>(), kind in 0..5_usize) {
        let kind = MemoryType::ALL.get(kind).copied();
        let path = file_name(kind, &name);
        prop_assert_eq!(MemPath::parse(path.as_str()), Ok(path.clone()));
        prop_assert!(path.as_str().len() <= limits::FILE_NAME_BYTES);
        prop_assert!(path.is_markdown() && path.parent().is_none());
        prop_assert!(path.twin_key() != MemPath::index().twin_key());
        prop_assert_eq!(file_name(kind, &name), path);
    }

    #[test]
    fn a_slug_is_its_own_slug(text in prop_oneof![any::<String>(), "[\u{113c2}\u{301}ae'’ -]{0,6}"]) {
        let once = slug(&text);
        prop_assert_eq!(slug(&once), once);
    }
}

#[test]
fn case_paths_01_different_projects_have_different_keys_that_every_system_takes() {
    let expect: Value =
        serde_json::from_str(include_str!("../cases/paths-01/expect.json")).expect("JSON");
    let paths = strings(&expect["distinct"]);
    let keys: Vec<_> = paths.iter().map(|path| project_key::memdir(path)).collect();
    let unlike: BTreeSet<_> = keys.iter().map(|key| key.to_lowercase()).collect();
    assert_eq!(unlike.len(), paths.len());
    insta::assert_snapshot!(keys.join("\n"), @"
    test-project-1c2bf7b8d34b991a
    project-35f8876e5bb3f39a
    my-project-e9e30d1aab233ccd
    my-project-a272d7bd49928b8d
    my-project-4ea5986c2591a266
    my-project-0f3adcbef64273fc
    myproject-1d0e1e0032c60e12
    my-project-1e341ca8f005bc12
    matlab-homework-2ae88a15e1e55f5c
    matlab-homework-ef0639271eff2763
    matlab综合-e10f3d30712f49c9
    matlab内容-9c0195d21d98a1d6
    é-31ea0989254e16ba
    e-a3d0dcd38e00e09c
    root-8a5edab282632443
    a-6a50dc8584134c7d
    a-baa92874d6fdfe1d
    ");
}

#[test]
fn case_paths_03_normal_forms_share_a_key_and_accents_do_not_vanish() {
    let expect: Value =
        serde_json::from_str(include_str!("../cases/paths-03/expect.json")).expect("JSON");
    let key = |name: &str| project_key::memdir(expect[name].as_str().expect("a string"));
    assert_ne!(expect["nfc"], expect["nfd"]);
    assert_eq!(key("nfc"), key("nfd"));
    let different = strings(&expect["different"]);
    assert_ne!(project_key::memdir(&different[0]), project_key::memdir(&different[1]));
}

#[test]
fn the_keys_of_the_client_are_exact() {
    let long = |unit: &str, count| format!("/{}", unit.repeat(count));
    for (path, key) in [
        ("/home/u/my_project", "-home-u-my-project"),
        ("/srv/é/👍", "-srv-----"),
        ("E:\\MatLab_HomeWork", "E--MatLab-HomeWork"),
        ("", ""),
        (&long("a", 199), &long("a", 199).replace('/', "-")),
        (&long("a", 200), &format!("-{}-b6ymvl", "a".repeat(199))),
        (
            &format!("/home/{}", "é👍x_".repeat(60)),
            &format!("-home-{}---x-h2nbq7", "---x-".repeat(38)),
        ),
        (&long("深", 250), &format!("{}-pi8f7z", "-".repeat(200))),
    ] {
        assert_eq!(project_key::claude_code(path), key);
    }
}

proptest! {
    #[test]
    fn a_key_is_a_legal_folder_name_of_bounded_length(path in any::<String>()) {
        let key = project_key::memdir(&path);
        prop_assert!(MemPath::parse(&key).is_ok(), "{:?}", key);
        prop_assert!(!key.contains(['<', '>', '"', '|', '?', '*', '/']));
        prop_assert!(key.len() <= limits::PROJECT_KEY_BYTES);
        let client = project_key::claude_code(&path);
        prop_assert!(client.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') && client.len() <= 208);
    }
}
