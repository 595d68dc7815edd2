//! The patterns, as the data file has them: classes of words, and sequences of classes.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{LazyLock, OnceLock};

use regex::bytes::{Regex, RegexBuilder};

use crate::Instruction;
use crate::limits::REGEX_BYTES;
use crate::words::Words;

pub(super) static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::read(include_str!("patterns.txt")));

/// All patterns.
#[derive(Debug)]
pub(super) struct Lexicon {
    pub(super) patterns: Vec<Pattern>,
    /// Words without which some pattern cannot match.
    words: Words,
    negation: Regex,
    about: Regex,
}

/// The structure of an order.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) what: Instruction,
    source: String,
    /// Of each of these one must occur.
    needs: Vec<Vec<&'static str>>,
    /// What follows must be none of these.
    not_next: Option<String>,
    is_written_out: bool,
    compiled: OnceLock<(Regex, Option<Regex>)>,
}

type Classes = BTreeMap<&'static str, Vec<&'static str>>;

/// What stands between two words of a sentence: no letter, no digit, and no line end.
const BETWEEN: &str = r"[^a-z0-9\n\x80-\xff]{0,6}";

impl Lexicon {
    fn read(text: &'static str) -> Self {
        let mut classes = Classes::new();
        let mut patterns = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            match key {
                "class" => classes.entry(name).or_default().extend(rest.split_whitespace()),
                "flag" => patterns.push((name, rest, false)),
                _ => patterns.push((name, rest, true)),
            }
        }
        let patterns: Vec<_> = patterns
            .into_iter()
            .map(|(what, rest, is_written_out)| {
                let what = kind(what);
                if is_written_out {
                    Pattern::written_out(what, rest)
                } else {
                    Pattern::of(what, rest, &classes)
                }
            })
            .collect();
        let needed = patterns.iter().flat_map(|pattern| pattern.needs.iter().flatten().copied());
        let words = Words::new(needed);
        let any_of = |name| compile(&class(&classes, name));
        Self { words, negation: any_of("negation"), about: any_of("about"), patterns }
    }

    /// The patterns for which `text` has all words.
    pub(super) fn that_may_match(&self, text: &[u8]) -> impl Iterator<Item = &Pattern> {
        let mut seen = vec![false; self.words.sorted().len()];
        self.words.each(text, |number| {
            if let Some(seen) = seen.get_mut(number) {
                *seen = true;
            }
            ControlFlow::Continue(())
        });
        let occurs = move |word: &&'static str| {
            let number = self.words.sorted().binary_search(word);
            number.is_ok_and(|number| seen.get(number).is_some_and(|seen| *seen))
        };
        let has_all =
            move |pattern: &&Pattern| pattern.needs.iter().all(|words| words.iter().any(&occurs));
        self.patterns.iter().filter(has_all)
    }

    /// Whether one of the last words denies what follows.
    pub(super) fn ends_with_negation(&self, lead: &[u8]) -> bool {
        let mut spaces = lead.iter().enumerate().rev().filter(|(_, byte)| **byte == b' ');
        let start = spaces.nth(NEGATED_WORDS).map_or(0, |(at, _)| at);
        lead.get(start..).is_some_and(|lead| self.negation.is_match(lead))
    }

    /// Whether a text is about attacks.
    pub(super) fn speaks_of_attacks(&self, text: &[u8]) -> bool {
        self.about.is_match(text)
    }
}

/// How many words before an order a negation may stand. Ours: "do not ever just ignore".
const NEGATED_WORDS: usize = 3;

