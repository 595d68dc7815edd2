//! Text as it reads, with the way back to where each byte came from.

use std::ops::Range;

use unicode_normalization::char::decompose_compatible;

use crate::Hidden;
use crate::hidden::{class, ends_line, terminal};

/// A text made out of another, byte by byte.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    bytes: Vec<u8>,
    /// Ascending in `at`; each goes up to the next.
    steps: Vec<Step>,
}

/// A part that came from one place.
#[derive(Debug)]
struct Step {
    /// Where it begins in the folded text.
    at: usize,
    from: Range<usize>,
    /// Byte for byte the same as the original; else each byte stands for all that it is from.
    is_copy: bool,
}

impl Folded {
    /// The text in ASCII: characters that look like ASCII become it, those that show as nothing go. Others are in no key:
    /// they go too, and leave a space where they stood between two words. `None` where that changes nothing.
    pub(crate) fn ascii(text: &str) -> Option<Self> {
        if text.is_ascii() && !terminal::may_have_controls(text) {
            return None;
        }
        let mut folded = Self::default();
        let mut gap: Option<Range<usize>> = None;
        let mut shape = String::new();
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let from = at..at + c.len_utf8();
            if class(c) == Some(Hidden::Controls)
                && !ends_line(c, chars.peek().map(|(_, next)| *next))
            {
                // All that a terminal takes for an order goes, not its first character only.
                let end = at + terminal::order_len(text.get(at..).unwrap_or_default());
                while chars.next_if(|(at, _)| *at < end).is_some() {}
                continue;
            }
            let looks = looks_like(c, &mut shape);
            match looks {
                Looks::Nothing => continue,
                Looks::Other => {
                    let start = gap.map_or(from.start, |gap| gap.start);
                    gap = Some(start..from.end);
                    continue;
                }
                Looks::Itself | Looks::Ascii => {}
            }
            let is_within = is_word(folded.bytes.last()) && is_word(shape.as_bytes().first());
            if let Some(gap) = gap.take().filter(|_| is_within) {
                folded.push(" ", gap);
            }
            if matches!(looks, Looks::Itself) {
                folded.push_copy(shape.as_bytes(), at);
                continue;
            }
            let goes_on = chars.peek().is_some_and(|(_, next)| looks_like_ascii(*next));
            if !goes_on && shape.starts_with([',', '!', '?', ')', ']']) {
                // What closes a phrase of a script in full width ends a key too, and its twin in ASCII may not.
                folded.push(" ", from.clone());
            }
            folded.push(&shape, from);
        }
        Some(folded)
    }

    /// The text in lower case, without accents on Latin letters and without characters that show as nothing; blanks in a
    /// row are one space, and a line is a sentence, an item of a list, or what speaks under a name of its own.
    pub(crate) fn sentences(text: &str) -> Self {
        let mut folded = Self::default();
        let mut shape = String::new();
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if c.is_whitespace() {
                let mut end = at + c.len_utf8();
                let mut line_ends = usize::from(c == '\n');
                while let Some((at, c)) = chars.next_if(|(_, c)| c.is_whitespace()) {
                    end = at + c.len_utf8();
                    line_ends += usize::from(c == '\n');
                }
                let rest = text.get(end..).unwrap_or_default();
                let is_end = matches!(folded.bytes.last(), Some(b'.' | b'!' | b'?' | b';'));
                let breaks = is_end || line_ends > 1 || (line_ends == 1 && starts_line(rest));
                folded.push(if breaks { "\n" } else { " " }, at..end);
                continue;
            }
            if class(c).is_some() {
                continue;
            }
            if c.is_ascii() {
                folded.push_copy(&[c.to_ascii_lowercase() as u8], at);
                continue;
            }
            shape.clear();
            fold_letter(c, &mut shape);
            folded.push(&shape, at..at + c.len_utf8());
        }
        folded
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The part of the original that a part of the folded text came from; empty where that is.
    pub(crate) fn original(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.from(span.start).map_or(0, |from| from.start);
        let last = span.end.checked_sub(1).filter(|last| *last >= span.start);
        let end = last.and_then(|last| self.from(last)).map_or(start, |from| from.end);
        start..end.max(start)
    }

    fn from(&self, at: usize) -> Option<Range<usize>> {
        let after = self.steps.partition_point(|step| step.at <= at);
        let step = self.steps.get(after.checked_sub(1)?)?;
        if !step.is_copy {
            return Some(step.from.clone());
        }
        let from = step.from.start + (at - step.at);
        Some(from..from + 1)
    }

    /// Adds what is the same in the original, from this place on.
    pub(crate) fn push_copy(&mut self, text: &[u8], from: usize) {
        let (at, end) = (self.bytes.len(), from + text.len());
        self.bytes.extend_from_slice(text);
        match self.steps.last_mut() {
            Some(step) if step.is_copy && step.from.end == from => step.from.end = end,
            _ => self.steps.push(Step { at, from: from..end, is_copy: true }),
        }
    }

    /// Adds what stands for a part of the original.
    fn push(&mut self, text: &str, from: Range<usize>) {
        if text.len() == from.len() && text.len() == 1 {
            return self.push_copy(text.as_bytes(), from.start);
        }
        self.steps.push(Step { at: self.bytes.len(), from, is_copy: false });
        self.bytes.extend_from_slice(text.as_bytes());
    }
}

