//! Saves, edits and the index line that follows.

use std::cell::RefCell;

use memdir::core::MemoryType;
use memdir::core::frontmatter::{Edit, Field, NewMemory, parse};
use memdir::store::{Action, ApplyError, InMemory, Revision};
use memdir::{Change, Error, Save, Unreadable};

use crate::store::{Interrupted, memory, path, put, text, with};

fn role<'a>(name: &'a str, description: &'a str, body: &'a str) -> Save<'a> {
    Save::new(NewMemory::new(name, description, Some(MemoryType::User), body))
}

#[test]
fn a_save_writes_the_file_and_its_line_and_a_second_one_nothing() {
    let memory = with(&[]);
    let saved = memory.save(&role("Role", "Data engineer", "Ten years.")).unwrap();
    assert_eq!((saved.path.as_str(), saved.action), ("user_role.md", Action::Created));
    assert_eq!(saved.revision, Revision::of(text(&memory, "user_role.md").as_bytes()));
    assert_eq!(text(&memory, "MEMORY.md"), "- [Role](user_role.md) — Data engineer\n");
    let again = memory.save(&role("role", "Data engineer", "Ten years.\n")).unwrap();
    assert_eq!((again.action, again.op), (Action::Unchanged, None));
}

#[test]
fn what_a_save_does_not_speak_of_stays() {
    let memory = with(&[(
        "old.md",
        "---\nname: Role\ndescription: was\ntype: user\ncolour: blue\ntriggers: [sql]\n---\n\nBody.\n",
    )]);
    memory.save(&role("Role", "is", "Body.")).unwrap();
    let after = text(&memory, "old.md");
    assert!(after.contains("colour: blue\ntriggers: [sql]\n"), "{after}");
    assert_eq!(parse(&after).fields.description.as_deref(), Some("is"));
}

#[test]
fn a_name_that_the_client_made_a_slug_of_is_the_same_name() {
    let name = "Role & Größe";
    let file = "user_role-größe.md";
    let memory = with(&[(
        file,
        "---\nname: role-gr-e\ndescription: d\nmetadata:\n  type: user\n---\n\nb\n",
    )]);
    let saved = memory.save(&role(name, "new", "b")).unwrap();
    assert_eq!((saved.path.as_str(), saved.action), (file, Action::Updated));
}

#[test]
fn another_memory_in_the_file_is_left_alone() {
    let files = [
        "---\nname: Other\ndescription: d\ntype: user\n---\n",
        "---\nname: Role\ndescription: d\ntype: project\n---\n",
        "no frontmatter\n",
        "---\nname: \"\"\ntype: user\n---\n",
    ];
    for file in files {
        let memory = with(&[("user_role.md", file)]);
        let result = memory.save(&role("Role", "d", "b"));
        assert!(
            matches!(&result, Err(Error::Taken { path, .. }) if path.as_str() == "user_role.md"),
            "{result:?}"
        );
        assert_eq!(text(&memory, "user_role.md"), file);
        assert_eq!(text(&memory, "MEMORY.md"), "");
    }
}

#[test]
fn two_memories_of_one_name_and_type_are_ambiguous() {
    let file = "---\nname: Role\ntype: user\n---\n";
    let memory = with(&[("a.md", file), ("b.md", file)]);
    let result = memory.save(&role("role", "d", "b"));
    let expect = [path("a.md"), path("b.md")];
    assert!(
        matches!(&result, Err(Error::Ambiguous { candidates, .. }) if *candidates == expect),
        "{result:?}"
    );
}

#[test]
fn an_edit_is_made_anew_on_what_somebody_else_wrote_meanwhile() {
    let store = InMemory::new();
    put(&store, "a.md", "---\nname: a\ndescription: d\n---\n\none\n");
    let theirs = "---\nname: a\ndescription: d\n---\n\ntwo\n".to_owned();
    let memory = memory(Interrupted { store, writes: RefCell::new(vec![("a.md", theirs)]) });
    let change = Change::new([Edit::Set(Field::Description("new"))]);
    memory.edit(&path("a.md"), &change).unwrap();
    let after = text(&memory, "a.md");
    assert!(after.contains("description: new\n") && after.ends_with("\n\ntwo\n"), "{after}");
}

#[test]
fn an_edit_for_one_revision_is_not_made_on_another() {
    let memory = with(&[("a.md", "---\nname: a\n---\n\none\n")]);
    let mut change = Change::new([Edit::Body("three\n")]);
    change.expect = Some(Revision::of(b"what it was"));
    let result = memory.edit(&path("a.md"), &change);
    assert!(matches!(result, Err(Error::Apply(ApplyError::Conflict(_)))), "{result:?}");
    assert_eq!(text(&memory, "a.md"), "---\nname: a\n---\n\none\n");
}

