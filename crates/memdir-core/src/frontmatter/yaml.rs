//! The YAML reader, given one quoted or block scalar at a time.
//!
//! What it gets holds no anchor, alias, tag, bracket or second key, so none of its costs beyond linear ones can arise.

use std::collections::BTreeMap;

/// Announces a character that the reader takes for a line break, or refuses; the next one says which.
///
/// Only a text that spells this very character as an escape, and one of the stand-ins after it, is misread; no text has
/// a use for them.
const SHIELD: char = '\u{10fffd}';

/// Controls stand for themselves, so many places into the private use area; the others follow them.
const PRIVATE: u32 = 0xe000;
const OTHERS: [(char, char); 6] = [
    ('\u{2028}', '\u{e100}'),
    ('\u{2029}', '\u{e101}'),
    ('\u{feff}', '\u{e102}'),
    ('\u{fffe}', '\u{e103}'),
    ('\u{ffff}', '\u{e104}'),
    (SHIELD, '\u{e105}'),
];

/// Reads one quoted scalar, quotes included; `None` if the reader refuses it.
pub(super) fn quoted(slice: &str) -> Option<String> {
    serde_yaml::from_str::<String>(&shield(slice)).ok().map(|text| unshield(&text))
}

/// Reads a block scalar below a key with this indent; `None` if the reader refuses it.
pub(super) fn block(indent: usize, header: &str, lines: &str) -> Option<String> {
    let document = format!("{:indent$}v: {}\n{}", "", shield(header), shield(lines));
    let mut map = serde_yaml::from_str::<BTreeMap<String, String>>(&document).ok()?;
    map.remove("v").map(|text| unshield(&text))
}

fn shield(text: &str) -> String {
    let mut shielded = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let stand_in = match char {
            '\t' | '\n' => None,
            '\r' if chars.peek() == Some(&'\n') => None,
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => char::from_u32(PRIVATE + u32::from(char)),
            _ => OTHERS.iter().find(|(other, _)| *other == char).map(|&(_, stand_in)| stand_in),
        };
        match stand_in {
            Some(stand_in) => shielded.extend([SHIELD, stand_in]),
            None => shielded.push(char),
        }
    }
    shielded
}

fn unshield(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        let stand_in = if char == SHIELD { chars.clone().next() } else { None };
        let other = stand_in.and_then(|stand_in| {
            OTHERS.iter().find(|&&(_, own)| own == stand_in).map(|&(other, _)| other).or_else(
                || {
                    u32::from(stand_in)
                        .checked_sub(PRIVATE)
                        .filter(|&code| code <= 0x9f)
                        .and_then(char::from_u32)
                },
            )
        });
        match other {
            Some(other) => {
                chars.next();
                plain.push(other);
            }
            None => plain.push(char),
        }
    }
    plain
}
