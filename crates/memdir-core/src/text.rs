//! Text as a reader and a search see it: folding, tokens, and characters that must not reach a terminal or a prompt raw.

mod chars;
mod escape;
mod fold;
mod tokens;

pub(crate) use chars::{is_control, is_default_ignorable, is_stable, with_danger};
pub(crate) use escape::excerpt;
pub use escape::{escape_control, escape_control_lines, prefix};
pub(crate) use fold::case_fold;
pub use fold::fold;
pub use tokens::{Token, TokenKind, Tokens, tokens};
