//! Keys of files that are no memories.

use memdir_core::frontmatter::entries;

/// Line, key, value as text and as list, and what is to be said about either.
fn show(text: &str) -> Vec<String> {
    let file = entries(text);
    let values = file.entries.iter().map(|entry| {
        let ((value, _), (items, doubt)) = (entry.text(), entry.list());
        let doubt = doubt.map(|doubt| format!(" {doubt}")).unwrap_or_default();
        format!("{} {}: {value:?} {items:?}{doubt}", entry.line(), entry.name())
    });
    let notes = file.notes.iter().map(|note| format!("{note}"));
    let body = format!("{}: {:?}", file.body_line, file.body);
    values.chain(notes).chain([body]).collect()
}

#[test]
fn keys_of_any_program_are_read_as_those_of_memories_are() {
    assert_eq!(
        show(
            "\u{feff}---\r\nglobs: **/*.ts, src/**\r\n\"quoted\": 'a'\r\nname:\r\n  - x\r\n  - y\r\n---\r\nBody\r\n"
        ),
        [
            "2 globs: \"**/*.ts, src/**\" [\"**/*.ts\", \"src/**\"] should be quoted; YAML readers refuse or change it",
            "3 quoted: \"a\" [\"a\"]",
            "4 name: \"- x - y\" [\"x\", \"y\"]",
            "8: \"Body\\r\\n\"",
        ]
    );
    assert_eq!(show("no block"), ["1: \"no block\""]);
    assert_eq!(
        show("---\na: 1\nstray\nmetadata:\n  type: user\n---\n"),
        [
            "2 a: \"1\" [\"1\"]",
            "4 metadata: \"\" []",
            "line 3: neither a `key: value` nor part of one",
            "7: \"\"",
        ]
    );
    assert_eq!(
        show("---\na: 1\n"),
        ["line 1: frontmatter has no closing `---`; all is read as body", "1: \"---\\na: 1\\n\""]
    );
}
