//! JSON as far as a transcript needs it: where a value ends, and what a string says.
//!
//! Sessions hold what strict parsers refuse, such as half surrogate pairs and bytes that are not UTF-8. So values are
//! found by their structure alone, and strings are read with replacement characters.

use std::borrow::Cow;

use memchr::memchr2;

use crate::text;

/// What a byte outside of strings may do; everything else cannot stand there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    Quote,
    Open,
    Close,
    Wrong,
}

#[inline]
const fn class(byte: u8) -> Class {
    match byte {
        b'"' => Class::Quote,
        b'{' | b'[' => Class::Open,
        b'}' | b']' => Class::Close,
        // White space, separators, numbers, and the letters of `true`, `false` and `null`.
        b' '
        | b'\t'
        | b'\r'
        | b'\n'
        | b','
        | b':'
        | b'0'..=b'9'
        | b'+'
        | b'-'
        | b'.'
        | b'e'
        | b'E'
        | b't'
        | b'r'
        | b'u'
        | b'f'
        | b'a'
        | b'l'
        | b's'
        | b'n' => Class::Plain,
        _ => Class::Wrong,
    }
}

/// The end of a string, behind its closing quote; `at` is behind the opening one.
#[inline]
pub(crate) fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let found = at + memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(found) == Some(&b'"') {
            return Some(found + 1);
        }
        at = found + 2;
    }
}

/// The end of what is open `depth` times at `at`.
#[inline]
pub(crate) fn nested_end(bytes: &[u8], mut at: usize, mut depth: usize) -> Option<usize> {
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        match class(byte) {
            Class::Plain => {}
            Class::Quote => at = string_end(bytes, at)?,
            Class::Open => depth += 1,
            Class::Close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            Class::Wrong => return None,
        }
    }
}

/// The end of the value that begins at `at`.
#[inline]
pub(crate) fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'"' => string_end(bytes, at + 1),
        b'{' | b'[' => nested_end(bytes, at + 1, 1),
        _ => {
            let plain =
                |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
            let length = bytes.get(at..)?.iter().take_while(|byte| plain(byte)).count();
            (length > 0).then_some(at + length)
        }
    }
}

/// The first byte from `at` on that is no white space.
#[inline]
pub(crate) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Walks the object whose brace is at `at` and returns its end, or nothing where it is not whole.
///
/// `each` is given the raw key and the start of its value, and returns the value's end.
#[inline]
pub(crate) fn object<'a>(
    bytes: &'a [u8],
    at: usize,
    mut each: impl FnMut(&'a [u8], usize) -> Option<usize>,
) -> Option<usize> {
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let mut at = skip_space(bytes, at + 1);
    if bytes.get(at) == Some(&b'}') {
        return Some(at + 1);
    }
    loop {
        if bytes.get(at) != Some(&b'"') {
            return None;
        }
        let end = string_end(bytes, at + 1)?;
        let key = bytes.get(at + 1..end - 1)?;
        at = skip_space(bytes, end);
        if bytes.get(at) != Some(&b':') {
            return None;
        }
        at = each(key, skip_space(bytes, at + 1))?;
        at = skip_space(bytes, at);
        match bytes.get(at)? {
            b',' => at = skip_space(bytes, at + 1),
            b'}' => return Some(at + 1),
            _ => return None,
        }
    }
}

/// One value, from its first to its last byte.
#[derive(Clone, Copy)]
pub(crate) struct Json<'a>(&'a [u8]);

impl<'a> Json<'a> {
    /// The value that `bytes` begins with.
    pub(crate) fn first(bytes: &'a [u8]) -> Option<Self> {
        let at = skip_space(bytes, 0);
        Self::at(bytes, at)
    }

    fn at(bytes: &'a [u8], at: usize) -> Option<Self> {
        bytes.get(at..value_end(bytes, at)?).map(Self)
    }

    /// The value as it is written; bytes that are not UTF-8 show as U+FFFD.
    pub(crate) fn raw(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.0)
    }

    pub(crate) fn is_object(self) -> bool {
        self.0.first() == Some(&b'{')
    }

    pub(crate) fn is_array(self) -> bool {
        self.0.first() == Some(&b'[')
    }

    pub(crate) fn is_null(self) -> bool {
        self.0 == b"null"
    }

    pub(crate) fn str(self) -> Option<Cow<'a, str>> {
        Some(text::decode(self.0.strip_prefix(b"\"")?.strip_suffix(b"\"")?))
    }

    pub(crate) fn bool(self) -> Option<bool> {
        match self.0 {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    pub(crate) fn u64(self) -> Option<u64> {
        std::str::from_utf8(self.0).ok()?.parse().ok()
    }

    /// The value of a key; of a key that stands twice, the last.
    pub(crate) fn get(self, key: &str) -> Option<Self> {
        let mut found = None;
        object(self.0, 0, |name, at| {
            let end = value_end(self.0, at)?;
            if name == key.as_bytes() {
                found = self.0.get(at..end).map(Self);
            }
            Some(end)
        });
        found
    }

    /// Every key and its value, in the order of the file.
    pub(crate) fn fields(self) -> Vec<(String, Self)> {
        let mut fields = Vec::new();
        object(self.0, 0, |name, at| {
            let end = value_end(self.0, at)?;
            fields.push((text::decode(name).into_owned(), Self(self.0.get(at..end)?)));
            Some(end)
        });
        fields
    }

    /// The values of an array; none for anything else.
    pub(crate) fn items(self) -> Items<'a> {
        let at = if self.is_array() { skip_space(self.0, 1) } else { self.0.len() };
        Items { bytes: self.0, at }
    }
}

pub(crate) struct Items<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        let item = Json::at(self.bytes, self.at)?;
        let behind = skip_space(self.bytes, self.at + item.0.len());
        self.at = match self.bytes.get(behind) {
            Some(b',') => skip_space(self.bytes, behind + 1),
            _ => self.bytes.len(),
        };
        Some(item)
    }
}
