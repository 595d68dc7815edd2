//! Questions for a time, and texts that tell one.

use memdir_core::text::{Token, TokenKind, prefix, tokens};

use crate::{Document, limits};

/// Whether a question asks when something was or will be.
///
/// Its first word or two say so; `when` further on is as often a conjunction.
pub(super) fn asks_when(question: &str) -> bool {
    let question = prefix(question.trim_start(), limits::QUERY_BYTES);
    if UNSPACED.iter().any(|phrase| question.contains(phrase)) {
        return true;
    }
    let mut words = tokens(question).map(|token| token.text);
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    WHEN.contains(&&*first) || PAIRS.contains(&(&*first, &*second))
}

/// Whether a memory tells a time: a year, a month, a weekday, how long ago.
pub(super) fn tells_when(document: &Document<'_>) -> bool {
    let body = prefix(document.body, limits::TIME_BYTES);
    [document.description.unwrap_or_default(), body].into_iter().any(|text| {
        let mut tokens = tokens(text);
        loop {
            tokens.pass_over(is_time_word);
            match tokens.next() {
                Some(token) if is_time(&token) => return true,
                Some(_) => {}
                None => return false,
            }
        }
    })
}

fn is_time(token: &Token<'_>) -> bool {
    let text = &*token.text;
    if token.kind == TokenKind::Cjk {
        return text.contains(['年', '月', '日', '昨', '년', '월']);
    }
    is_time_word(text)
}

fn is_time_word(text: &str) -> bool {
    let Some(first) = text.bytes().next() else { return false };
    if first.is_ascii_digit() {
        let is_century = text.starts_with("19") || text.starts_with("20");
        return is_century && text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    }
    // Most words are no such word, and most of them have another length than those with their first letter.
    let lengths = LENGTHS.get(usize::from(first)).copied().unwrap_or_default();
    text.len() < 32 && lengths & (1 << text.len()) != 0 && TIMES.binary_search(&text).is_ok()
}

/// The lengths, as bits, of the words in [`TIMES`] that begin with a byte.
#[expect(clippy::indexing_slicing, reason = "what is out of bounds does not compile")]
const LENGTHS: [u32; 256] = {
    let mut lengths = [0; 256];
    let mut words: &[&str] = TIMES;
    while let [word, rest @ ..] = words {
        lengths[word.as_bytes()[0] as usize] |= 1 << word.len();
        words = rest;
    }
    lengths
};

const WHEN: &[&str] =
    &["when", "wann", "quand", "cuándo", "cuando", "quando", "wanneer", "когда", "när", "hvornår"];

#[rustfmt::skip]
const PAIRS: &[(&str, &str)] = &[
    ("how", "long"), ("since", "when"), ("until", "when"), ("what", "date"), ("what", "day"),
    ("what", "month"), ("what", "time"), ("what", "year"), ("which", "date"), ("which", "day"),
    ("which", "month"), ("which", "week"), ("which", "year"), ("ab", "wann"), ("bis", "wann"),
    ("seit", "wann"), ("wie", "lange"), ("depuis", "quand"), ("desde", "cuándo"),
];

/// In Chinese, Japanese and Korean, where it may stand anywhere.
const UNSPACED: &[&str] = &["什么时候", "何时", "几时", "哪天", "いつ", "언제"];

/// Months, weekdays and words that count from today, in English, German, French, Spanish and Russian, in order.
#[rustfmt::skip]
const TIMES: &[&str] = &[
    "abril", "ago", "agosto", "année", "août", "april", "august", "aujourd", "avril", "ayer", "año",
    "day", "days", "december", "demain", "dezember", "diciembre", "dienstag", "dimanche", "domingo",
    "donnerstag", "décembre", "enero", "febrero", "februar", "february", "freitag", "friday",
    "février", "gestern", "heute", "hier", "hoy", "jahr", "januar", "january", "janvier", "jeudi",
    "jueves", "juillet", "juin", "juli", "julio", "july", "june", "juni", "junio", "last", "lundi",
    "lunes", "march", "mardi", "mars", "martes", "marzo", "mañana", "mercredi", "mes", "mittwoch",
    "miércoles", "mois", "monat", "monday", "montag", "month", "months", "morgen", "märz", "next",
    "november", "novembre", "noviembre", "october", "octobre", "octubre", "oktober", "recently",
    "samedi", "samstag", "saturday", "semaine", "semana", "september", "septembre", "septiembre",
    "since", "sonntag", "soon", "sunday", "sábado", "thursday", "today", "tomorrow", "tonight",
    "tuesday", "vendredi", "viernes", "wednesday", "week", "weekend", "weeks", "woche", "year",
    "years", "yesterday", "августа", "апреля", "вторник", "вчера", "год", "декабря", "завтра",
    "июля", "июня", "марта", "мая", "месяц", "неделю", "ноября", "октября", "понедельник",
    "пятницу", "сегодня", "сентября", "среду", "февраля", "четверг", "января",
];

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use memdir_core::MemPath;

    use super::*;

    #[test]
    fn times_are_in_order() {
        assert!(TIMES.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_question_for_a_time_says_so_at_its_beginning() {
        let check = |question: &str, expect: bool| {
            assert_eq!(asks_when(question), expect, "{question}");
        };
        check("When is the freeze?", true);
        check("  how long does a build take", true);
        check("Seit wann gibt es das?", true);
        check("发布冻结从什么时候开始", true);
        check("what should I do when tests fail?", false);
        check("how do we test?", false);
        check("", false);
    }

    #[test]
    fn a_memory_tells_a_time_by_a_word_or_a_year() {
        let path = MemPath::parse("a.md").unwrap();
        let check = |description: &str, expect: bool| {
            let mut document = Document::new(&path, SystemTime::UNIX_EPOCH);
            document.description = Some(description);
            assert_eq!(tells_when(&document), expect, "{description}");
        };
        check("frozen since Thursday", true);
        check("decided on 2026-11-05", true);
        check("11月起冻结", true);
        check("port 8080, 20 retries", false);
        check("", false);
    }
}
