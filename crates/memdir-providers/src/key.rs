//! Keys, which nothing shows.

use std::fmt;

use crate::limits;

/// What gives access to a model: an API key, a token, the address of a proxy with its password.
///
/// It can be handed in and sent, and neither read nor printed: `Debug` and `Display` show `****`.
///
/// ```
/// use memdir_providers::Key;
///
/// let key = Key::new("k-0123456789\n");
/// assert_eq!(format!("{key} {key:?}"), "**** Key(****)");
/// ```
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// Takes a key. White space around it, such as the line end of a file or of a helper's output, is no part of it.
    pub fn new(key: impl AsRef<str>) -> Self {
        Self(key.as_ref().trim().to_owned())
    }

    /// The key itself, for the one place that sends it.
    #[cfg(any(feature = "anthropic", feature = "openai"))]
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Blots out the key and whatever has eight characters in a row of it, since servers like to repeat a part of a key that they refuse.
    pub(crate) fn blot(&self, text: &str) -> String {
        let mut hidden = vec![false; text.len()];
        for run in self.runs() {
            for (start, found) in text.match_indices(run) {
                hidden.iter_mut().skip(start).take(found.len()).for_each(|hide| *hide = true);
            }
        }
        let mut shown = String::with_capacity(text.len());
        let mut after_hidden = false;
        for (at, c) in text.char_indices() {
            let hide = hidden.get(at).is_some_and(|hide| *hide);
            if !hide {
                shown.push(c);
            } else if !after_hidden {
                shown.push_str("****");
            }
            after_hidden = hide;
        }
        shown
    }

    /// All runs of so many characters; the whole key where it is shorter.
    fn runs(&self) -> impl Iterator<Item = &str> {
        let starts: Vec<usize> =
            self.0.char_indices().map(|(start, _)| start).chain([self.0.len()]).collect();
        let length = limits::KEY_RUN.min(starts.len() - 1).max(1);
        let ends = starts.clone().into_iter().skip(length);
        starts.into_iter().zip(ends).filter_map(|(start, end)| self.0.get(start..end))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(****)")
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("****")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(key: &str, text: &str, expect: &str) {
        assert_eq!(Key::new(key).blot(text), expect);
    }

    #[test]
    fn no_large_part_of_a_key_is_shown() {
        check(
            "abcdefghijklmn",
            "key abcdefghijklmn, twice abcdefghijklmn.",
            "key ****, twice ****.",
        );
        check("abcdefghijklmn", "abcdefghij...ghijklmn abcdefg", "****...**** abcdefg");
        check(" pass\n", "pass, past", "****, past");
        check("ключ-от-двери", "не ключ-от-двери", "не ****");
        check("", "nothing", "nothing");
        check("k", "", "");
    }
}
