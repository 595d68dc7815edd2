//! What holds for every text that somebody offers as a name.

use std::path::{Component, Path};

use memdir_core::MemPath;
use proptest::prelude::*;
use unicode_normalization::{UnicodeNormalization, is_nfc};

#[test]
fn no_single_character_makes_a_name_that_some_reader_takes_for_two() {
    for c in ('\0'..='\u{1ffff}').chain('\u{e0000}'..='\u{e01ff}') {
        let name = format!("a{c}b.md");
        if c != '/' && MemPath::parse(&name).is_ok() {
            let folded: String = name.nfkc().collect();
            assert!(!folded.contains(['/', '\\', '\0']) && !folded.contains(".."), "{name:?}");
        }
    }
}

/// Text made mostly of what the rules are about.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,3}",
        Just("..".to_owned()),
        Just("/".to_owned()),
        Just("\\".to_owned()),
        Just(".md".to_owned()),
        Just("%2e".to_owned()),
        Just("%25".to_owned()),
        Just("％".to_owned()),
        Just("．".to_owned()),
        Just("é".to_owned()),
        Just("\u{301}".to_owned()),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn an_accepted_path_stays_in_the_root_and_parses_to_itself(text in prop_oneof![hostile(), "\\PC{0,12}", any::<String>()]) {
        let Ok(path) = MemPath::parse(&text) else { return Ok(()) };
        let root = Path::new("/srv/memory");
        let joined = root.join(path.as_str());
        prop_assert!(joined.starts_with(root));
        let below: Vec<_> = joined.strip_prefix(root).expect("below").components().collect();
        prop_assert!(!below.is_empty() && below.iter().all(|part| matches!(part, Component::Normal(_))));
        prop_assert_eq!(below.len(), path.components().count());
        prop_assert!(is_nfc(path.as_str()));
        prop_assert_eq!(MemPath::parse(path.as_str()), Ok(path.clone()));
        prop_assert_eq!(path.as_str(), text.nfc().collect::<String>());
        let nfd: String = text.nfd().collect();
        prop_assert_eq!(MemPath::parse(&nfd).map(|twin| twin.twin_key()), Ok(path.twin_key()));
    }

    #[test]
    fn a_refusal_is_one_short_printable_line(text in prop_oneof![hostile(), any::<String>()]) {
        if let Err(fault) = MemPath::parse(&text) {
            let message = fault.to_string();
            prop_assert!(message.len() < 1_200, "{}", message);
            let hidden = |c: char| c.is_control() || ['\u{2028}', '\u{202e}'].contains(&c);
            prop_assert!(!message.chars().any(hidden));
        }
    }
}
