//! Secrets, by the rules of gitleaks.

mod allow;
mod entropy;
mod joined;
mod pattern;
mod rule;
mod rules;

use std::ops::Range;

use self::allow::Found;
use self::rule::Rule;
use self::rules::RULES;
use crate::fold::{Folded, is_disguised};
use crate::{Finding, Kind, place};

/// The rule that takes anything for a secret that is assigned to a name like `token`.
const GENERIC: &str = "generic-api-key";

/// Finds secrets: keys, tokens, passwords and private keys in the forms that services give out.
///
/// The text is read as it is, then folded: without characters that show as nothing, in ASCII where it looks like ASCII, and
/// with line ends in the middle of a key taken out. One finding for each place and rule, so a place may have several: the
/// rule `generic-api-key` takes anything that is assigned to a name like `token`. Rules that are for certain files say
/// nothing: see [`secrets_in_file`].
pub fn secrets(text: &str) -> Vec<Finding> {
    find(text, None)
}

/// Finds secrets in the text of a file, with the rules that are for certain files, such as Terraform's.
///
/// `path` is relative, with `/`. A file that is a key store by its name is found too, at the start of the text. Files that
/// the rules leave out, such as lock files and images, have none.
pub fn secrets_in_file(path: &str, text: &str) -> Vec<Finding> {
    find(text, Some(path))
}

fn find(text: &str, path: Option<&str>) -> Vec<Finding> {
    if path.is_some_and(|path| RULES.leave_out(path)) {
        return Vec::new();
    }
    let mut hits = Vec::new();
    let raw = text.as_bytes();
    look(raw, path, |rule, found| {
        // What is disguised is judged by what it reads like.
        if !is_disguised(raw, &found.whole) {
            hits.push((whole_chars(text, rule.span(found)), rule.id));
        }
    });
    let folded = Folded::ascii(text);
    if let Some(folded) = &folded {
        look(folded.bytes(), path, |rule, found| {
            hits.push((folded.original(&rule.span(found)), rule.id));
        });
    }
    if let Some(joined) = joined::join(folded.as_ref().map_or(raw, Folded::bytes)) {
        look(joined.bytes(), path, |rule, found| {
            let span = rule.span(found);
            if joined.is_joined_within(&span, rule.id == GENERIC) {
                let span = joined.original(&span);
                let span = folded.as_ref().map_or(span.clone(), |folded| folded.original(&span));
                hits.push((span, rule.id));
            }
        });
    }
    hits.extend(RULES.for_names(path).map(|rule| (0..0, rule.id)));
    let kinds = place::merge(hits).into_iter().map(|(span, rule)| (span, Kind::Secret { rule }));
    place::findings(text, kinds.collect())
}

/// Gives what each rule finds in `text` whose words occur in it.
fn look(text: &[u8], path: Option<&str>, mut found: impl FnMut(&Rule, &Found<'_>)) {
    for rule in RULES.that_may_match(text) {
        if !rule.is_for(path) {
            continue;
        }
        for hit in rule.matches(text) {
            if is_secret(rule, &hit, path) {
                found(rule, &hit);
            }
        }
    }
}

fn is_secret(rule: &Rule, hit: &Found<'_>, path: Option<&str>) -> bool {
    let enough = rule.entropy.is_none_or(|least| entropy::bits_a_byte(hit.secret()) > least);
    let mut lists = RULES.allowed.iter().chain(&rule.allowed);
    enough && !lists.any(|list| list.allows(hit, path))
}

/// Grows a span to whole characters: rules speak of bytes.
fn whole_chars(text: &str, span: Range<usize>) -> Range<usize> {
    let start = (0..=span.start).rev().find(|at| text.is_char_boundary(*at));
    let end = (span.end..=text.len()).find(|at| text.is_char_boundary(*at));
    start.unwrap_or(0)..end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests;
