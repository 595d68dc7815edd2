//! The patterns, as the data file has them: classes of words, and sequences of classes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::phrases::Phrases;
use super::sequence::{Gap, Sequence};
use super::written::Written;
use crate::Instruction;
use crate::words::Keys;

pub(super) static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::read(include_str!("patterns.txt")));

/// All patterns.
#[derive(Debug)]
pub(super) struct Lexicon {
    pub(super) phrases: Phrases,
    pub(super) sequences: Vec<(Instruction, Sequence)>,
    /// For each class, the sequences that begin with a word of it.
    by_first: Vec<Vec<usize>>,
    pub(super) written: Vec<(Instruction, Written)>,
    /// What a written expression cannot fit without.
    hints: Keys,
    pub(super) classes: Classes,
}

/// The numbers of classes by their names.
#[derive(Debug, Default)]
pub(super) struct Classes(BTreeMap<&'static str, usize>);

impl Classes {
    /// The number of a class, made when it is first spoken of.
    fn number(&mut self, name: &'static str) -> usize {
        let next = self.0.len();
        *self.0.entry(name).or_insert(next)
    }

    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.0.iter().map(|(name, number)| (*name, *number))
    }

    pub(super) fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }
}

impl Lexicon {
    /// Reads the form that is described at the top of the file; a test holds that every line is understood.
    fn read(text: &'static str) -> Self {
        let (mut classes, mut entries) = (Classes::default(), Vec::new());
        let (mut sequences, mut written) = (Vec::new(), Vec::new());
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            match key {
                "class" => {
                    let class = classes.number(name);
                    entries.extend(rest.split_whitespace().map(|word| (word, class)));
                }
                "flag" => {
                    let sequence = sequence(rest, &mut classes);
                    sequences.extend(sequence.into_iter().map(|sequence| (kind(name), sequence)));
                }
                "regex" => {
                    let (hints, source) = rest.split_once(" = ").expect("because hints come first");
                    written.push((kind(name), Written::new(hints.trim(), source)));
                }
                other => unreachable!("no line begins with `{other}`"),
            }
        }
        let hints = Keys::new(written.iter().map(|(_, written)| written.hints()));
        let phrases = Phrases::new(&entries, classes.get("address"));
        let mut by_first = vec![Vec::new(); classes.0.len()];
        for (number, (_, sequence)) in sequences.iter().enumerate() {
            for class in sequence.first() {
                if let Some(numbers) = by_first.get_mut(*class) {
                    numbers.push(number);
                }
            }
        }
        Self { phrases, sequences, by_first, written, hints, classes }
    }

    /// The sequences that begin with a word of a class.
    pub(super) fn beginning_with(
        &self,
        class: usize,
    ) -> impl Iterator<Item = &(Instruction, Sequence)> {
        let numbers = self.by_first.get(class).into_iter().flatten();
        numbers.filter_map(|number| self.sequences.get(*number))
    }

    /// The written expressions of which a hint occurs in `text`.
    pub(super) fn hinted_at(&self, text: &[u8]) -> impl Iterator<Item = &(Instruction, Written)> {
        let wanted = self.hints.owners_in(text);
        self.written.iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(written, _)| written)
    }
}

/// The sequences that a line stands for: one, or two where an element may be left out.
fn sequence(line: &'static str, classes: &mut Classes) -> Vec<Sequence> {
    let mut all = vec![Sequence::default()];
    let mut gap = Gap::default();
    for element in line.split_whitespace() {
        if let Some(words) = element.strip_prefix('~') {
            gap.words += words.parse::<usize>().expect("because a number follows");
        } else if let Some(characters) = element.strip_prefix("..") {
            // Most characters of these scripts take three bytes.
            gap.bytes += 3 * characters.parse::<usize>().expect("because a number follows");
        } else if let Some(name) = element.strip_suffix('?') {
            let number = classes.number(name);
            let with: Vec<_> =
                all.iter().map(|sequence| sequence.then(gap, vec![number])).collect();
            // Without the element, its gap is for the next one.
            all.extend(with);
        } else {
            for sequence in &mut all {
                *sequence = match element.strip_prefix('!') {
                    Some(name) => sequence.clone().not_before(classes.number(name)),
                    None if element == "^" => sequence.clone().beginning(),
                    None if element == "$" => sequence.clone().ending(),
                    None => {
                        let names = element.split('/');
                        sequence.then(gap, names.map(|name| classes.number(name)).collect())
                    }
                };
            }
            gap = Gap::default();
        }
    }
    all
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

/// A place in a text.
pub(super) type Span = Range<usize>;
