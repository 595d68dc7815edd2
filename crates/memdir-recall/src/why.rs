//! Why a memory was chosen, in plain words.

use std::fmt;

use crate::limits;

/// Why a memory was found: which words of the question are in it, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Why {
    /// The words, the most telling first; never empty for a hit.
    pub reasons: Vec<Reason>,
    /// The question is the name of the memory.
    pub is_its_name: bool,
}

/// A word of the question that a memory has.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// The word as asked, folded.
    pub word: String,
    /// The parts of the memory that have it, in the order of [`Field`]; never empty.
    pub fields: Vec<Field>,
    /// What the word was taken for, if not for itself.
    pub taken: Option<Taken>,
}

/// A word that stands in for one which is missing: a synonym for one that this memory lacks, others for one that no
/// memory has.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Taken {
    /// It begins like the word asked for: `datenbankverbindung` for `datenbank`.
    Begins(String),
    /// It differs by a letter too few or too many, or by two letters swapped: `typescript` for `typscript`.
    Slip(String),
    /// It means the same, or nearly: `kubernetes` for `k8s`.
    Synonym(String),
}

/// A part of a memory in which words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The name.
    Name,
    /// The description.
    Description,
    /// The head of the body.
    Body,
    /// The path of the file.
    Path,
    /// The type.
    Type,
}

impl Field {
    pub(crate) const ALL: [Self; 5] =
        [Self::Name, Self::Description, Self::Body, Self::Path, Self::Type];
}

/// Displays as a noun: `description`.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Body => "body",
            Self::Path => "path",
            Self::Type => "type",
        })
    }
}

/// Displays as `` `typscript` (taken for `typescript`) in name and body``.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.word)?;
        match &self.taken {
            None => {}
            Some(Taken::Begins(word)) => write!(f, " (as beginning of `{word}`)")?,
            Some(Taken::Slip(word)) => write!(f, " (taken for `{word}`)")?,
            Some(Taken::Synonym(word)) => write!(f, " (as `{word}`)")?,
        }
        f.write_str(" in ")?;
        write_list(f, &self.fields)
    }
}

/// Displays as one line: the words with their fields, words that are in the same fields together, at most
/// [`limits::REASONS`] of them.
impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_its_name {
            return f.write_str("the question is its name");
        }
        let told = self.reasons.get(..limits::REASONS).unwrap_or(&self.reasons);
        for (at, reason) in told.iter().enumerate() {
            let next = told.get(at + 1);
            let goes_on = |next: &Reason| next.taken.is_none() && next.fields == reason.fields;
            if reason.taken.is_none() && next.is_some_and(goes_on) {
                write!(f, "`{}`, ", reason.word)?;
            } else {
                write!(f, "{reason}{}", if next.is_some() { "; " } else { "" })?;
            }
        }
        match self.reasons.len() - told.len() {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, fields: &[Field]) -> fmt::Result {
    for (at, field) in fields.iter().enumerate() {
        let before = match fields.len() - at {
            _ if at == 0 => "",
            1 => " and ",
            _ => ", ",
        };
        write!(f, "{before}{field}")?;
    }
    Ok(())
}
