//! Which word of a question says how much.

use memdir_core::text::{Token, TokenKind};

use super::lists::{STOP, WEAK};

/// How much a word says about what a text is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It names a subject.
    Strong,
    /// It is a part of an identifier that is a word of the question itself.
    Part,
    /// It is a word that any talk is full of.
    Weak,
    /// It means what a word of the question means.
    Synonym,
}

impl Role {
    /// Whether the question itself asks for it, and not only for what it stands for.
    pub(super) fn is_asked(self) -> bool {
        matches!(self, Self::Strong | Self::Weak)
    }
}

/// Returns the role of a token whose stem is given; `None` for one that says nothing.
pub(super) fn role(token: &Token<'_>, stem: &str) -> Option<Role> {
    let text = &*token.text;
    if token.kind == TokenKind::Cjk {
        return cjk_role(text);
    }
    if is_in(STOP, text) {
        return None;
    }
    let is_small_number = text.len() < 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_small_number || is_in(WEAK, stem) {
        return Some(Role::Weak);
    }
    Some(if token.kind == TokenKind::Part { Role::Part } else { Role::Strong })
}

fn is_in(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

/// Pairs of characters that hold a particle, a pronoun or an ending are weak, since nothing tells where the words are;
/// pairs of nothing else, and such a character alone, say nothing.
fn cjk_role(pair: &str) -> Option<Role> {
    let mut chars = pair.chars();
    let (first, second) = (chars.next()?, chars.next());
    let is_function = |c| CHINESE.contains(c) || JAPANESE.contains(c);
    let Some(second) = second else {
        return (!is_function(first)).then_some(Role::Strong);
    };
    if is_function(first) && is_function(second) {
        return None;
    }
    let is_weak = is_function(first)
        || is_function(second)
        || KOREAN.contains(second)
        || PAIRS.contains(&pair);
    Some(if is_weak { Role::Weak } else { Role::Strong })
}

const CHINESE: &str = "的了吗呢吧啊么嘛们和与或是在我你您他她它这那哪就也都很怎谁把被什何";

/// The particles that are seldom within a word.
const JAPANESE: &str = "のをはへがに";

/// Topic, object and possessive particles, which end a word.
const KOREAN: &str = "은는을를의";

/// Endings and function words of Japanese and Korean.
const PAIRS: &[&str] = &[
    "です", "ます", "した", "して", "する", "いる", "ある", "ない", "こと", "もの", "から", "まで",
    "って", "てい", "いま", "ませ", "せん", "くだ", "ださ", "さい", "どう", "うや", "やっ", "この",
    "その", "これ", "それ", "どこ", "どれ", "ここ", "そこ", "なに", "いい", "합니", "니다", "습니",
    "까지", "부터", "하는", "있는", "우리", "어떻", "떻게", "무엇", "에서", "그리", "리고", "나요",
    "까요",
];

#[cfg(test)]
mod tests {
    use memdir_core::text::tokens;

    use super::*;
    use crate::lexical::Stems;

    fn roles(text: &str) -> String {
        let role = |token: Token<'_>| {
            let mark = match role(&token, &Stems::All.of(&token)) {
                None => "",
                Some(Role::Strong) => "!",
                Some(Role::Part) => "+",
                Some(Role::Weak) => "?",
                Some(Role::Synonym) => "=",
            };
            format!("{}{mark}", token.text)
        };
        tokens(text).map(role).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lists_are_in_order() {
        for list in [STOP, WEAK] {
            assert!(list.is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn a_subject_is_told_from_talk_about_it() {
        assert_eq!(
            roles("I was wondering how we test the database"),
            "i was wondering? how we test! the database!"
        );
        assert_eq!(roles("Wie testen wir die Datenbank?"), "wie testen! wir die? datenbank!");
        assert_eq!(roles("ReactJS 18"), "reactjs! react+ js+ 18?");
    }

    #[test]
    fn particles_are_told_from_words_without_spaces_between() {
        assert_eq!(roles("我们的数据库"), "我们 们的 的数? 数据! 据库!");
        assert_eq!(roles("成語の意味"), "成語! 語の? の意? 意味!");
        assert_eq!(roles("게임을 했다"), "게임! 임을? 했다!");
    }
}
