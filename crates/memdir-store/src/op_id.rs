//! Names of operations, in order of time.

use std::{fmt, str::FromStr, time::SystemTime};

use memdir_core::age::format_rfc3339;

/// Names one operation of the journal: `20261130-091233-4f2a9c1b`, the moment in UTC and eight random digits.
///
/// Orders as its text, so by time up to the second.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(Box<str>);

impl OpId {
    pub(crate) fn new(at: SystemTime, random: [u8; 16]) -> Self {
        let digits: String = format_rfc3339(at).chars().filter(char::is_ascii_digit).collect();
        let (day, time) =
            digits.split_at_checked(digits.len().saturating_sub(6)).unwrap_or_default();
        let [a, b, c, d, ..] = random;
        Self(format!("{day}-{time}-{a:02x}{b:02x}{c:02x}{d:02x}").into_boxed_str())
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A text that cannot be the name of an operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an operation is named like `20261130-091233-4f2a9c1b`")]
#[non_exhaustive]
pub struct OpIdFault;

impl FromStr for OpId {
    type Err = OpIdFault;

    /// Takes up to 40 lower-case letters, digits and dashes, so that a journal of another version can be read.
    fn from_str(text: &str) -> Result<Self, OpIdFault> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let fits = (1..=40).contains(&text.len()) && text.chars().all(plain);
        fits.then(|| Self(text.into())).ok_or(OpIdFault)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn shows_its_moment_and_survives_its_own_text() {
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_029_953);
        let id = OpId::new(at, [0x4f, 0x2a, 0x9c, 0x1b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(id.as_str(), "20261130-091233-4f2a9c1b");
        assert_eq!(id.as_str().parse(), Ok(id));
    }

    #[test]
    fn refuses_what_no_journal_would_hold() {
        for bad in ["", "A", "a/b", "..", "a b", &"a".repeat(41)] {
            assert_eq!(bad.parse::<OpId>(), Err(OpIdFault), "{bad}");
        }
    }
}
