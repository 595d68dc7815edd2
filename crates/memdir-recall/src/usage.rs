//! How memories were used before.

use std::collections::HashMap;

use memdir_core::MemPath;

/// How memories were used before, by their path; one that is not there was not used.
pub type Usage = HashMap<MemPath, Uses>;

/// How often one memory was used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the three things that are counted")]
pub struct Uses {
    /// It was put before an agent.
    pub shown: u32,
    /// Its file was read.
    pub read: u32,
    /// An agent named it in an answer.
    pub cited: u32,
}

impl Uses {
    /// How much it has helped, from 0 to 1: half after [`HALF`] times that it was read. What was only shown has not helped.
    pub(crate) fn helpfulness(self) -> f32 {
        // To be cited takes more than to be read.
        let helped = self.read.saturating_add(self.cited.saturating_mul(2));
        #[expect(clippy::cast_precision_loss, reason = "beyond some millions it is 1")]
        let helped = helped as f32;
        helped / (helped + HALF)
    }
}

/// Ours: a memory that has helped a few times is a useful one, and more times do not make it the answer to everything.
const HALF: f32 = 3.0;
