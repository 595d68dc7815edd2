//! The English stemmer of the Snowball project (Porter 2, as of Snowball 3.0), over one reused buffer.

/// Longest word that is stemmed, in bytes; what is longer is no English word.
const MAX_WORD: usize = 40;

/// Reduces words to stems: `testing` and `tests` to `test`.
#[derive(Debug, Default)]
pub(super) struct Stemmer {
    word: String,
    /// Offsets at which the regions begin in which suffixes may be taken away.
    r1: usize,
    r2: usize,
}

impl Stemmer {
    /// Returns the stem of a word in lower case. A word that is not spelled with `a` to `z` is its own stem.
    pub(super) fn stem<'a>(&'a mut self, word: &'a str) -> &'a str {
        let is_english = word.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_english || word.len() < 3 || word.len() > MAX_WORD {
            return word;
        }
        if let Some(stem) = exception(word) {
            return stem;
        }
        self.word.clear();
        self.push_with_consonant_y(word);
        self.find_regions();
        self.step_1a();
        self.step_1b();
        self.step_1c();
        self.step_2();
        self.step_3();
        self.step_4();
        self.step_5();
        self.word.make_ascii_lowercase();
        &self.word
    }

    /// Writes a `y` that is a consonant as `Y`.
    fn push_with_consonant_y(&mut self, word: &str) {
        let mut after_vowel = true;
        for c in word.chars() {
            let c = if c == 'y' && after_vowel { 'Y' } else { c };
            after_vowel = is_vowel(c);
            self.word.push(c);
        }
    }

    fn find_regions(&mut self) {
        const OVERSTEMMED: [&str; 8] =
            ["arsen", "commun", "emerg", "gener", "later", "organ", "past", "univers"];
        let fixed = OVERSTEMMED.iter().find(|start| self.word.starts_with(**start));
        self.r1 = fixed.map_or_else(|| self.region_after(0), |start| start.len());
        self.r2 = self.region_after(self.r1);
    }

    /// Where the first vowel-consonant pair from `start` on ends.
    fn region_after(&self, start: usize) -> usize {
        let mut chars = self.word.char_indices().skip(start);
        let has_vowel = chars.any(|(_, c)| is_vowel(c));
        let consonant = if has_vowel { chars.find(|(_, c)| !is_vowel(*c)) } else { None };
        consonant.map_or(self.word.len(), |(at, _)| at + 1)
    }

    fn step_1a(&mut self) {
        if self.word.ends_with("sses") {
            self.cut(2);
        } else if self.word.ends_with("ied") || self.word.ends_with("ies") {
            self.cut(if self.word.len() > 4 { 2 } else { 1 });
        } else if self.word.ends_with('s')
            && !self.word.ends_with("ss")
            && !self.word.ends_with("us")
            && self.before(2).contains(is_vowel)
        {
            self.cut(1);
        }
    }

    fn step_1b(&mut self) {
        if let Some(suffix) = self.longest(&["eed", "eedly"]) {
            let rest = self.before(suffix.len());
            let is_whole = matches!(rest, "succ" | "proc" | "exc");
            if !is_whole && rest.len() >= self.r1 {
                self.cut(suffix.len());
                self.word.push_str("ee");
            }
            return;
        }
        let Some(suffix) = self.longest(&["ed", "edly", "ing", "ingly"]) else { return };
        let rest = self.before(suffix.len());
        if suffix == "ing" {
            let mut start = rest.chars();
            match (start.next(), start.as_str()) {
                (Some(first), "y") if !is_vowel(first) => {
                    self.cut(4);
                    return self.word.push_str("ie");
                }
                _ if matches!(rest, "even" | "cann" | "inn" | "earr" | "herr" | "out") => return,
                _ => {}
            }
        }
        if !rest.contains(is_vowel) {
            return;
        }
        self.cut(suffix.len());
        self.mend_after_1b();
    }

    fn mend_after_1b(&mut self) {
        const DOUBLES: [&str; 9] = ["bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"];
        if ["at", "bl", "iz"].iter().any(|end| self.word.ends_with(end)) {
            self.word.push('e');
        } else if DOUBLES.iter().any(|end| self.word.ends_with(end)) {
            if !matches!(self.before(2), "a" | "e" | "o") {
                self.cut(1);
            }
        } else if self.word.len() == self.r1 && ends_in_short_syllable(&self.word) {
            self.word.push('e');
        }
    }

