//! Words that stand in for one that nothing has.

/// How near a word comes to the one asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Near {
    /// It is the word, or has the same stem.
    Same,
    /// Somebody's finger slipped.
    Slip,
    /// One begins with the other.
    Begins,
}

/// Letters that two words must share at the beginning to have to do with each other.
const SHARED: usize = 5;

/// Letters that a word asked for may have beyond the one found: an ending.
const ENDING: usize = 3;

/// Compares two words that are not the same.
///
/// A slip leaves out, doubles, adds or swaps letters. A letter in place of another is none: that makes another word,
/// `mango` for `mongo`.
pub(super) fn near(asked: &str, found: &str) -> Option<Near> {
    // Most words differ in the first letter.
    if asked.bytes().next() != found.bytes().next() || asked == found {
        return None;
    }
    let is_word = |text: &str| text.chars().all(char::is_alphabetic);
    let (of_asked, of_found) = (asked.chars().count(), found.chars().count());
    if of_asked.min(of_found) >= SHARED {
        let is_longer = found.starts_with(asked);
        let is_ending = asked.starts_with(found) && of_asked - of_found <= ENDING;
        if (is_longer || is_ending) && is_word(asked) && is_word(found) {
            return Some(Near::Begins);
        }
    }
    let is_long_enough = of_asked.max(of_found) >= SHARED && of_asked.min(of_found) + 1 >= SHARED;
    (is_long_enough && is_slip(asked, found) && is_word(asked) && is_word(found))
        .then_some(Near::Slip)
}

fn is_slip(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.chars(), b.chars());
    loop {
        let (rest_of_a, rest_of_b) = (a.as_str(), b.as_str());
        match (a.next(), b.next()) {
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) => {
                let is_swapped =
                    a.next() == Some(y) && b.next() == Some(x) && a.as_str() == b.as_str();
                let behind = |text: &str, c: char| text.get(c.len_utf8()..).map(str::to_owned);
                return is_swapped
                    || behind(rest_of_a, x).as_deref() == Some(rest_of_b)
                    || behind(rest_of_b, y).as_deref() == Some(rest_of_a);
            }
            (Some(_), None) => return a.as_str().is_empty(),
            (None, Some(_)) => return b.as_str().is_empty(),
            (None, None) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_slips_and_beginnings_and_no_other_words() {
        let check = |asked: &str, found: &str, expect: Option<Near>| {
            assert_eq!(near(asked, found), expect, "{asked} {found}");
        };
        check("typscript", "typescript", Some(Near::Slip));
        check("typsecript", "typescript", Some(Near::Slip));
        check("reedis", "redis", Some(Near::Slip));
        check("eror", "error", Some(Near::Slip));
        check("erorr", "error", Some(Near::Slip));
        check("größse", "größe", Some(Near::Slip));
        check("datenbank", "datenbankverbindung", Some(Near::Begins));
        check("mongod", "mongo", Some(Near::Begins));
        check("mango", "mongo", None);
        check("k9s", "k8s", None);
        check("port", "portugal", None);
        check("rest", "rust", None);
        check("error", "terror", None);
        check("postgresql", "postgresmigrationen", None);
        check("v12345", "v1234", None);
        check("größe", "größe", None);
        check("", "", None);
        check("", "a", None);
    }
}
