//! The hash that stands for a content.

use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};

/// Says exactly which bytes a file held: their SHA-256.
///
/// Two files with the same revision have the same content, whoever wrote them and when.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision([u8; 32]);

impl Revision {
    /// Returns the revision of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the 32 bytes of the hash.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Displays as 64 lower-case hexadecimal digits.
impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Revision({self})")
    }
}

/// A text that is not 64 hexadecimal digits and so names no revision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a revision has 64 hexadecimal digits")]
#[non_exhaustive]
pub struct RevisionFault;

impl FromStr for Revision {
    type Err = RevisionFault;

    fn from_str(text: &str) -> Result<Self, RevisionFault> {
        let mut bytes = [0; 32];
        let mut digits = text.chars();
        for byte in &mut bytes {
            let mut digit = || digits.next().and_then(|c| c.to_digit(16)).ok_or(RevisionFault);
            let value = digit()? * 16 + digit()?;
            *byte = u8::try_from(value).map_err(|_| RevisionFault)?;
        }
        digits.next().is_none().then_some(Self(bytes)).ok_or(RevisionFault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_sha256_of_the_bytes_and_survives_its_own_text() {
        let revision = Revision::of(b"abc");
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(revision.to_string(), text);
        assert_eq!(text.parse(), Ok(revision));
        assert_eq!(text.to_uppercase().parse(), Ok(revision));
    }

    #[test]
    fn refuses_what_is_not_64_digits() {
        let text = Revision::of(b"").to_string();
        let long = format!("{text}0");
        let short = text.strip_suffix('5').expect("the hash of nothing ends in 5");
        for bad in ["", short, &long, &format!("{short}g"), &format!("{short}é")] {
            assert_eq!(bad.parse::<Revision>(), Err(RevisionFault), "{bad}");
        }
    }
}
