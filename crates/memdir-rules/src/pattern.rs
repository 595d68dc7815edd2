//! Patterns of paths: what `paths:` of a rule, and of a memory, mean.
//!
//! Each pattern is read as a line of a `.gitignore` would be, on its own: `*.rs` and `lib` match at any depth, `src/*.rs` and
//! `/lib` from the folder that the patterns are relative to, and what matches a folder matches all within. Upper and lower
//! case are one. Commas separate, braces are written out. What can match nothing is a [`BadPattern`], never an error.
//!
//! ```
//! use memdir_rules::pattern::Patterns;
//!
//! let patterns = Patterns::new([vec!["src/**/*.{ts,tsx}", "*.md"], vec!["docs/"], vec!["[a"]]);
//! let mut pass = patterns.pass();
//! let groups = |hits: Vec<memdir_rules::pattern::Hit>| hits.iter().map(|hit| hit.group).collect::<Vec<_>>();
//! assert_eq!(groups(pass.hits("src/web/App.tsx")), [0]);
//! assert_eq!(groups(pass.hits("docs/guide.md")), [0, 1]);
//! assert_eq!(patterns.faults()[0].to_string(), "the pattern `[a` matches nothing: its `[` has no `]`");
//! ```

mod expand;
mod glob;

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::limits;
use expand::Budget;
use glob::{Glob, fold};

/// A pattern that is not used as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadPattern {
    /// Place of its group, from 0.
    pub group: usize,
    /// The pattern; of a long one the beginning.
    pub pattern: String,
    /// What is wrong with it.
    pub fault: PatternFault,
}

/// Why a pattern is not used as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternFault {
    /// It begins with `!`.
    Negated,
    /// It begins with `#`.
    Comment,
    /// It has a `[` without a `]`.
    OpenClass,
    /// There is nothing between `[` and `]`.
    EmptyClass,
    /// It ends with a backslash.
    LoneBackslash,
    /// It has a component `.` or `..`.
    Dots,
    /// It has a component without a name.
    EmptyName,
    /// It has more than [`limits::PATTERN_BYTES`].
    TooLong,
    /// Its braces are more than the rule's budget of [`limits::EXPANDED_PATTERNS`]; they are used as they stand.
    TooManyBraces,
    /// Its braces nest deeper than [`limits::BRACE_DEPTH`]; they are used as they stand.
    BracesTooDeep,
    /// There are more than [`limits::SET_PATTERNS`] before it.
    TooMany,
    /// It has more than [`limits::PATTERN_WILDCARDS`] wildcards.
    TooManyWildcards,
    /// With it and all before it there are more than [`limits::SET_WILDCARDS`] or [`limits::SET_BYTES`].
    TooManyInAll,
    /// It cannot be compiled.
    TooComplex,
}

/// Each may stand for any text, so they make what is compiled large.
fn wildcards(pattern: &str) -> usize {
    pattern.matches(['*', '?', '[']).count()
}

/// Displays as a clause about the pattern.
impl fmt::Display for PatternFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Negated => f.write_str("`!` excludes nothing in a list of paths"),
            Self::Comment => f.write_str("`#` begins a comment"),
            Self::OpenClass => f.write_str("its `[` has no `]`"),
            Self::EmptyClass => f.write_str("there is nothing between its brackets"),
            Self::LoneBackslash => f.write_str("it ends with a backslash"),
            Self::Dots => f.write_str("a component `.` or `..` stands for no name"),
            Self::EmptyName => f.write_str("it has a component without a name"),
            Self::TooLong => write!(f, "it is longer than {} bytes", limits::PATTERN_BYTES),
            Self::TooManyBraces => write!(
                f,
                "the braces of one rule stand for at most {} patterns",
                limits::EXPANDED_PATTERNS
            ),
            Self::BracesTooDeep => {
                write!(f, "its braces nest deeper than {}", limits::BRACE_DEPTH)
            }
            Self::TooMany => write!(f, "there are more than {} patterns", limits::SET_PATTERNS),
            Self::TooManyWildcards => {
                write!(f, "it has more than {} wildcards", limits::PATTERN_WILDCARDS)
            }
            Self::TooManyInAll => write!(
                f,
                "all patterns together have more than {} wildcards or {} bytes",
                limits::SET_WILDCARDS,
                limits::SET_BYTES
            ),
            Self::TooComplex => f.write_str("it is too complex"),
        }
    }
}

impl PatternFault {
    /// Whether the pattern is used all the same, with its braces as they stand.
    pub const fn is_used(self) -> bool {
        matches!(self, Self::TooManyBraces | Self::BracesTooDeep)
    }
}

/// Displays as a clause that names the pattern.
impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = if self.fault.is_used() { "is taken literally" } else { "matches nothing" };
        write!(f, "the pattern `{}` {outcome}: {}", self.pattern, self.fault)
    }
}

