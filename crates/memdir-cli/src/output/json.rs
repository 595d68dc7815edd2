//! JSON whose strings a terminal may print: what `serde_json` leaves raw and a terminal obeys becomes `\uXXXX`.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

pub(super) fn to_string(
    value: &impl Serialize,
    indented: bool,
) -> Result<String, serde_json::Error> {
    let mut bytes = Vec::new();
    write(value, indented, &mut bytes)?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

pub(super) fn write(
    value: &impl Serialize,
    indented: bool,
    to: impl Write,
) -> Result<(), serde_json::Error> {
    if indented {
        value.serialize(&mut Serializer::with_formatter(to, Visible(PrettyFormatter::new())))
    } else {
        value.serialize(&mut Serializer::with_formatter(to, Visible(CompactFormatter)))
    }
}

/// DEL and C1 controls, bidirectional controls, zero-width and tag characters, line and paragraph separators.
fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Passes everything through to the formatter inside except pieces of strings.
struct Visible<F>(F);

macro_rules! pass_through {
    ($($name:ident($($arg:ident: $kind:ty),*);)*) => {$(
        fn $name<W: ?Sized + Write>(&mut self, writer: &mut W $(, $arg: $kind)*) -> io::Result<()> {
            self.0.$name(writer $(, $arg)*)
        }
    )*};
}

impl<F: Formatter> Formatter for Visible<F> {
    pass_through! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        end_object_key();
        begin_object_value();
        end_object_value();
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_visible(writer, fragment)
    }

    /// JSON that is passed on as it stands. What is unsafe can only be within its strings.
    fn write_raw_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_visible(writer, fragment)
    }
}

fn write_visible<W: ?Sized + Write>(writer: &mut W, text: &str) -> io::Result<()> {
    let mut rest = text;
    while let Some((before, c, after)) = split_at_unsafe(rest) {
        writer.write_all(before.as_bytes())?;
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(writer, "\\u{unit:04x}")?;
        }
        rest = after;
    }
    writer.write_all(rest.as_bytes())
}

fn split_at_unsafe(text: &str) -> Option<(&str, char, &str)> {
    // Nearly every fragment is ASCII, of which only DEL is unsafe and not escaped already.
    if text.bytes().all(|byte| byte < 0x7f) {
        return None;
    }
    let (at, c) = text.char_indices().find(|(_, c)| is_unsafe(*c))?;
    let (before, rest) = text.split_at_checked(at)?;
    Some((before, c, rest.split_at_checked(c.len_utf8())?.1))
}

#[cfg(test)]
mod tests {
    use super::to_string;

    #[test]
    fn strings_hold_nothing_that_a_terminal_obeys_and_read_back_equal() {
        let text = "a\u{1b}[2J\u{9b}31m\u{202e}b\u{200b}\u{e0041}\u{7f}\u{2028}é记忆\"\\";
        let json = to_string(&[text], false).unwrap();
        assert_eq!(
            json,
            r#"["a\u001b[2J\u009b31m\u202eb\u200b\udb40\udc41\u007f\u2028é记忆\"\\"]"#
        );
        assert_eq!(serde_json::from_str::<[String; 1]>(&json).unwrap(), [text]);
    }

    #[test]
    fn json_that_is_passed_on_holds_nothing_of_that_either() {
        let raw = serde_json::value::RawValue::from_string(
            "{\"a\u{202e}\": [1.50, \"\u{9b}\u{7f}\"]}".into(),
        );
        assert_eq!(
            to_string(&raw.unwrap(), false).unwrap(),
            r#"{"a\u202e": [1.50, "\u009b\u007f"]}"#
        );
    }
}
