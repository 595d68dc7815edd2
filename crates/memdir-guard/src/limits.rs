//! The numbers of this crate, their units and where they come from.

/// Most bytes of decoded text that a finding holds. Ours: enough to see what was hidden, and to print.
pub(crate) const DECODED_BYTES: usize = 1_000;
/// Fewest characters without width that are read as bits. Ours: two letters; fewer spell something by chance.
pub(crate) const ZERO_WIDTH_BITS: usize = 16;
/// Tags of a flag between the flag and the closing tag: a region of two letters and up to four of its parts. UTS 51.
pub(crate) const FLAG_TAGS: std::ops::RangeInclusive<usize> = 3..=6;