/// The patterns of many rules or memories, compiled into one set.
///
/// A group is what belongs together: the patterns of one rule.
#[derive(Debug, Default)]
pub struct Patterns {
    sets: Vec<GlobSet>,
    /// What each glob of the sets, counted through, stands for.
    globs: Vec<Entry>,
    /// Those of `globs` that globset cannot tell about paths beyond ASCII.
    by_character: Vec<usize>,
    /// Wildcards and bytes of all patterns so far.
    wildcards: usize,
    bytes: usize,
    faults: Vec<BadPattern>,
}

#[derive(Debug)]
struct Entry {
    glob: Glob,
    hit: Hit,
}

/// A pattern that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Hit {
    /// Place of the group, from 0.
    pub group: usize,
    /// Place of the pattern in its group as it was given, from 0.
    pub pattern: usize,
}

impl Patterns {
    /// Compiles groups of patterns. Time and memory are bounded by the limits of this crate, whatever the patterns are.
    pub fn new<G, P>(groups: G) -> Self
    where
        G: IntoIterator,
        G::Item: IntoIterator<Item = P>,
        P: AsRef<str>,
    {
        let mut all = Self::default();
        for (group, patterns) in groups.into_iter().enumerate() {
            let mut budget = Budget::default();
            for (pattern, text) in patterns.into_iter().enumerate() {
                all.add(text.as_ref(), Hit { group, pattern }, &mut budget);
            }
        }
        all.compile();
        all
    }

    /// What is not used as it is written, in the order given.
    pub fn faults(&self) -> &[BadPattern] {
        &self.faults
    }

    /// Begins to match paths. A pass remembers folders, so that the second file in one costs only its name.
    pub fn pass(&self) -> Pass<'_> {
        Pass { patterns: self, folders: HashMap::new() }
    }

    fn add(&mut self, text: &str, hit: Hit, budget: &mut Budget) {
        if text.len() > limits::PATTERN_BYTES {
            return self.fault(hit, text, PatternFault::TooLong);
        }
        for piece in expand::at_commas(text) {
            if wildcards(piece) > limits::PATTERN_WILDCARDS {
                self.fault(hit, piece, PatternFault::TooManyWildcards);
                continue;
            }
            let expanded = expand::braces(piece, budget).unwrap_or_else(|fault| {
                self.fault(hit, piece, fault);
                vec![piece.to_owned()]
            });
            for pattern in expanded {
                if self.globs.len() >= limits::SET_PATTERNS {
                    return self.fault(hit, piece, PatternFault::TooMany);
                }
                self.wildcards += wildcards(&pattern);
                self.bytes += pattern.len();
                if self.wildcards > limits::SET_WILDCARDS || self.bytes > limits::SET_BYTES {
                    return self.fault(hit, piece, PatternFault::TooManyInAll);
                }
                match Glob::parse(&pattern) {
                    Ok(glob) => self.globs.push(Entry { glob, hit }),
                    Err(fault) => self.fault(hit, &pattern, fault),
                }
            }
        }
    }

    fn fault(&mut self, hit: Hit, pattern: &str, fault: PatternFault) {
        const SHOWN_CHARS: usize = 80;
        let pattern = pattern.chars().take(SHOWN_CHARS).collect();
        let bad = BadPattern { group: hit.group, pattern, fault };
        if !self.faults.contains(&bad) {
            self.faults.push(bad);
        }
    }

    fn compile(&mut self) {
        let mut entries = Vec::with_capacity(self.globs.len());
        let mut globs = Vec::with_capacity(self.globs.len());
        for entry in std::mem::take(&mut self.globs) {
            let text = entry.glob.to_globset();
            let mut builder = GlobBuilder::new(&text);
            builder.literal_separator(true).backslash_escape(true);
            // Letters are folded already. Globs that ignore case go into one automaton, while of those that mind it globset
            // tries one after the other where they share an ending: for a thousand rules that takes thirty times as long.
            builder.case_insensitive(!entry.glob.is_in_a_table());
            match builder.build() {
                Ok(glob) => {
                    globs.push(glob);
                    entries.push(entry);
                }
                Err(_) => self.fault(entry.hit, &text, PatternFault::TooComplex),
            }
        }
        // Halves are tried where the whole is too large; what is too large on its own is told.
        let mut todo = vec![(globs, entries)];
        while let Some((mut globs, mut entries)) = todo.pop() {
            let mut builder = GlobSetBuilder::new();
            for glob in &globs {
                builder.add(glob.clone());
            }
            match (builder.build(), entries.as_slice()) {
                (_, []) => {}
                (Ok(set), _) => {
                    self.sets.push(set);
                    self.globs.append(&mut entries);
                }
                (Err(_), [entry]) => {
                    let text = entry.glob.to_globset();
                    self.fault(entry.hit, &text, PatternFault::TooComplex);
                }
                (Err(_), _) => {
                    let middle = entries.len() / 2;
                    let later = (globs.split_off(middle), entries.split_off(middle));
                    todo.extend([later, (globs, entries)]);
                }
            }
        }
        let counts = |(at, entry): (usize, &Entry)| entry.glob.counts_characters().then_some(at);
        self.by_character = self.globs.iter().enumerate().filter_map(counts).collect();
    }

    /// The places of the globs that match this very path, not the folders above it.
    fn matching(&self, path: &str) -> Vec<usize> {
        let candidate = Candidate::new(path);
        let (mut found, mut before) = (Vec::new(), 0);
        for set in &self.sets {
            found.extend(set.matches_candidate(&candidate).into_iter().map(|at| before + at));
            before += set.len();
        }
        if !path.is_ascii() && !self.by_character.is_empty() {
            found.retain(|at| self.by_character.binary_search(at).is_err());
            let fits = |at: &&usize| self.globs.get(**at).is_some_and(|it| it.glob.is_match(path));
            found.extend(self.by_character.iter().filter(fits));
        }
        found
    }

    fn hit(&self, at: usize) -> Option<Hit> {
        self.globs.get(at).map(|entry| entry.hit)
    }
}

