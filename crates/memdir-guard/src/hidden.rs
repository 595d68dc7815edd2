//! Characters that nobody sees, and those of them that writing needs.

mod bidi;
mod classes;
mod decode;
pub(crate) mod terminal;

use std::iter::Peekable;
use std::ops::Range;
use std::str::CharIndices;

pub(crate) use classes::{class, ends_line};

use crate::limits::FLAG_TAGS;
use crate::{Finding, Hidden, Kind, place};

/// Finds characters that nobody sees, and decodes the text that they carry.
///
/// Clean are those that writing needs: flags, joined emoji, selectors after what they can select, marks of direction in
/// lines with right-to-left letters, joiners and breaking spaces in the scripts that use them, a soft hyphen in a word,
/// operators in formulas, and one byte order mark at the very start; of controls tabs, line ends and form feeds. The rest is found, one finding for each run of a kind, and
/// one for the controls of direction in a line.
pub fn hidden(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut line = bidi::Line::default();
    let mut before = None;
    let mut chars = text.char_indices().peekable();
    while let Some(run) = next_run(&mut chars, &mut before, &mut line, &mut found) {
        let after = chars.peek().map(|(_, c)| *c);
        judge(&run, before, after, &mut found);
    }
    found.extend(line.end());
    let found =
        found.into_iter().map(|(span, what, decoded)| (span, Kind::Hidden { what, decoded }));
    place::findings(text, found.collect())
}

type Found = (Range<usize>, Hidden, Option<String>);

/// Goes on to the next characters that are hidden, side by side and of whatever kinds; `before` is left at what they follow.
fn next_run(
    chars: &mut Peekable<CharIndices<'_>>,
    before: &mut Option<char>,
    line: &mut bidi::Line,
    found: &mut Vec<Found>,
) -> Option<Vec<(usize, char)>> {
    let mut run = Vec::new();
    while let Some(&(at, c)) = chars.peek() {
        let after = || chars.clone().nth(1).map(|(_, c)| c);
        match class(c) {
            Some(_) if c != '\r' || !ends_line(c, after()) => run.push((at, c)),
            _ if run.is_empty() => *before = Some(c),
            _ => break,
        }
        if c == '\n' {
            found.extend(std::mem::take(line).end());
        } else {
            line.take(at, c);
        }
        chars.next();
    }
    (!run.is_empty()).then_some(run)
}

/// Splits characters that are hidden side by side by kind, and keeps what no writing needs.
fn judge(run: &[(usize, char)], before: Option<char>, after: Option<char>, found: &mut Vec<Found>) {
    // Only a selector of emoji may stand between what is joined and the joiner.
    let mut visible = before;
    let mut rest = run;
    while let Some((what, part)) = split_kind(&mut rest) {
        let after = if rest.is_empty() { after } else { None };
        let part = match (what, part) {
            // Judged line by line.
            (Hidden::Bidi, _) => &[],
            (Hidden::Tags, _) if visible == Some('🏴') => after_flag(part),
            (Hidden::ZeroWidth, [(0, '\u{FEFF}'), rest @ ..]) => rest,
            (Hidden::ZeroWidth, [(_, c)]) if is_needed(visible, *c, after) => &[],
            (Hidden::VariationSelectors, [(_, c)])
                if visible.is_some_and(|before| classes::takes_selector(before, *c)) =>
            {
                // What is selected stays what is before.
                continue;
            }
            (Hidden::Ignorable, [(_, c)]) if classes::takes_ignorable(visible, *c, after) => &[],
            _ => part,
        };
        visible = None;
        if let (Some((start, _)), Some((last, c))) = (part.first(), part.last()) {
            found.push((*start..last + c.len_utf8(), what, decode::decode(what, part)));
        }
    }
}

/// Takes the leading characters of one kind.
fn split_kind<'a>(rest: &mut &'a [(usize, char)]) -> Option<(Hidden, &'a [(usize, char)])> {
    let (_, first) = rest.first()?;
    let what = class(*first)?;
    let len = rest.iter().take_while(|(_, c)| class(*c) == Some(what)).count();
    let (part, other) = rest.split_at_checked(len)?;
    *rest = other;
    Some((what, part))
}

/// What is left of tags after those of a regional flag.
fn after_flag(tags: &[(usize, char)]) -> &[(usize, char)] {
    let is_code = |c: char| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}');
    let code = tags.iter().take_while(|(_, c)| is_code(*c)).count();
    match tags.split_at_checked(code) {
        Some((_, [(_, '\u{E007F}'), rest @ ..])) if FLAG_TAGS.contains(&code) => rest,
        _ => tags,
    }
}

/// Whether writing needs a single character without width between these two.
fn is_needed(before: Option<char>, c: char, after: Option<char>) -> bool {
    let (before, after) = (before.unwrap_or(' '), after.unwrap_or(' '));
    match c {
        '\u{200D}' if classes::is_symbol(before) => classes::is_symbol(after),
        // At the end of a word they show the shape that a letter has within one.
        '\u{200C}' | '\u{200D}' => classes::takes_joiners(before),
        '\u{200B}' => classes::takes_break_spaces(before) || classes::takes_break_spaces(after),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
