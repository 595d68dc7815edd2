//! The numbers of this crate, their units and where they come from.

/// Most bytes of decoded text that a finding holds. Ours: enough to see what was hidden, and to print.
pub(crate) const DECODED_BYTES: usize = 1_000;
/// Fewest characters without width that are read as bits. Ours: two letters; fewer spell something by chance.
pub(crate) const ZERO_WIDTH_BITS: usize = 16;
/// Tags of a flag between the flag and the closing tag: a region of two letters and up to four of its parts. UTS 51.
pub(crate) const FLAG_TAGS: std::ops::RangeInclusive<usize> = 3..=6;
/// Most bytes that one compiled expression takes. The default of the crate `regex`; a test compiles them all.
pub(crate) const REGEX_BYTES: usize = 10 * 1024 * 1024;
/// Most bytes of a name before a value. gitleaks.
pub(crate) const NAME_BYTES: usize = 50;
/// Most bytes of a line on either side of a match that a list sees. Ours: one line may be the whole text.
pub(crate) const LINE_BYTES: usize = 1_000;
/// Most bytes of a sentence before an order that are looked at for what excuses it. Ours.
pub(crate) const LEAD_BYTES: usize = 200;
/// Most bytes of what is taken for one sentence. Ours: longer ones are tables and minified code.
pub(crate) const SENTENCE_BYTES: usize = 2_000;
/// Most characters of an order to a terminal after those that introduce it. Ours: a link's address fits.
pub(crate) const ORDER_CHARS: usize = 2_000;
