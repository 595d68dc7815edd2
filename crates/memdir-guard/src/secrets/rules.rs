//! All rules, as the data files have them.

use std::str::FromStr;
use std::sync::LazyLock;

use super::allow::{Allowed, Needs, Target};
use super::joined::is_key;
use super::pattern::{Pattern, Source};
use super::rule::Rule;
use crate::words::{Keys, Words};

pub(super) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let texts = [include_str!("gitleaks.txt"), include_str!("own.txt")];
    Rules::read(texts, include_str!("stopwords.txt"))
});

/// The rules and what is for all of them.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) all: Vec<Rule>,
    pub(super) allowed: Vec<Allowed>,
    keys: Keys,
}

impl Rules {
    /// Reads the form that is described at the top of the first file; a test holds that every line is understood.
    fn read(texts: [&'static str; 2], stop_words: &'static str) -> Self {
        let (mut all, mut shared) = (Vec::<Rule>::new(), Vec::new());
        let mut after = "";
        let lines = texts.into_iter().flat_map(str::lines);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            if key == "rule" {
                all.push(Rule::named(value));
                continue;
            }
            let mut rule = all.last_mut();
            let allowed = rule.as_deref_mut().map_or(&mut shared, |rule| &mut rule.allowed);
            if key == "allow" {
                allowed.push(Allowed::read(value));
            } else if let Some(list) = allowed.last_mut() {
                list.take(key, value, stop_words);
            } else if let Some(rule) = rule {
                match key {
                    "after" => after = value,
                    _ => rule.take(key, value, after),
                }
            }
        }
        let keys = Keys::new(all.iter().map(|rule| rule.keys.iter().copied()));
        Self { all, allowed: shared, keys }
    }

    /// The rules of which a key occurs in `text`, and what is long enough to be their secret, in their order.
    pub(super) fn that_may_match(&self, text: &[u8]) -> impl Iterator<Item = &Rule> {
        let wanted = self.keys.owners_in(text);
        let longest = if wanted.contains(&true) { longest_key(text) } else { 0 };
        let rules = self.all.iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(rule, _)| rule);
        rules.filter(move |rule| rule.least <= longest)
    }

    /// The rules that need no more than the name of a file.
    pub(super) fn for_names(&self, path: Option<&str>) -> impl Iterator<Item = &Rule> {
        self.all.iter().filter(move |rule| rule.pattern.is_none() && rule.is_for(path))
    }

    /// Whether nothing in a file is a secret.
    pub(super) fn leave_out(&self, path: &str) -> bool {
        self.allowed.iter().any(|list| list.needs == Needs::Any && list.is_for_path(Some(path)))
    }
}

/// The most bytes side by side that may be a key: letters, digits and signs, with something else than a letter in them.
fn longest_key(text: &[u8]) -> usize {
    let runs = text.split(|byte| !is_key(*byte)).filter(|run| run.len() > 1);
    let keys = runs
        .filter(|run| !run.iter().all(|byte| byte.is_ascii_alphabetic() || b"._-".contains(byte)));
    keys.map(<[u8]>::len).max().unwrap_or(0)
}

impl Rule {
    fn named(id: &'static str) -> Self {
        Self {
            id,
            keys: Vec::new(),
            least: 0,
            pattern: None,
            entropy: None,
            path: None,
            group: None,
            is_whole: false,
            allowed: Vec::new(),
        }
    }

    fn take(&mut self, key: &str, value: &'static str, after: &'static str) {
        match key {
            "keys" => self.keys.extend(value.split("  ")),
            "least" => self.least = number(value),
            "entropy" => self.entropy = Some(number(value)),
            "group" => self.group = Some(number(value)),
            "whole" => self.is_whole = true,
            "path" => self.path = Some(Pattern::new(Source::Regex(value))),
            "regex" => self.pattern = Some(Pattern::new(Source::Regex(value))),
            "token" => self.pattern = Some(Pattern::new(Source::Token(value))),
            "value" => self.pattern = Some(Pattern::new(Source::Assigned { after, value })),
            other => unreachable!("no rule has `{other}`"),
        }
    }
}

fn number<T: FromStr>(value: &str) -> T {
    value.parse().unwrap_or_else(|_| unreachable!("`{value}` is no number"))
}

impl Allowed {
    fn read(value: &str) -> Self {
        let (needs, target) = value.split_once(' ').unwrap_or((value, ""));
        Self {
            needs: match needs {
                "all" => Needs::All,
                "any" => Needs::Any,
                other => unreachable!("no list needs `{other}`"),
            },
            target: match target {
                "line" => Target::Line,
                "match" => Target::Match,
                "secret" => Target::Secret,
                other => unreachable!("no list is for `{other}`"),
            },
            paths: Vec::new(),
            patterns: Vec::new(),
            words: None,
        }
    }

    fn take(&mut self, key: &str, value: &'static str, stop_words: &'static str) {
        match key {
            "path" => self.paths.push(Pattern::new(Source::Regex(value))),
            "regex" => self.patterns.push(Pattern::new(Source::Regex(value))),
            "words" => self.words = Some(Words::new(value.split("  "))),
            "stopwords" => {
                let lines = stop_words.lines().filter(|line| !line.starts_with('#'));
                self.words = Some(Words::new(lines.flat_map(|line| line.split(' '))));
            }
            other => unreachable!("no list has `{other}`"),
        }
    }
}