#[test]
fn a_verified_memory_keeps_its_date_and_a_changed_one_gets_a_new_one() {
    let file = "---\nname: a\nmetadata:\n  modified: 2026-01-01T00:00:00Z\n---\n\none\n";
    let memory = with(&[("a.md", file)]);
    let verified = Change::new([Edit::Set(Field::LastVerified(crate::store::now()))]);
    memory.edit(&path("a.md"), &verified).unwrap();
    assert!(text(&memory, "a.md").contains("modified: 2026-01-01T00:00:00Z\n"));
    memory.edit(&path("a.md"), &Change::new([Edit::Body("two\n")])).unwrap();
    let after = text(&memory, "a.md");
    assert!(after.contains("modified: \"2026-11-30T09:00:00Z\"\n"), "{after}");
}

/// A line follows its memory, and stays where a person wrote something else.
#[test]
fn the_index_line_follows_only_what_changed() {
    let check = |line: &str, edit: Edit<'_>, expect: &str| {
        let memory =
            with(&[("a.md", "---\nname: a\ndescription: d\n---\n\none\n"), ("MEMORY.md", line)]);
        memory.edit(&path("a.md"), &Change::new([edit])).unwrap();
        assert_eq!(text(&memory, "MEMORY.md"), expect);
    };
    let name = Edit::Set(Field::Name("new"));
    let description = Edit::Set(Field::Description("new"));
    check("- [Mine](a.md) - words\n", Edit::Body("two\n"), "- [Mine](a.md) - words\n");
    check("- [Mine](a.md) - words\n", description, "- [Mine](a.md) - new\n");
    check("- [Mine](a.md) - words\n", name, "- [new](a.md) - words\n");
    check("# Only a heading\n", description, "# Only a heading\n- [a](a.md) — new\n");
}

#[test]
fn the_index_cannot_be_saved_edited_or_forgotten_as_a_memory() {
    let memory = with(&[("MEMORY.md", "x\n")]);
    let index = path("MEMORY.md");
    let mut save = role("x", "d", "b");
    save.file = Some(&index);
    let results = [
        memory.save(&save).map(drop),
        memory.edit(&index, &Change::new([Edit::Body("y")])).map(drop),
        memory.forget(std::slice::from_ref(&index), None).map(drop),
    ];
    for result in results {
        assert!(matches!(&result, Err(Error::NotAMemory { .. })), "{result:?}");
    }
    assert_eq!(text(&memory, "MEMORY.md"), "x\n");
}

#[test]
fn a_name_and_a_description_are_needed() {
    let memory = with(&[]);
    assert!(matches!(memory.save(&role(" ", "d", "b")), Err(Error::Blank { field: "name" })));
    assert!(matches!(
        memory.save(&role("n", "\n", "b")),
        Err(Error::Blank { field: "description" })
    ));
}

#[test]
fn what_could_not_be_read_back_is_not_saved() {
    let long = "d".repeat(70_000);
    let many = vec!["t".repeat(1_000); 70];
    let deep = path(&format!("{}x.md", "a/".repeat(65)));
    let mut triggers = role("Role", "d", "b");
    triggers.memory.triggers = &many;
    let mut folders = role("Role", "d", "b");
    folders.file = Some(&deep);
    let too_long = Unreadable::TooLong { limit: 65_536 };
    let table = [
        (role("Role", &long, "b"), too_long.clone()),
        (triggers, too_long),
        (role("Role", "d", "a\0b"), Unreadable::Nul),
        (folders, Unreadable::TooDeep { limit: 64 }),
    ];
    for (save, expect) in table {
        let memory = with(&[]);
        let result = memory.save(&save);
        assert!(
            matches!(&result, Err(Error::Unreadable { source, .. }) if *source == expect),
            "{result:?}"
        );
        assert_eq!(memory.scan().unwrap().total, 0);
        assert_eq!(text(&memory, "MEMORY.md"), "");
    }
}

#[test]
fn the_deepest_folder_that_is_listed_can_be_saved_in() {
    let deep = path(&format!("{}x.md", "a/".repeat(64)));
    let memory = with(&[]);
    let mut save = role("Role", "d", "b");
    save.file = Some(&deep);
    memory.save(&save).unwrap();
    let listed: Vec<_> = memory.scan().unwrap().headers.into_iter().map(|h| h.path).collect();
    assert_eq!(listed, [deep]);
}

#[test]
fn an_edit_leaves_a_memory_that_can_be_read() {
    let file = "---\nname: a\ndescription: d\n---\n\nb\n";
    let edits = [
        Edit::Set(Field::Name("")),
        Edit::Set(Field::Name(" ")),
        Edit::Set(Field::Description("")),
        Edit::Body("a\0b"),
    ];
    for edit in edits {
        let memory = with(&[("a.md", file)]);
        let result = memory.edit(&path("a.md"), &Change::new([edit]));
        assert!(
            matches!(
                &result,
                Err(Error::Blank { .. } | Error::Unreadable { source: Unreadable::Nul, .. })
            ),
            "{result:?}"
        );
        assert_eq!(text(&memory, "a.md"), file);
    }
}
