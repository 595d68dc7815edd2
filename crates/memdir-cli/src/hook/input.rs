//! What a client says on stdin, as far as it can be understood.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// Longest name of a conversation that is taken for one. Ours: three times a UUID.
const MAX_SESSION_BYTES: usize = 108;

/// The part of an input that hooks look at; what is missing or of the wrong kind is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Input {
    /// The conversation; letters, digits, `-` and `_` only.
    pub(super) session: Option<String>,
    /// The client's working folder, absolute.
    pub(super) cwd: Option<PathBuf>,
    pub(super) prompt: Option<String>,
    /// How the conversation began.
    pub(super) source: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Wire<'a> {
    #[serde(borrow)]
    session_id: Loose<'a>,
    #[serde(borrow)]
    cwd: Loose<'a>,
    #[serde(borrow)]
    prompt: Loose<'a>,
    #[serde(borrow)]
    source: Loose<'a>,
}

/// A text, or something else that stands where one should.
#[derive(Deserialize)]
#[serde(untagged)]
enum Loose<'a> {
    #[serde(borrow)]
    Text(Cow<'a, str>),
    Other(IgnoredAny),
}

impl Default for Loose<'_> {
    fn default() -> Self {
        Self::Other(IgnoredAny)
    }
}

impl Loose<'_> {
    fn text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.into_owned()),
            Self::Other(_) => None,
        }
    }
}

impl Input {
    /// Reads an input; `None` where it is no JSON object. What is not UTF-8 is read as U+FFFD, and half a surrogate pair
    /// likewise, which is no text but which clients written in JavaScript send.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        Self::parse(text).or_else(|| Self::parse(&without_half_pairs(text)))
    }

    fn parse(text: &str) -> Option<Self> {
        // A list of values would pass for the fields in their order.
        text.trim_start().strip_prefix('{')?;
        let wire: Wire<'_> = serde_json::from_str(text).ok()?;
        Some(Self {
            session: wire.session_id.text().filter(|session| is_name(session)),
            cwd: wire.cwd.text().map(PathBuf::from).filter(|cwd| cwd.is_absolute()),
            prompt: wire.prompt.text(),
            source: wire.source.text(),
        })
    }
}

fn is_name(session: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=MAX_SESSION_BYTES).contains(&session.len()) && session.bytes().all(is_plain)
}

/// JSON whose escapes of half a surrogate pair are those of U+FFFD.
fn without_half_pairs(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((before, escape)) = rest.split_once('\\') {
        out.push_str(before);
        let low = |after: &str| after.strip_prefix('\\').and_then(unit);
        let len = match unit(escape) {
            Some(0xd800..=0xdbff)
                if matches!(escape.get(5..).and_then(low), Some(0xdc00..=0xdfff)) =>
            {
                11
            }
            Some(0xd800..=0xdfff) => {
                out.push_str("\\ufffd");
                rest = escape.get(5..).unwrap_or_default();
                continue;
            }
            _ => escape.chars().next().map_or(0, char::len_utf8),
        };
        let (kept, after) = escape.split_at_checked(len).unwrap_or((escape, ""));
        out.push('\\');
        out.push_str(kept);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The UTF-16 unit of an escape without its backslash, `ud83d`.
fn unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix('u')?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Input, without_half_pairs};

    fn check(json: impl AsRef<[u8]>, expect: Option<[Option<&str>; 4]>) {
        let found = Input::read(json.as_ref());
        let expect = expect.map(|fields| {
            let [session, cwd, prompt, source] = fields.map(|field| field.map(str::to_owned));
            Input { session, cwd: cwd.map(Into::into), prompt, source }
        });
        assert_eq!(found, expect, "{}", String::from_utf8_lossy(json.as_ref()));
    }

    #[test]
    fn takes_what_is_there_and_passes_over_the_rest() {
        let absolute = if cfg!(windows) { "C:/w" } else { "/w" };
        check(
            format!(
                "\u{feff}{{\"new\": [1, {{}}], \"session_id\": \"a-1_B\", \"cwd\": {absolute:?}, \"prompt\": \"a\\nb\", \"source\": \"compact\"}}"
            ),
            Some([Some("a-1_B"), Some(absolute), Some("a\nb"), Some("compact")]),
        );
        check("{}", Some([None; 4]));
        check(r#"{"session_id": 1, "cwd": null, "prompt": ["x"], "source": {}}"#, Some([None; 4]));
        check(b"{\"prompt\": \"\xff\"}", Some([None, None, Some("\u{fffd}"), None]));
        // Neither can be a conversation's name in the trail, nor this a folder.
        check(r#"{"session_id": "a\"b", "cwd": "../x"}"#, Some([None; 4]));
        check(r#"{"session_id": ""}"#, Some([None; 4]));
    }

    #[test]
    fn what_is_no_object_is_no_input() {
        for json in ["", "x", "[]", "{", "{\"prompt\": \"", "\"prompt\"", "1", "\0"] {
            check(json, None);
        }
    }

    #[test]
    fn half_a_surrogate_pair_is_a_replacement_character() {
        check(
            r#"{"prompt": "\ud83d\ude00 \ud83d \ude00\\ud83d \ud83d\u0041 \uD83D"}"#,
            Some([None, None, Some("\u{1f600} \u{fffd} \u{fffd}\\ud83d \u{fffd}A \u{fffd}"), None]),
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_input_or_none(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            drop(Input::read(&bytes));
        }

        #[test]
        fn escapes_of_text_stay_as_they_are(text in "\\PC*") {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(without_half_pairs(&json), json);
        }
    }
}