    fn step_1c(&mut self) {
        let rest = self.before(1);
        let may_change = rest.len() > 1 && !rest.ends_with(is_vowel);
        if may_change && self.word.ends_with(['y', 'Y']) {
            self.replace(1, "i");
        }
    }

    fn step_2(&mut self) {
        let Some(&(suffix, with)) = longest_pair(&self.word, STEP_2) else { return };
        let rest = self.before(suffix.len());
        if rest.len() < self.r1 {
            return;
        }
        let may_change = match suffix {
            "ogi" => rest.ends_with('l'),
            "li" => rest.ends_with(['c', 'd', 'e', 'g', 'h', 'k', 'm', 'n', 'r', 't']),
            _ => true,
        };
        if may_change {
            self.replace(suffix.len(), with);
        }
    }

    fn step_3(&mut self) {
        let Some(&(suffix, with)) = longest_pair(&self.word, STEP_3) else { return };
        let start = self.before(suffix.len()).len();
        if start >= self.r1 && (suffix != "ative" || start >= self.r2) {
            self.replace(suffix.len(), with);
        }
    }

    fn step_4(&mut self) {
        let Some(suffix) = self.longest(&STEP_4) else { return };
        let rest = self.before(suffix.len());
        if rest.len() >= self.r2 && (suffix != "ion" || rest.ends_with(['s', 't'])) {
            self.cut(suffix.len());
        }
    }

    fn step_5(&mut self) {
        let rest = self.before(1);
        let may_cut = match self.word.chars().next_back() {
            Some('e') => {
                rest.len() >= self.r2 || (rest.len() >= self.r1 && !ends_in_short_syllable(rest))
            }
            Some('l') => rest.len() >= self.r2 && rest.ends_with('l'),
            _ => false,
        };
        if may_cut {
            self.cut(1);
        }
    }

    fn longest(&self, suffixes: &[&'static str]) -> Option<&'static str> {
        let found = suffixes.iter().filter(|suffix| self.word.ends_with(**suffix));
        found.max_by_key(|suffix| suffix.len()).copied()
    }

    /// The word without its last `letters`.
    fn before(&self, letters: usize) -> &str {
        self.word.get(..self.word.len().saturating_sub(letters)).unwrap_or_default()
    }

    fn cut(&mut self, letters: usize) {
        self.word.truncate(self.word.len().saturating_sub(letters));
    }

    fn replace(&mut self, letters: usize, with: &str) {
        self.cut(letters);
        self.word.push_str(with);
    }
}

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

/// A vowel before a consonant other than `w`, `x` and `Y` and behind another consonant or at the beginning.
fn ends_in_short_syllable(word: &str) -> bool {
    let mut back = word.chars().rev();
    let Some(last) = back.next().filter(|c| !is_vowel(*c)) else { return false };
    if !back.next().is_some_and(is_vowel) {
        return word.ends_with("past");
    }
    match back.next() {
        Some(before) => {
            (!is_vowel(before) && !matches!(last, 'w' | 'x' | 'Y')) || word.ends_with("past")
        }
        None => true,
    }
}

fn longest_pair(
    word: &str,
    pairs: &'static [(&'static str, &'static str)],
) -> Option<&'static (&'static str, &'static str)> {
    pairs.iter().filter(|(suffix, _)| word.ends_with(suffix)).max_by_key(|(suffix, _)| suffix.len())
}

fn exception(word: &str) -> Option<&'static str> {
    Some(match word {
        "andes" => "andes",
        "atlas" => "atlas",
        "bias" => "bias",
        "cosmos" => "cosmos",
        "early" => "earli",
        "gently" => "gentl",
        "howe" => "howe",
        "idly" => "idl",
        "news" => "news",
        "only" => "onli",
        "singly" => "singl",
        "skies" | "sky" => "sky",
        "skis" => "ski",
        "ugly" => "ugli",
        _ => return None,
    })
}

