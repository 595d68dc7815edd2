//! The rules that a name must pass.

use std::borrow::Cow;

use memchr::memchr_iter;
use unicode_normalization::UnicodeNormalization;

use super::fault::{PathFault, shown};
use crate::{
    limits, percent,
    text::{is_control, is_default_ignorable, is_stable},
};

/// A decomposed spelling has at most this many times the bytes of its composed one.
const NFD_GROWTH: usize = 3;

/// The longest base of a reserved name that is made of letters and digits: `COM1`.
const LONGEST_RESERVED: usize = 4;

/// Returns the path in normal form C if it passes every rule.
pub(super) fn check(text: &str) -> Result<String, PathFault> {
    if is_plain(text) { Ok(text.to_owned()) } else { check_rules(text) }
}

/// Tells of most names at a glance that no rule forbids them; listing a large directory is a third faster for it.
fn is_plain(text: &str) -> bool {
    let mut names = text.as_bytes().split(|&byte| byte == b'/');
    text.len() <= limits::MAX_NAME_BYTES && names.all(is_plain_name)
}

fn is_plain_name(name: &[u8]) -> bool {
    let start: Option<&[u8; LONGEST_RESERVED + 1]> = name.first_chunk();
    // Without an early end, so that many bytes are looked at in one step.
    let all_plain = name.iter().fold(true, |all_plain, byte| {
        all_plain & (byte.is_ascii_alphanumeric() | matches!(byte, b'_' | b'-' | b'.'))
    });
    all_plain
        && start.is_some_and(|start| !start.starts_with(b"-") && !start.contains(&b'.'))
        && memchr_iter(b'.', name).all(|at| !matches!(name.get(at + 1), None | Some(b'.')))
}

fn check_rules(text: &str) -> Result<String, PathFault> {
    let too_long = |bytes| PathFault::PathTooLong { path: shown(text), bytes };
    if text.len() > limits::MAX_PATH_BYTES * NFD_GROWTH {
        return Err(too_long(text.len()));
    }
    let stable = text.chars().all(is_stable);
    let path: String = if stable { text.to_owned() } else { text.nfc().collect() };
    if path.is_empty() {
        return Err(PathFault::Empty);
    }
    if path.len() > limits::MAX_PATH_BYTES {
        return Err(too_long(path.len()));
    }
    if let Some(reason) = outside_start(&path) {
        return Err(PathFault::NotRelative { path: shown(&path), reason });
    }
    if let Some(character) = path.chars().find_map(bad_character) {
        return Err(PathFault::Character { path: shown(&path), character });
    }
    for name in path.split('/') {
        check_name(&path, name)?;
    }
    if !stable || path.contains('%') {
        check_other_readings(&path)?;
    }
    Ok(path)
}

fn outside_start(path: &str) -> Option<&'static str> {
    let mut chars = path.chars();
    let (first, second) = (chars.next(), chars.next());
    match (first, second) {
        (Some('/' | '\\'), Some('/' | '\\')) => Some("it is a network or device path"),
        (Some('/' | '\\'), _) => Some("it is absolute"),
        (Some('~'), _) => Some("`~` stands for a home directory"),
        (Some('$'), _) => Some("`$` begins a variable"),
        (Some('%'), _) if names_variable(path) => Some("`%` begins a variable"),
        (Some(drive), Some(':')) if drive.is_ascii_alphabetic() => Some("it names a drive"),
        _ if path.contains("://") => Some("it is a URL"),
        _ => None,
    }
}

/// `%APPDATA%`, but not `%E5%9B%BA`, which is percent-encoding.
fn names_variable(path: &str) -> bool {
    let name = path.strip_prefix('%').and_then(|rest| rest.split_once('%')).map(|(name, _)| name);
    name.is_some_and(|name| {
        name.len() != 2
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '(' | ')'))
    })
}

fn bad_character(c: char) -> Option<String> {
    let what = match c {
        '\\' => "a backslash",
        ':' => "a colon, which names a drive or a stream on Windows",
        c if is_control(c) => "a control character",
        c if is_default_ignorable(c) => "an invisible or text-reordering character",
        c if looks_like_separator(c) => "a look-alike of a path separator",
        _ => return None,
    };
    Some(format!("{what} (U+{:04X})", u32::from(c)))
}

/// Characters that a reader takes for `/` or `\` although their compatibility form is another; see Unicode's
/// `confusables.txt`. Letters that merely resemble a stroke (`丿`, `ノ`) are not among them.
fn looks_like_separator(c: char) -> bool {
    matches!(
        c,
        '\u{2044}'
            | '\u{2215}'
            | '\u{2216}'
            | '\u{2571}'
            | '\u{2572}'
            | '\u{27CB}'
            | '\u{27CD}'
            | '\u{29F5}'
            | '\u{29F8}'
            | '\u{29F9}'
    )
}

