//! JSON as it stands in a text: where each value begins and ends, so that a change leaves every other byte as it is.

use std::ops::Range;

use serde_json::Value;

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) span: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar,
}

/// A member of an object.
#[derive(Debug)]
pub(super) struct Member {
    key: String,
    /// From the key to the end of the value.
    span: Range<usize>,
    pub(super) value: Node,
}

/// Reads a text that is one JSON value.
///
/// # Errors
///
/// It is not, or it is nested too deeply, with the line and what is wrong there.
pub(super) fn parse(text: &str) -> Result<Node, serde_json::Error> {
    // From here on the text is known to be well-formed, and how deep it is.
    serde_json::from_str::<Value>(text)?;
    let mut reader = Reader { text, at: 0 };
    let empty = Node { span: 0..0, kind: Kind::Scalar };
    Ok(reader.value().unwrap_or(empty))
}

impl Node {
    /// The value of a member; of several with that name the last, as JavaScript has it.
    pub(super) fn member(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            Kind::Object(members) => {
                members.iter().rev().find(|member| member.key == key).map(|member| &member.value)
            }
            Kind::Array(_) | Kind::Scalar => None,
        }
    }

    /// The items of a list; none of anything else.
    pub(super) fn items(&self) -> &[Self] {
        match &self.kind {
            Kind::Array(items) => items,
            Kind::Object(_) | Kind::Scalar => &[],
        }
    }

    /// The text of a string; `None` for anything else.
    pub(super) fn string(&self, text: &str) -> Option<String> {
        serde_json::from_str(text.get(self.span.clone())?).ok()
    }

    /// Where the members or items stand, in order.
    pub(super) fn children(&self) -> Vec<Range<usize>> {
        match &self.kind {
            Kind::Object(members) => members.iter().map(|member| member.span.clone()).collect(),
            Kind::Array(items) => items.iter().map(|item| item.span.clone()).collect(),
            Kind::Scalar => Vec::new(),
        }
    }

    /// What stands between the brackets.
    pub(super) fn inside(&self) -> Range<usize> {
        self.span.start + 1..self.span.end.saturating_sub(1)
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

/// `None` where the text ends or is no JSON, which [`parse`] has ruled out.
impl Reader<'_> {
    fn value(&mut self) -> Option<Node> {
        let start = self.skip_blanks();
        let kind = match self.peek()? {
            b'{' => Kind::Object(self.list(b'}', |reader| {
                let start = reader.skip_blanks();
                reader.skip_string();
                let key = serde_json::from_str(reader.text.get(start..reader.at)?).ok()?;
                reader.skip_blanks();
                reader.at += 1;
                let value = reader.value()?;
                Some(Member { key, span: start..value.span.end, value })
            })?),
            b'[' => Kind::Array(self.list(b']', Self::value)?),
            b'"' => {
                self.skip_string();
                Kind::Scalar
            }
            _ => {
                let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']') || is_blank(*byte);
                let rest = self.text.as_bytes().get(self.at..)?;
                self.at += rest.iter().position(ends).unwrap_or(rest.len());
                Kind::Scalar
            }
        };
        Some(Node { span: start..self.at, kind })
    }

    fn list<T>(&mut self, end: u8, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = Vec::new();
        self.at += 1;
        self.skip_blanks();
        while self.peek()? != end {
            all.push(one(self)?);
            self.skip_blanks();
            if self.peek()? == b',' {
                self.at += 1;
                self.skip_blanks();
            }
        }
        self.at += 1;
        Some(all)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) -> usize {
        while self.peek().is_some_and(is_blank) {
            self.at += 1;
        }
        self.at
    }

    fn skip_string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                break;
            }
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::{Node, parse};

    /// Every value with its text, outermost first.
    fn texts<'t>(text: &'t str, node: &Node, found: &mut Vec<&'t str>) {
        found.push(text.get(node.span.clone()).unwrap());
        for item in node.items() {
            texts(text, item, found);
        }
        if let super::Kind::Object(members) = &node.kind {
            for member in members {
                found.push(text.get(member.span.clone()).unwrap());
                texts(text, &member.value, found);
            }
        }
    }

    #[test]
    fn knows_where_each_value_stands() {
        let text = " { \"a\\\"}\" : [1, -2e5,\n\"b]\\\\\" , {}], \"c\":null }\n";
        let mut found = Vec::new();
        texts(text, &parse(text).unwrap(), &mut found);
        assert_eq!(
            found,
            [
                "{ \"a\\\"}\" : [1, -2e5,\n\"b]\\\\\" , {}], \"c\":null }",
                "\"a\\\"}\" : [1, -2e5,\n\"b]\\\\\" , {}]",
                "[1, -2e5,\n\"b]\\\\\" , {}]",
                "1",
                "-2e5",
                "\"b]\\\\\"",
                "{}",
                "\"c\":null",
                "null",
            ]
        );
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        let text = r#"{"k": 1, "\u006b": "é"}"#;
        let node = parse(text).unwrap();
        assert_eq!(node.member("k").unwrap().string(text).as_deref(), Some("é"));
    }

    #[test]
    fn what_is_no_json_is_an_error_and_never_more() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        for text in ["", " ", "{", "{\"a\" 1}", "{} {}", "// x\n{}", "{\"a\": 1,}", &deep] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
