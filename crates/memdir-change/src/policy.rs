//! What a background run may do by itself.

use std::collections::BTreeMap;

use memdir_core::MemoryType;

use crate::OpWord;
use crate::limits::{LOSS_FILES, LOSS_PERCENT};

/// Whether operations of a kind are done, proposed or refused; ordered from the freest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "done, asked or left: there is no fourth way")]
pub enum Mode {
    /// They are done.
    Auto,
    /// They wait in the inbox for a person.
    Review,
    /// They are refused.
    Off,
}

impl Mode {
    /// Reads `auto`, `review` or `off`.
    pub fn parse(text: &str) -> Option<Self> {
        [(Self::Auto, "auto"), (Self::Review, "review"), (Self::Off, "off")]
            .into_iter()
            .find_map(|(mode, name)| (name == text).then_some(mode))
    }
}

/// What a background run may do by itself, and how much may be lost by it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// The mode of kinds of operations; a kind that is not named is [`Mode::Auto`], deletions are [`Mode::Review`].
    pub operations: BTreeMap<OpWord, Mode>,
    /// The mode of types of memories; where it is stricter than that of the operation it counts.
    pub types: BTreeMap<MemoryType, Mode>,
    /// Percent of the entries, and of their bytes, that may go; [`LOSS_PERCENT`] by default.
    pub loss_percent: u64,
    /// Files that may be removed or emptied; [`LOSS_FILES`] by default.
    pub loss_files: usize,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            operations: BTreeMap::from([(OpWord::Delete, Mode::Review)]),
            types: BTreeMap::new(),
            loss_percent: LOSS_PERCENT,
            loss_files: LOSS_FILES,
        }
    }
}

impl Policy {
    /// The mode of an operation on memories of these types.
    pub fn mode(&self, operation: OpWord, types: impl IntoIterator<Item = MemoryType>) -> Mode {
        let types = types.into_iter().filter_map(|kind| self.types.get(&kind).copied());
        let own = self.operations.get(&operation).copied();
        types.chain(own).max().unwrap_or(Mode::Auto)
    }
}
