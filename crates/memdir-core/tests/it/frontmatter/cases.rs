//! What users of such memories met, rebuilt.

use std::collections::BTreeMap;

use memdir_core::frontmatter::{Key, NoteKind, Parsed, Shape, parse};
use memdir_core::{MemoryType, frontmatter::Refusal};

macro_rules! files {
    ($case:literal: $($name:literal)*) => {
        [$(($name, include_str!(concat!("../../cases/", $case, "/memory/", $name)))),*]
    };
}

fn kinds(parsed: &Parsed<'_>) -> Vec<NoteKind> {
    parsed.notes.iter().map(|note| note.kind.clone()).collect()
}

#[test]
fn values_are_read_as_meant() {
    type Expected = BTreeMap<String, BTreeMap<String, Option<String>>>;
    let expected: Expected =
        serde_yaml::from_str(include_str!("../../cases/fm-01/expect.json")).unwrap();
    let files = files!("fm-01":
        "colon.md" "cjk_colon.md" "backtick.md" "star.md" "hash.md" "bracket.md" "quote.md"
        "winpath.md" "good_quoted.md" "block.md" "dupkey.md" "badtype.md");
    let read: Expected = files
        .into_iter()
        .map(|(name, text)| {
            let Parsed { fields, body, .. } = parse(text);
            assert_eq!(body, "B\n", "{name}");
            let kind = fields.kind.map(|kind| kind.to_string());
            let values =
                [("name", fields.name), ("description", fields.description), ("type", kind)];
            let values = values.map(|(key, value)| (key.to_owned(), value));
            (name.to_owned(), BTreeMap::from(values))
        })
        .collect();
    assert_eq!(read, expected);
}

#[test]
fn what_was_read_leniently_is_noted() {
    let notes = files!("fm-01": "dupkey.md" "badtype.md" "quote.md" "winpath.md" "hash.md" "good_quoted.md")
        .map(|(name, text)| (name, kinds(&parse(text))));
    let needs_quotes = |key| NoteKind::NeedsQuotes { key };
    let as_text = |key, why| NoteKind::ReadAsText { key, why };
    assert_eq!(
        notes,
        [
            ("dupkey.md", vec![NoteKind::Duplicate { key: Key::Name }]),
            ("badtype.md", vec![NoteKind::UnknownType { text: "gotcha".to_owned() }]),
            ("quote.md", vec![as_text(Key::Name, Refusal::QuoteOpen)]),
            ("winpath.md", vec![as_text(Key::Description, Refusal::Escape)]),
            ("hash.md", vec![needs_quotes(Key::Description)]),
            ("good_quoted.md", vec![]),
        ]
    );
}

#[test]
fn dashes_in_a_value_or_in_the_body_are_no_fence() {
    let [dash, body, injected] =
        files!("fm-03": "dash.md" "body.md" "inj.md").map(|(_, text)| parse(text));
    assert_eq!(dash.fields.description.as_deref(), Some("before --- after"));
    assert_eq!((dash.fields.kind, dash.body), (Some(MemoryType::Feedback), "Line 1\n"));
    assert_eq!(body.body, "A\n\n---\n\nB\n---\nname: fake\n---\nC\n");
    assert_eq!(injected.fields.kind, Some(MemoryType::Reference));
    assert_eq!(injected.body, "---\ntype: user\n---\nX\n");
}

#[test]
fn a_type_under_metadata_counts() {
    let expected: BTreeMap<String, String> =
        serde_yaml::from_str(include_str!("../../cases/fm-04/expect.json")).unwrap();
    let parsed = files!("fm-04": "nested.md" "nodetype.md" "both.md" "flat.md")
        .map(|(name, text)| (name, parse(text)));
    let read = parsed.each_ref().map(|(name, parsed)| {
        ((*name).to_owned(), parsed.fields.kind_text.clone().unwrap_or_default().into_owned())
    });
    assert_eq!(BTreeMap::from(read), expected);
    let shapes = parsed.each_ref().map(|(_, parsed)| parsed.shape);
    assert_eq!(shapes, [Shape::Nested, Shape::Nested, Shape::Nested, Shape::Flat]);
    assert_eq!(
        parsed.each_ref().map(|(_, parsed)| kinds(parsed)),
        [vec![], vec![], vec![NoteKind::NestedWins { key: Key::Type }], vec![]]
    );
}
