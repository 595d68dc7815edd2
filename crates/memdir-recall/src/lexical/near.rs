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
    let near = if found.starts_with(asked) || asked.starts_with(found) {
        Near::Begins
    } else if is_slip(asked, found) {
        Near::Slip
    } else {
        return None;
    };
    let (of_asked, of_found) = (asked.chars().count(), found.chars().count());
    let is_word = |text: &str| text.chars().all(char::is_alphabetic);
    // A letter too few or too many at the end is a slip as well, but then the beginning is the better reason.
    let is_long_enough = match near {
        Near::Begins => of_asked.min(of_found) >= SHARED && of_asked <= of_found + ENDING,
        _ => of_asked.max(of_found) >= SHARED,
    };
    (is_long_enough && is_word(asked) && is_word(found)).then_some(near)
}

/// Tells whether two words become equal when one letter of either is left out or two of one are swapped.
fn is_slip(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.chars(), b.chars());
    loop {
        let (from_a, from_b) = (a.clone(), b.clone());
        match (a.next(), b.next()) {
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) => {
                let is_left_out = a.as_str() == from_b.as_str() || b.as_str() == from_a.as_str();
                let is_swapped =
                    a.next() == Some(y) && b.next() == Some(x) && a.as_str() == b.as_str();
                return is_left_out || is_swapped;
            }
            (rest_of_a, rest_of_b) => {
                let is_one = rest_of_a.is_some() != rest_of_b.is_some();
                return is_one && a.as_str().is_empty() && b.as_str().is_empty();
            }
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
