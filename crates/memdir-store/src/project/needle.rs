//! What is searched for in a project.

/// What to look for in a project: bytes as written, upper and lower case apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needle {
    text: String,
    boundary: Boundary,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    Any,
    Word,
}

impl Needle {
    /// The text anywhere; empty text is `None`.
    pub fn text(text: impl Into<String>) -> Option<Self> {
        Self::new(text.into(), Boundary::Any)
    }

    /// The text as a word: no ASCII letter, digit or `_` right before or after it. Empty text is `None`.
    pub fn word(text: impl Into<String>) -> Option<Self> {
        Self::new(text.into(), Boundary::Word)
    }

    fn new(text: String, boundary: Boundary) -> Option<Self> {
        (!text.is_empty()).then_some(Self { text, boundary })
    }

    /// The text that is looked for, never empty.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The 1-based number of the first line of `bytes` that has it.
    pub(super) fn first_line(&self, bytes: &[u8]) -> Option<u64> {
        let finder = memchr::memmem::Finder::new(self.text.as_bytes());
        // Places may overlap, but none that fits begins within the word that this one begins with. Without that step a
        // long run of one letter would be read once for each of its bytes.
        let first_word = self.text.bytes().take_while(|byte| is_word(*byte)).count();
        let mut from = 0;
        let at = loop {
            let at = from + finder.find(bytes.get(from..)?)?;
            if self.fits(bytes, at) {
                break at;
            }
            from = at + first_word + 1;
        };
        let (before, _) = bytes.split_at_checked(at)?;
        Some(memchr::memchr_iter(b'\n', before).count() as u64 + 1)
    }

    fn fits(&self, bytes: &[u8], at: usize) -> bool {
        let in_word = |byte: Option<&u8>| byte.is_some_and(|byte| is_word(*byte));
        match self.boundary {
            Boundary::Any => true,
            Boundary::Word => {
                let before = at.checked_sub(1).and_then(|before| bytes.get(before));
                !in_word(before) && !in_word(bytes.get(at + self.text.len()))
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
