//! The expressions of rules, in the forms in which rules write them.

use std::borrow::Cow;

use regex::bytes::Regex;

use crate::expression::Expression;

/// What may stand between a name and the value that it gets.
const ASSIGNS: &str =
    r#"(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}"#;
/// What ends a value that is assigned.
const ENDS: &str = r#"(?:[\x60'"\s;]|\\[nr]|$)"#;
/// What ends a token: also signs that close a sentence, a bracket, a tag, an emphasis or a part of an address. A dot that a
/// word follows is in the name of a file or a host.
const TOKEN_ENDS: &str = r#"(?:[\x60'"\s;,:!?)\]}<>|*&/#\\]|\.\B|_\b|$)"#;

/// An expression of a rule.
#[derive(Debug)]
pub(super) struct Pattern {
    source: Source,
    compiled: Expression,
}

/// How a rule writes its expression.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// In full.
    Regex(&'static str),
    /// A word of its own.
    Token(&'static str),
    /// A value that is assigned to a name.
    Assigned { after: &'static str, value: &'static str },
}

impl Pattern {
    pub(super) fn new(source: Source) -> Self {
        Self { source, compiled: Expression::default() }
    }

    pub(super) fn source(&self) -> Source {
        self.source
    }

    pub(super) fn regex(&self) -> &Regex {
        self.compiled.of(|| self.source.in_full())
    }

    pub(super) fn is_match(&self, text: &[u8]) -> bool {
        self.regex().is_match(text)
    }
}

impl Source {
    fn in_full(self) -> Cow<'static, str> {
        match self {
            Self::Regex(text) => Cow::Borrowed(text),
            Self::Token(text) => Cow::Owned(format!(r"\b({text}){TOKEN_ENDS}")),
            Self::Assigned { after, value } => {
                Cow::Owned(format!(r"(?i)(?:{after}){ASSIGNS}({value}){ENDS}"))
            }
        }
    }
}
