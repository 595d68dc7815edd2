//! Keys that are broken over several lines.

use std::ops::Range;

use crate::fold::Folded;

/// A text with line ends taken out where a key may go on in the next line.
#[derive(Debug)]
pub(super) struct Joined {
    folded: Folded,
    /// Where the lines were joined, ascending.
    joins: Vec<Join>,
}

/// A line end, with the blanks and quote marks around it, that may stand within a key.
#[derive(Debug)]
struct Break {
    span: Range<usize>,
    /// What is on both sides looks like parts of a key.
    is_keyish: bool,
    /// The next line may as well assign a value to a name.
    is_loose: bool,
}

/// Where two lines were joined.
#[derive(Debug)]
struct Join {
    at: usize,
    is_loose: bool,
}

/// Joins lines in the middle of what looks like a key; `None` where no line does.
pub(super) fn join(text: &[u8]) -> Option<Joined> {
    let mut joined = Joined { folded: Folded::default(), joins: Vec::new() };
    let mut done = 0;
    let mut last: Option<Break> = None;
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        let next = break_at(text, at, last.as_ref());
        if let Some(here) = next.as_ref().filter(|here| here.is_keyish && here.span.start >= done) {
            joined.copy(text, done..here.span.start);
            joined.joins.push(Join { at: joined.bytes().len(), is_loose: here.is_loose });
            done = here.span.end;
        }
        last = next;
    }
    if joined.joins.is_empty() {
        return None;
    }
    joined.copy(text, done..text.len());
    Some(joined)
}

impl Joined {
    fn copy(&mut self, text: &[u8], range: Range<usize>) {
        self.folded.push_copy(text.get(range.clone()).unwrap_or_default(), range.start);
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.folded.bytes()
    }

    /// The part of the text that was joined, line ends included.
    pub(super) fn original(&self, span: &Range<usize>) -> Range<usize> {
        self.folded.original(span)
    }

    /// Whether lines were joined in the middle of a part; strictly: with no doubt about any of the joins.
    pub(super) fn is_joined_within(&self, span: &Range<usize>, strictly: bool) -> bool {
        let after = self.joins.partition_point(|join| join.at <= span.start);
        let mut within =
            self.joins.iter().skip(after).take_while(|join| join.at < span.end).peekable();
        within.peek().is_some() && !(strictly && within.any(|join| join.is_loose))
    }
}

/// The line end at `at`, if key characters are on both sides and what follows is no line of its own kind.
fn break_at(text: &[u8], at: usize, last: Option<&Break>) -> Option<Break> {
    let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
    let start = at - before.iter().rev().take_while(|byte| b" \t\r\\".contains(byte)).count();
    let end = at + 1 + after.iter().take_while(|byte| b" \t>".contains(byte)).count();
    let head = text.get(..start)?;
    let head_len = head.iter().rev().take_while(|byte| is_key(**byte)).count();
    let tail = text.get(end..)?;
    let tail_len = tail.iter().take_while(|byte| is_key(**byte)).count();
    let (head, rest) = (head.get(start - head_len..)?, tail.get(tail_len..)?);
    let tail = tail.get(..tail_len)?;
    let calls = rest.starts_with(b"(");
    let is_prose =
        matches!(rest, [b' ', next, ..] if next.is_ascii_alphanumeric()) && is_word(tail);
    if head.is_empty() || !goes_on_like_key(tail) || calls || is_prose {
        return None;
    }
    // A part of a longer key need not show what the parts before it do.
    let goes_on = last.is_some_and(|last| last.is_keyish && last.span.end + head_len == start);
    let is_keyish = goes_on || looks_like_key(head) || looks_like_key(tail);
    Some(Break { span: start..end, is_keyish, is_loose: assigns(head) || assigns(tail) })
}

/// Letters, digits and the signs that keys have.
pub(super) fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-+/=.~%:@|!".contains(&byte)
}

/// No list item, no fence, no rule, no name before a colon.
fn goes_on_like_key(tail: &[u8]) -> bool {
    tail.iter().take(2).any(u8::is_ascii_alphanumeric) && !tail.ends_with(b":")
}

/// Letters, none of them a capital but the first.
fn is_word(part: &[u8]) -> bool {
    let [first, rest @ ..] = part else { return false };
    first.is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_lowercase)
}

/// Whether there is an equals sign other than those that fill up a key at its end.
fn assigns(part: &[u8]) -> bool {
    let fill = part.iter().rev().take_while(|byte| **byte == b'=').count();
    fill > 2 || part.iter().rev().skip(fill).any(|byte| *byte == b'=')
}

/// Has a digit, or a capital after a small letter, or begins as no line of prose does.
fn looks_like_key(part: &[u8]) -> bool {
    part.iter().any(u8::is_ascii_digit)
        || matches!(part, [b':' | b'@' | b'%' | b'+' | b'=', next, ..] if next.is_ascii_alphanumeric())
        || part
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        let joined = join(text.as_bytes());
        let joined = joined.as_ref().map(|joined| str::from_utf8(joined.bytes()).expect("ASCII"));
        assert_eq!(joined, expect);
    }

    #[test]
    fn lines_are_joined_in_the_middle_of_a_key_only() {
        check("key: ab1c\ndef", Some("key: ab1cdef"));
        check("key: ab1c \\\r\n   def", Some("key: ab1cdef"));
        check("> ab1c\n> def\n> ghi", Some("> ab1cdefghi"));
        check("words of prose\nthat go on", None);
        check("The version 1.2\n\nNext", None);
        check("name: ab1\nkey: cd2", None);
        check("- ab1\n- cd2", None);
        check("call1\nmain(x)", None);
        check("key: ab1c\ngoes on", None);
        check("ab1\n", None);
        check("", None);
    }

    #[test]
    fn joins_are_known_and_lead_back() {
        let joined = join(b"key: ab1c\ndef").expect("a join");
        assert_eq!(joined.original(&(5..12)), 5..13);
        let within = |span, strictly| joined.is_joined_within(&span, strictly);
        assert_eq!(
            [within(5..12, true), within(5..9, true), within(9..12, true)],
            [true, false, false]
        );
        let joined = join(b"A_KEY=ab1\nB_KEY=cd2").expect("a join");
        let within = |strictly| joined.is_joined_within(&(6..15), strictly);
        assert_eq!([within(false), within(true)], [true, false]);
    }
}