/// Whether a line is not the rest of the sentence in the line before: it begins with a sign, or with a name and a colon.
fn starts_line(rest: &str) -> bool {
    let mut label = rest.chars().take(LABEL_CHARS).take_while(|c| !matches!(c, '\n' | '.' | ','));
    !rest.starts_with(char::is_alphabetic) || label.any(|c| matches!(c, ':' | '：'))
}

/// Most characters of a name and a colon that make a line of their own. Ours: "System notification:" and the like.
const LABEL_CHARS: usize = 30;

/// Adds a character as it is compared: signs of several scripts as the one of ASCII, letters small and without accents.
fn fold_letter(c: char, shape: &mut String) {
    match c {
        '。' | '｡' => return shape.push('\n'),
        '、' => return shape.push(','),
        '\u{2018}' | '\u{2019}' => return shape.push('\''),
        '\u{201C}'..='\u{201F}' | '«' | '»' | '「' | '」' | '『' | '』' => {
            return shape.push('"');
        }
        _ => {}
    }
    for lower in c.to_lowercase() {
        let start = shape.len();
        decompose_compatible(lower, |part| shape.push(part));
        let parts = shape.get(start..).unwrap_or_default();
        let mut base = parts.chars().filter(char::is_ascii);
        // Latin letters lose their accents; letters of other scripts would lose what they are told apart by.
        match (base.next().filter(|_| !parts.is_ascii()), base.next()) {
            (Some(letter), None) => {
                shape.truncate(start);
                shape.push(letter);
            }
            _ if shape.get(start..).is_some_and(str::is_ascii) => shape.make_ascii_lowercase(),
            _ => {
                shape.truncate(start);
                shape.push(lower);
            }
        }
    }
}

fn is_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// What a reader takes a character for.
enum Looks {
    Itself,
    Nothing,
    /// Another that is in ASCII, or several.
    Ascii,
    Other,
}

/// Tells what `c` looks like, and leaves it in `shape` if that is ASCII.
fn looks_like(c: char, shape: &mut String) -> Looks {
    shape.clear();
    if c.is_ascii() {
        shape.push(c);
        return Looks::Itself;
    }
    if class(c).is_some() {
        return Looks::Nothing;
    }
    decompose_compatible(c, |part| shape.push(part));
    if shape.is_ascii() {
        return Looks::Ascii;
    }
    shape.clear();
    Looks::Other
}

fn looks_like_ascii(c: char) -> bool {
    matches!(looks_like(c, &mut String::new()), Looks::Ascii)
}

/// Whether a part of a text, and what touches it, holds characters that look like ASCII or like nothing.
pub(crate) fn is_disguised(text: &[u8], span: &Range<usize>) -> bool {
    let is_wide =
        |byte: &&u8| !byte.is_ascii() || (byte.is_ascii_control() && !byte.is_ascii_whitespace());
    let before = text.get(..span.start).unwrap_or_default().iter().rev().take(MAX_UTF8);
    let after = text.get(span.end..).unwrap_or_default().iter().take(MAX_UTF8);
    let start = span.start - before.take_while(is_wide).count();
    let end = span.end + after.take_while(is_wide).count();
    let mut shape = String::new();
    let chunks = text.get(start..end).unwrap_or_default().utf8_chunks();
    let mut chars = chunks.flat_map(|chunk| chunk.valid().chars());
    chars.any(|c| {
        // A carriage return may be in a line end, which the rules know.
        let is_control = c != '\r' && class(c) == Some(Hidden::Controls);
        is_control || matches!(looks_like(c, &mut shape), Looks::Nothing | Looks::Ascii)
    })
}

/// Most bytes of a character in UTF-8.
const MAX_UTF8: usize = 4;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str, span: Range<usize>, original: &str) {
        let folded = Folded::ascii(text).expect("it is not ASCII");
        assert_eq!(str::from_utf8(folded.bytes()), Ok(expect));
        assert_eq!(text.get(folded.original(&span)), Some(original));
    }

    #[test]
    fn looks_become_ascii_and_lead_back() {
        check("ａ\u{200B}ｂc", "abc", 0..2, "ａ\u{200B}ｂ");
        check("se\u{AD}cret", "secret", 1..3, "e\u{AD}c");
        check("密钥key是", "key", 0..3, "key");
        check("a密钥key，是", "a key ,", 1..5, "密钥key");
        check("𝐤𝐞𝐲，①", "key,1", 3..5, "，①");
        check("é", "", 0..0, "");
        check("ke\u{1b}[0;1my\0\u{8}=\u{9b}31m1", "key=1", 0..3, "ke\u{1b}[0;1my");
        check("ab\rcd\r\n\u{7f}", "abcd\r\n", 0..4, "ab\rcd");
        assert!(Folded::ascii("plain\r\n\tlines\r\n").is_none());
        assert!(Folded::ascii("plain").is_none());
    }

    proptest! {
        #[test]
        fn every_part_leads_back_to_whole_characters(
            text in "([a\u{200B}ｂ①密é\n ½ﷺ]|\\PC){0,20}", start in 0_usize..40, len in 0_usize..40,
        ) {
            if let Some(folded) = Folded::ascii(&text) {
                let end = (start + len).min(folded.bytes().len());
                let span = start.min(end)..end;
                prop_assert!(text.get(folded.original(&span)).is_some());
            }
        }
    }
}
