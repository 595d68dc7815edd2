//! What holds for any text.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use memdir_core::MemoryType;
use memdir_core::frontmatter::{
    BlockEnd, Edit, Field, Key, NewMemory, Origin, Shape, block_end, decode, edit, parse, render,
};
use proptest::prelude::*;

use super::changed;
use super::rendered::NASTY;

/// What frontmatter is made of, in an order that no writer would choose.
fn block_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("---"),
        Just("\n"),
        Just("\r\n"),
        Just("\r"),
        Just("  "),
        Just("\t"),
        Just("- "),
        Just(": "),
        Just("name: "),
        Just("description: "),
        Just("type: user"),
        Just("metadata:"),
        Just("\n  "),
        Just("modified: 2026-01-01"),
        Just("triggers:"),
        Just("paths: "),
        Just("pinned: "),
        Just("\n---\n"),
        Just("\""),
        Just("'"),
        Just("\\"),
        Just("["),
        Just("]"),
        Just("{"),
        Just("}"),
        Just(", "),
        Just("#"),
        Just(" # "),
        Just("|"),
        Just(">-"),
        Just("&a"),
        Just("*a"),
        Just("!x"),
        Just("\u{2028}"),
        Just("\0"),
        Just("\u{feff}"),
        Just("\u{10fffd}\u{e100}"),
        Just("a"),
        Just("周"),
        Just("|2"),
        Just("x: y"),
    ];
    let pieces = proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat());
    prop_oneof![
        pieces.clone(),
        pieces.prop_map(|text| format!("---\n{text}\n---\nB\n")),
        "\\PC*",
        any::<String>(),
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(&NASTY[..]).prop_map(str::to_owned),
        (proptest::sample::select(&NASTY[..]), proptest::sample::select(&NASTY[..]))
            .prop_map(|(one, two)| format!("{one}{two}")),
        any::<String>(),
        "[ -~]{0,20}",
        "\\PC{0,20}",
    ]
}

fn values() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(
        value().prop_filter("items are not empty", |item| !item.is_empty()),
        1..4,
    )
}

fn seconds() -> impl Strategy<Value = SystemTime> {
    (0_u64..4_000_000_000).prop_map(|at| SystemTime::UNIX_EPOCH + Duration::from_secs(at))
}