impl Pattern {
    fn of(what: Instruction, elements: &'static str, classes: &Classes) -> Self {
        let (mut source, mut needs, mut not_next) = (vec!["(?m)".to_owned()], Vec::new(), None);
        for element in elements.split_whitespace() {
            source.push(if let Some(words) = element.strip_prefix('~') {
                format!(r"(?:[^ \n]{{1,60}} ){{0,{words}}}[^a-z0-9 \n\x80-\xff]{{0,3}}")
            } else if let Some(count) = element.strip_prefix("..") {
                // Most characters of these scripts take three bytes.
                let bytes = count.parse().map_or(0, |count: usize| count * 3);
                format!(r"[^\n]{{0,{bytes}}}")
            } else if let Some(name) = element.strip_prefix('!') {
                not_next = Some(format!("^{}", class(classes, name)));
                String::new()
            } else if element == "^" {
                r"^[^a-z\n\x80-\xff]{0,8}".to_owned()
            } else if element == "$" {
                r"[^a-z0-9\n\x80-\xff]*$".to_owned()
            } else if let Some(name) = element.strip_suffix('?') {
                format!("(?:{}{BETWEEN})?", class(classes, name))
            } else {
                let words = element.split('/').filter_map(|name| classes.get(name)).flatten();
                let parts: Vec<_> = words.map(|word| longest_part(word)).collect();
                // A word of one byte is not looked for.
                if parts.iter().all(|part| part.len() > 1) {
                    needs.push(parts);
                }
                format!("{}{BETWEEN}", class(classes, element))
            });
        }
        let source = source.concat();
        Self { what, source, needs, not_next, is_written_out: false, compiled: OnceLock::new() }
    }

    fn written_out(what: Instruction, rest: &'static str) -> Self {
        let (words, source) = rest.split_once(" = ").unwrap_or(("", rest));
        let needs = vec![words.split_whitespace().collect()];
        let source = source.to_owned();
        Self {
            what,
            source,
            needs,
            not_next: None,
            is_written_out: true,
            compiled: OnceLock::new(),
        }
    }

    /// Orders of which a negation is no part.
    pub(super) fn can_be_denied(&self) -> bool {
        !self.is_written_out && self.what != Instruction::Concealment
    }

    pub(super) fn matches<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        let (regex, not_next) = self
            .compiled
            .get_or_init(|| (compile(&self.source), self.not_next.as_deref().map(compile)));
        let goes_on = move |span: &Range<usize>| {
            let rest = text.get(span.end..).unwrap_or_default();
            not_next.as_ref().is_some_and(|not_next| not_next.is_match(rest))
        };
        regex.find_iter(text).map(|found| found.range()).filter(move |span| !goes_on(span))
    }
}

fn kind(name: &str) -> Instruction {
    match name {
        "override" => Instruction::Override,
        "role-turn" => Instruction::RoleTurn,
        "sleeper" => Instruction::Sleeper,
        "concealment" => Instruction::Concealment,
        "exfiltration" => Instruction::Exfiltration,
        "tool-call" => Instruction::ToolCall,
        "authority" => Instruction::Authority,
        other => unreachable!("no kind is called `{other}`"),
    }
}

fn compile(source: &str) -> Regex {
    RegexBuilder::new(source)
        .unicode(false)
        .size_limit(REGEX_BYTES)
        .build()
        .expect("a test compiles every pattern")
}

/// An expression for any word of a class, or of several with `/` between them.
fn class(classes: &Classes, names: &str) -> String {
    let words = names.split('/').flat_map(|name| {
        classes.get(name).unwrap_or_else(|| unreachable!("no class is called `{name}`"))
    });
    let words: Vec<_> = words.map(|word| expression(word)).collect();
    format!("(?:{})", words.join("|"))
}

/// The expression of one word: with boundaries where it is in letters that have them.
fn expression(word: &str) -> String {
    let (stem, any_end) = word.strip_suffix('*').map_or((word, ""), |stem| (stem, r"[^ \n]*"));
    let parts: Vec<_> = stem.split('_').map(regex::escape).collect();
    let is_word = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let start = if is_word(stem.bytes().next()) { r"\b" } else { "" };
    let end = if any_end.is_empty() && is_word(stem.bytes().last()) { r"\b" } else { any_end };
    format!("{start}{}{end}", parts.join(r"[^a-z0-9\n\x80-\xff]{1,4}"))
}

/// What of a word must occur for the word to.
fn longest_part(word: &'static str) -> &'static str {
    word.trim_end_matches('*').split('_').max_by_key(|part| part.len()).unwrap_or(word)
}