/// Matches one path after another.
#[derive(Debug)]
pub struct Pass<'a> {
    patterns: &'a Patterns,
    /// What matches a folder, or one above it.
    folders: HashMap<String, Rc<[Hit]>>,
}

impl Pass<'_> {
    /// The groups that match a file, each with the first of its patterns that does, in order.
    ///
    /// The path is relative to the folder that the patterns are for, with `/` between names and without `.` and `..`;
    /// whether there is such a file does not matter.
    pub fn hits(&mut self, path: &str) -> Vec<Hit> {
        let path = fold(path);
        let above = path.rsplit_once('/').map(|(folder, _)| self.within(folder));
        let patterns = self.patterns;
        let is_for_files =
            |at: &usize| patterns.globs.get(*at).is_some_and(|it| !it.glob.folders_only);
        let found = patterns.matching(&path).into_iter().filter(is_for_files);
        let mut hits: Vec<_> = found.filter_map(|at| patterns.hit(at)).collect();
        hits.extend(above.iter().flat_map(|above| above.iter().copied()));
        hits.sort_unstable();
        hits.dedup_by_key(|hit| hit.group);
        hits
    }

    /// What matches because the folder does, or one above it.
    fn within(&mut self, folder: &str) -> Rc<[Hit]> {
        let mut hits: Rc<[Hit]> = Rc::new([]);
        let ends = folder.match_indices('/').map(|(at, _)| at).chain([folder.len()]);
        for end in ends {
            let folder = folder.get(..end).unwrap_or_default();
            if let Some(known) = self.folders.get(folder) {
                hits = Rc::clone(known);
                continue;
            }
            let own = self.patterns.matching(folder);
            let own = own.into_iter().filter_map(|at| self.patterns.hit(at));
            let mut all: Vec<_> = hits.iter().copied().chain(own).collect();
            all.sort_unstable();
            all.dedup_by_key(|hit| hit.group);
            hits = all.into();
            self.folders.insert(folder.to_owned(), Rc::clone(&hits));
        }
        hits
    }
}

/// Whether the patterns stand for every file there is, so that a rule with them is for no file in particular.
pub(crate) fn is_everything(patterns: &[String]) -> bool {
    let mut all = patterns.iter().flat_map(|pattern| expand::at_commas(pattern));
    all.all(|pattern| matches!(pattern, "**" | "/**" | "**/**"))
}

/// Compiles patterns that are compared with whole absolute paths, upper and lower case apart, as settings name files that are
/// to be left out; and gives those that cannot be used, with the reason.
pub(crate) fn excludes(patterns: &[String]) -> (GlobSet, Vec<(String, String)>) {
    let mut builder = GlobSetBuilder::new();
    let (mut faults, mut budget) = (Vec::new(), Budget::default());
    for pattern in patterns {
        let shown: String = pattern.chars().take(80).collect();
        if pattern.len() > limits::PATTERN_BYTES {
            faults.push((shown, PatternFault::TooLong.to_string()));
            continue;
        }
        let expanded = expand::braces(pattern, &mut budget);
        for pattern in expanded.unwrap_or_else(|fault| {
            faults.push((shown.clone(), fault.to_string()));
            Vec::new()
        }) {
            match GlobBuilder::new(&pattern).literal_separator(true).backslash_escape(true).build()
            {
                Ok(glob) => {
                    builder.add(glob);
                }
                Err(error) => faults.push((shown.clone(), error.kind().to_string())),
            }
        }
    }
    let set = builder.build().unwrap_or_else(|error| {
        faults.push((String::new(), error.kind().to_string()));
        GlobSet::empty()
    });
    (set, faults)
}