fn present(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

proptest! {
    #[test]
    fn any_bytes_are_read_and_none_is_lost(bytes: Vec<u8>, text in block_like()) {
        for bytes in [bytes.as_slice(), text.as_bytes()] {
            let (text, _) = decode(bytes);
            let parsed = parse(&text);
            prop_assert_eq!(format!("{}{}", parsed.block, parsed.body), text.as_ref());
            prop_assert_eq!(parsed.shape == Shape::None, parsed.block.trim_start_matches('\u{feff}').is_empty());
            for note in &parsed.notes {
                prop_assert!(!note.to_string().contains(char::is_control));
            }
        }
    }

    #[test]
    fn the_end_of_a_block_is_enough_to_read_it(text in block_like()) {
        match block_end(text.as_bytes()) {
            BlockEnd::At(end) => {
                let (whole, head) = (parse(&text), parse(text.get(..end).unwrap()));
                prop_assert_eq!((whole.fields, whole.notes, whole.shape), (head.fields, head.notes, head.shape));
                for cut in (0..end).filter(|cut| text.is_char_boundary(*cut)) {
                    let part = block_end(&text.as_bytes()[..cut]);
                    prop_assert!(part == BlockEnd::Beyond || part == BlockEnd::NoBlock && cut < 8, "{:?}", part);
                }
            }
            BlockEnd::NoBlock => prop_assert_eq!(parse(&text).shape, Shape::None),
            _ => {}
        }
    }

    #[test]
    fn what_is_written_is_read_back(
        name in value(), description in value(), body in block_like(), session in value(),
        kind in proptest::option::of(proptest::sample::select(&MemoryType::ALL[..])),
        triggers in values(), paths in values(), modified in proptest::option::of(seconds()), pinned: bool,
    ) {
        let mut new = NewMemory::new(&name, &description, kind, &body);
        new.origin_session = Some(&session);
        new.origin = Some(Origin::Agent);
        (new.modified, new.pinned, new.triggers, new.paths) = (modified, pinned, &triggers, &paths);
        let text = render(&new);
        let parsed = parse(&text);
        prop_assert_eq!(parsed.notes, []);
        prop_assert_eq!(parsed.body, &body);
        prop_assert_eq!(parsed.fields.name, present(&name));
        prop_assert_eq!(parsed.fields.description, present(&description));
        prop_assert_eq!(parsed.fields.origin_session, present(&session));
        prop_assert_eq!((parsed.fields.kind, parsed.fields.pinned), (kind, pinned));
        prop_assert_eq!((parsed.fields.triggers, parsed.fields.paths), (triggers, paths));
        prop_assert_eq!(parsed.fields.modified, modified);
    }

    #[test]
    fn a_yaml_reader_reads_what_is_written(name in value(), description in value()) {
        let text = render(&NewMemory::new(&name, &description, None, ""));
        prop_assert_eq!(text.lines().count(), 4);
        let block = text.strip_prefix("---\n").unwrap().strip_suffix("---\n").unwrap();
        let read: BTreeMap<String, serde_yaml::Value> = serde_yaml::from_str(block).unwrap();
        let expected = [("name", name), ("description", description)]
            .map(|(key, value)| (key.to_owned(), serde_yaml::Value::String(value)));
        prop_assert_eq!(read, BTreeMap::from(expected));
    }

    #[test]
    fn an_edit_gives_the_value_and_leaves_the_other_lines(
        text in block_like(), value in value(), items in values(), key in 0..5,
    ) {
        let field = match key {
            0 => Field::Name(&value),
            1 => Field::Description(&value),
            2 => Field::Type(MemoryType::Project),
            3 => Field::Triggers(&items),
            _ => Field::OriginSession(&value),
        };
        let before = parse(&text);
        if let Ok(edited) = edit(&text, &[Edit::Set(field)]) {
            let after = parse(&edited);
            prop_assert_eq!(after.body, before.body);
            match field {
                Field::Name(_) => prop_assert_eq!(after.fields.name, present(&value)),
                Field::Description(_) => prop_assert_eq!(after.fields.description, present(&value)),
                Field::Triggers(_) => prop_assert_eq!(after.fields.triggers, items.as_slice()),
                Field::OriginSession(_) => prop_assert_eq!(after.fields.origin_session, present(&value)),
                _ => prop_assert_eq!(after.fields.kind, Some(MemoryType::Project)),
            }
            prop_assert!(changes_one_place(&text, &edited), "{text:?} {edited:?}");
            prop_assert_eq!(edit(&edited, &[Edit::Set(field)]), Ok(edited));
        }
    }

    #[test]
    fn a_new_body_keeps_the_block(text in block_like(), body in block_like()) {
        let before = parse(&text);
        if let Ok(edited) = edit(&text, &[Edit::Body(&body)]) {
            let after = parse(&edited);
            prop_assert!(after.block.starts_with(before.block));
            prop_assert_eq!((after.body, after.fields), (body.as_str(), before.fields));
        }
    }

    #[test]
    fn a_removed_key_is_gone_and_nothing_else(text in block_like()) {
        let before = parse(&text);
        if let Ok(edited) = edit(&text, &[Edit::Remove(Key::Description)]) {
            let after = parse(&edited);
            prop_assert_eq!(after.fields.description, None);
            prop_assert_eq!((after.body, after.fields.name, after.fields.kind_text),
                (before.body, before.fields.name, before.fields.kind_text));
        }
    }
}

/// Whether the two differ in one run of lines only, and at most one of these is new but for a block or its header.
fn changes_one_place(old: &str, new: &str) -> bool {
    let (_, added) = changed(old, new);
    let is_header = |line: &&str| line.trim() == "metadata:";
    added.len() <= 1
        || parse(old).shape == Shape::None
        || added.len() == 2 && added.first().is_some_and(is_header)
}
