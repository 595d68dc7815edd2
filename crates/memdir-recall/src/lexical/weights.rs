//! The numbers of the score.

use crate::{Field, limits};

/// A number for each field, in the order of [`Field::ALL`].
pub(super) type Counted = [f32; Field::ALL.len()];

/// What counts how much, for the order of memories and for whether anything fits at all ("evidence").
#[derive(Debug, Clone)]
pub(super) struct Weights {
    /// Of an occurrence, by field.
    pub(super) fields: Counted,
    /// How far the length of a field tells against it, by field.
    pub(super) lengths: Counted,
    /// How soon further occurrences cease to add.
    pub(super) saturation: f32,
    /// Of a word that any talk is full of, for the order.
    pub(super) weak: f32,
    /// Of the same, for whether anything fits.
    pub(super) weak_evidence: f32,
    /// Of a part of an identifier in the question, where the identifier itself is not found.
    pub(super) part: f32,
    /// Of a synonym of a word of the question, where the word itself is not found.
    pub(super) synonym: f32,
    /// Of a word that is found only as a part of identifiers.
    pub(super) within: f32,
    /// Of a word that is taken for the one asked, for the order.
    pub(super) slip: f32,
    pub(super) begins: f32,
    /// Of the latter, for whether anything fits; a slip is as good as the word.
    pub(super) begins_evidence: f32,
    /// The least that a word that names a subject counts for the order, as a share of what the rarest counts: a name is in
    /// every memory about somebody, and yet tells them from those about others.
    pub(super) least_score: f32,
    /// The least that a word counts for whether anything fits, as a share of what the rarest counts: that a word is in
    /// every memory does not make a question about it a question about something else.
    pub(super) least_evidence: f32,
    /// What a pair of characters that nothing has asks for, beside a word: half of the pairs of a text without spaces lie
    /// across two words.
    pub(super) unknown_pair: f32,
    /// What is left of the evidence where none of it is in what a memory says that it is about.
    pub(super) beside: f32,
    /// How soon evidence dwindles with the share of the question's subjects that are names which no memory has: the
    /// power to which the rest of them is raised. `TSLint` asked for is not found by what is known of migrations.
    pub(super) unknown_names: i32,
    /// What a score is multiplied by where the question asks when and the memory tells a time.
    pub(super) tells_when: f32,
    /// What a score gains at most by how often the memory has helped.
    pub(super) used: f32,
    /// Percent of what is asked that the best memory must have.
    pub(super) cut_off: f32,
    /// Words of the question that make up what it asks; a long one is not asked to be covered whole.
    pub(super) asked: usize,
}

/// Measured on four sets of questions, each number chosen on some of their conversations and checked on the others; around
/// these values the answers hardly change.
impl Default for Weights {
    fn default() -> Self {
        Self {
            fields: [3.0, 2.0, 1.0, 1.0, 0.5],
            lengths: [0.3, 0.4, 0.5, 0.0, 0.0],
            saturation: 2.5,
            weak: 0.7,
            weak_evidence: 0.3,
            part: 0.4,
            synonym: 0.5,
            within: 0.7,
            slip: 0.8,
            begins: 0.6,
            begins_evidence: 0.8,
            least_score: 0.25,
            least_evidence: 0.33,
            unknown_pair: 0.5,
            beside: 0.65,
            unknown_names: 3,
            tells_when: 1.3,
            used: 0.05,
            cut_off: f32::from(limits::COVERAGE_PERCENT),
            asked: 5,
        }
    }
}
