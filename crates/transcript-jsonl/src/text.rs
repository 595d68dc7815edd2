//! Strings as sessions hold them: read with replacement characters, and mended into valid JSON.

use std::borrow::Cow;

use memchr::memchr;

use crate::json::string_end;
use crate::note::Reason;

/// What a raw string, without its quotes, says.
pub(crate) fn decode(raw: &[u8]) -> Cow<'_, str> {
    let Some(first) = memchr(b'\\', raw) else { return String::from_utf8_lossy(raw) };
    let mut out = String::with_capacity(raw.len());
    let (plain, mut rest) = raw.split_at(first);
    out.push_str(&String::from_utf8_lossy(plain));
    while let [b'\\', escape, behind @ ..] = rest {
        rest = behind;
        match escape {
            b'n' => out.push('\n'),
            b't' => out.push('\t'),
            b'r' => out.push('\r'),
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'u' => {
                let (c, behind) = unicode(rest);
                out.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
                rest = behind;
            }
            other => out.push(char::from(*other)),
        }
        let (plain, behind) = rest.split_at(memchr(b'\\', rest).unwrap_or(rest.len()));
        out.push_str(&String::from_utf8_lossy(plain));
        rest = behind;
    }
    Cow::Owned(out)
}

/// The character of an escape whose hexadecimal digits `rest` begins with, nothing for half a pair, and what follows.
fn unicode(rest: &[u8]) -> (Option<char>, &[u8]) {
    let Some((unit, behind)) = hex(rest) else { return (None, rest) };
    if let Some(c) = char::from_u32(unit) {
        return (Some(c), behind);
    }
    let low = behind.strip_prefix(b"\\u").and_then(hex);
    match low {
        Some((low @ 0xdc00..=0xdfff, after)) if unit < 0xdc00 => {
            (char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00)), after)
        }
        _ => (None, behind),
    }
}

fn hex(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, behind) = bytes.split_at_checked(4)?;
    let digit = |value: u32, byte: &u8| Some(value * 16 + char::from(*byte).to_digit(16)?);
    Some((digits.iter().try_fold(0, digit)?, behind))
}

/// A line whose strings are valid JSON and valid UTF-8, and what was odd about them.
pub(crate) struct Mended<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) reasons: Vec<Reason>,
}

/// Mends the strings of one object; borrows where nothing is wrong with them.
pub(crate) fn mend(line: &[u8]) -> Mended<'_> {
    let mut reasons = Vec::new();
    let text = String::from_utf8_lossy(line);
    if matches!(text, Cow::Owned(_)) {
        reasons.push(Reason::NotUtf8);
    }
    let bytes = text.as_bytes();
    let controls = bytes.iter().any(|byte| *byte < b' ');
    let mut out = String::new();
    // Up to where `text` is in `out`.
    let mut copied = 0;
    let mut put = |from: usize, to: usize, instead: &str, reason: Reason| {
        out.push_str(text.get(copied..from).unwrap_or_default());
        out.push_str(instead);
        copied = to;
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    };
    let mut at = 0;
    while let Some(open) = memchr(b'"', bytes.get(at..).unwrap_or_default()) {
        let start = at + open + 1;
        at = string_end(bytes, start).unwrap_or(bytes.len());
        let string = bytes.get(start..at).unwrap_or_default();
        if controls || memchr(b'\\', string).is_some() {
            mend_string(string, start, &mut put);
        }
    }
    let text = if copied == 0 {
        text
    } else {
        out.push_str(text.get(copied..).unwrap_or_default());
        Cow::Owned(out)
    };
    if separators(text.as_bytes()) {
        reasons.push(Reason::LineSeparator);
    }
    Mended { text, reasons }
}

fn mend_string(string: &[u8], start: usize, put: &mut impl FnMut(usize, usize, &str, Reason)) {
    let mut at = 0;
    while let Some(rest @ [byte, ..]) = string.get(at..) {
        match rest {
            [b'\\', b'u', digits @ ..] => {
                let (c, behind) = unicode(digits);
                let length = rest.len() - behind.len();
                if c.is_none() && hex(digits).is_some() {
                    put(start + at, start + at + length, "\\ufffd", Reason::LoneSurrogate);
                }
                at += length;
            }
            [b'\\', ..] => at += 2,
            [0..=0x1f, ..] => {
                let escaped = format!("\\u{byte:04x}");
                put(start + at, start + at + 1, &escaped, Reason::ControlCharacter);
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// Whether U+2028 or U+2029 occurs.
fn separators(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"\xe2\x80\xa8").is_some()
        || memchr::memmem::find(text, b"\xe2\x80\xa9").is_some()
}

/// The start of a text up to a number of bytes, never within a character.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