const STEP_2: &[(&str, &str)] = &[
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("entli", "ent"),
    ("ization", "ize"),
    ("izer", "ize"),
    ("ation", "ate"),
    ("ational", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("alli", "al"),
    ("fulli", "ful"),
    ("fulness", "ful"),
    ("ousli", "ous"),
    ("ousness", "ous"),
    ("iveness", "ive"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("bli", "ble"),
    ("ogist", "og"),
    ("ogi", "og"),
    ("lessli", "less"),
    ("li", ""),
];

const STEP_3: &[(&str, &str)] = &[
    ("tional", "tion"),
    ("ational", "ate"),
    ("alize", "al"),
    ("icate", "ic"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
    ("ative", ""),
];

const STEP_4: [&str; 18] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ism", "ate",
    "iti", "ous", "ive", "ize", "ion",
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Words with their stems, from the English stemmer of the Snowball project.
    const PAIRS: &str = "\
         test test, tests test, tested test, testing test, tester tester, database databas, databases \
         databas, running run, runs run, runner runner, flies fli, flying fli, dying die, lying lie, tying \
         tie, happy happi, happily happili, happiness happi, generation generat, generations generat, general \
         general, generally general, organization organiz, organize organiz, organic organic, university \
         universiti, universal universal, universe univers, arsenal arsenal, communism communism, community \
         communiti, emergency emergenc, emerge emerg, later later, latest latest, past past, paste paste, \
         skies sky, sky sky, skis ski, ugly ugli, gently gentl, early earli, only onli, news news, bias bias, \
         inning inning, outing outing, earring earring, evening evening, canning canning, herring herring, \
         proceed proceed, exceed exceed, succeed succeed, succeeded succeed, proceeding proceed, consistency \
         consist, consistent consist, consign consign, consigned consign, knack knack, knock knock, knit \
         knit, relational relat, conditional condit, rational ration, valency valenc, hesitancy hesit, \
         digitizer digit, conformably conform, radically radic, differently differ, vilely vile, analogously \
         analog, vietnamization vietnam, predication predic, operator oper, feudalism feudal, decisiveness \
         decis, hopefulness hope, callousness callous, formality formal, sensitivity sensit, sensibility \
         sensibl, geology geolog, biologist biolog, analogy analog, triplicate triplic, formative format, \
         formalize formal, electricity electr, electrical electr, hopeful hope, goodness good, revival reviv, \
         allowance allow, inference infer, airliner airlin, gyroscopic gyroscop, adjustable adjust, \
         defensible defens, irritant irrit, replacement replac, adjustment adjust, dependent depend, adoption \
         adopt, activate activ, angularity angular, homologous homolog, effective effect, bowdlerize bowdler, \
         probate probat, rate rate, cease ceas, controlling control, rolled roll, hopping hop, hoped hope, \
         fizzed fizz, failing fail, filing file, sized size, agreed agre, feed feed, fed fed, bed bed, \
         disabled disabl, matting mat, mating mate, meeting meet, milling mill, messing mess, meetings meet, \
         add add, egg egg, off off, ebb ebb, yes yes, boy boy, boys boy, cry cri, crying cri, by by, say say, \
         saying say, enjoy enjoy, enjoyed enjoy, enjoyable enjoy, beautiful beauti, youth youth, yellow \
         yellow, syzygy syzygi, gas gas, this this, kiwis kiwi, us us, bus bus, buses buse, class class, \
         classes class, caresses caress, ponies poni, ties tie, dies die, cats cat, gaps gap, kiss kiss, bled \
         bled, sing sing, string string";

    #[test]
    fn stems_are_those_of_snowball() {
        let mut stemmer = Stemmer::default();
        for (word, expect) in PAIRS.split(", ").filter_map(|pair| pair.split_once(' ')) {
            assert_eq!(stemmer.stem(word), expect, "{word}");
        }
    }

    #[test]
    fn what_is_no_english_word_is_its_own_stem() {
        let mut stemmer = Stemmer::default();
        let long = "testing".repeat(6);
        for word in ["", "it", "naïves", "größen", "Tests", "k8s", "snake_cases", "тесты", &long]
        {
            assert_eq!(stemmer.stem(word), word);
        }
    }

    proptest! {
        #[test]
        fn any_word_has_a_stem_that_begins_like_it(word in "[a-z]{1,14}(s|ed|ing|ly|y|ies|ation|fulness|eed)?") {
            let mut stemmer = Stemmer::default();
            let stem = stemmer.stem(&word);
            prop_assert!(!stem.is_empty() && stem.len() <= word.len() + 1);
            prop_assert_eq!(stem.chars().next(), word.chars().next());
        }
    }
}