fn check_name(path: &str, name: &str) -> Result<(), PathFault> {
    if name.is_empty() || name == "." {
        return Err(PathFault::NotPlain { path: shown(path) });
    }
    if name.contains("..") {
        return Err(PathFault::Parent { path: shown(path) });
    }
    let name_of = || shown(name);
    if name.starts_with('.') {
        return Err(PathFault::Hidden { name: name_of() });
    }
    if name.starts_with('-') {
        return Err(PathFault::LeadingDash { name: name_of() });
    }
    if name.ends_with('.') {
        return Err(PathFault::TrailingDot { name: name_of() });
    }
    if name.trim() != name {
        return Err(PathFault::OuterSpace { name: name_of() });
    }
    if name.len() > limits::MAX_NAME_BYTES {
        return Err(PathFault::NameTooLong { name: name_of(), bytes: name.len() });
    }
    if is_reserved(name) {
        return Err(PathFault::Reserved { name: name_of() });
    }
    if is_short_alias(name) {
        return Err(PathFault::ShortAlias { name: name_of() });
    }
    Ok(())
}

/// Windows opens a device for these names in any case, before any ending, with spaces before the dot, and reads
/// superscript digits as digits.
fn is_reserved(name: &str) -> bool {
    let base = name.split_once('.').map_or(name, |(base, _)| base).trim_end();
    let base = base.to_ascii_uppercase();
    if matches!(&*base, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$") {
        return true;
    }
    let port = base.strip_prefix("COM").or_else(|| base.strip_prefix("LPT"));
    port.is_some_and(|number| {
        let mut digits = number.chars();
        matches!((digits.next(), digits.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
    })
}

/// NTFS opens a long name under a made-up 8.3 one too: `MEMDIR~1` would be the private folder `.memdir`.
fn is_short_alias(name: &str) -> bool {
    let (base, ending) = name.split_once('.').unwrap_or((name, ""));
    base.len() <= 8
        && ending.len() <= 3
        && base.rsplit_once('~').is_some_and(|(head, number)| {
            !head.is_empty() && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
        })
}

/// Refuses names that mean something else to a reader that decodes percent signs or folds to NFKC, once or repeatedly.
fn check_other_readings(path: &str) -> Result<(), PathFault> {
    for name in path.split('/') {
        let mut reading = Cow::Borrowed(name);
        let mut decoded_once = false;
        loop {
            let fault = |reason| {
                let path = shown(path);
                if decoded_once {
                    PathFault::Encoded { path, reason }
                } else {
                    PathFault::Disguised { path, reason }
                }
            };
            let folded: String = reading.nfkc().collect();
            if let Some(reason) = unsafe_reading(&folded) {
                return Err(fault(reason));
            }
            // Not asked of the folded form, in which `½` holds a fraction slash.
            if reading.chars().any(looks_like_separator) {
                return Err(fault("holds a look-alike of a path separator"));
            }
            let Some(decoded) = percent::decode(&folded) else { break };
            let Ok(decoded) = String::from_utf8(decoded) else {
                // An overlong spelling of a dot or a slash is none.
                return Err(PathFault::Encoded { path: shown(path), reason: "is not UTF-8" });
            };
            decoded_once = true;
            reading = Cow::Owned(decoded);
        }
    }
    Ok(())
}

fn unsafe_reading(name: &str) -> Option<&'static str> {
    if name.contains(['/', '\\']) {
        Some("holds a path separator")
    } else if name.contains("..") {
        Some("holds `..`")
    } else if name.starts_with('.') {
        Some("begins with a dot")
    } else if name.chars().any(|c| is_control(c) || is_default_ignorable(c)) {
        Some("holds a control or invisible character")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_plain_passes_every_rule(text in "[aNUL15C_./-]{0,12}|[a-zA-Z0-9_./-]{0,40}|(com[0-9]|nul|a)[./a-]{0,6}") {
            if is_plain(&text) {
                prop_assert_eq!(check_rules(&text), Ok(text));
            }
        }
    }

    #[test]
    fn usual_names_are_plain() {
        for name in ["user_role.md", "billing/reference_tax-rates.md", "MEMORY.md", "a_b_c.d.md"] {
            assert!(is_plain(name), "{name}");
        }
        for name in
            ["a.md", "nul.md", "com1.md", "x/.memdir", "-first.md", "two..dots.md", "end.", ""]
        {
            assert!(!is_plain(name), "{name}");
        }
    }
}
