//! Memories about the use of a tool: an agent that is using it needs its warnings, not its manual.

use memdir_core::{
    MemoryType,
    text::{Token, TokenKind, fold, prefix, tokens},
};

use crate::{Document, limits};

/// The tool in use whose manual a memory is, if it is one.
///
/// It is one if it is a reference, or of no type, and its name or description names the tool and speaks of using it, or it is
/// a reference that has the tool in its name; but not if it warns of something.
pub(crate) fn is_manual_of<'t>(document: &Document<'_>, tools: &[&'t str]) -> Option<&'t str> {
    if tools.is_empty() || !matches!(document.kind, None | Some(MemoryType::Reference)) {
        return None;
    }
    let description = document.description.unwrap_or_default();
    let mut named = tools.iter().copied().filter(|tool| {
        let in_title = names(document.title(), tool) || names(document.path.stem(), tool);
        let is_usage = || has_any(document.title(), USAGE) || has_any(description, USAGE);
        (in_title && (document.kind.is_some() || is_usage()))
            || (names(description, tool) && is_usage())
    });
    let tool = named.next()?;
    let body = prefix(document.body, limits::WARNING_BYTES);
    let warns = [document.title(), description, body].iter().any(|text| has_any(text, WARNING));
    (!warns).then_some(tool)
}

/// Whether a text names a tool: one that is written in small letters in any case, others as they are written, so that
/// `Read` is not found in what somebody should read. A tool of a server, `mcp__github__search`, goes by either.
fn names(text: &str, tool: &str) -> bool {
    let mut names = tool.split("__").filter(|name| *name != "mcp" && !name.is_empty());
    names.any(|name| {
        let is_small = !name.contains(char::is_uppercase);
        let is_name = |word: &str| if is_small { fold(word) == name } else { word == name };
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        words.any(|word| is_name(word) || word.split(['_', '-']).any(is_name))
    })
}

fn has_any(text: &str, words: &[&str]) -> bool {
    let is_listed =
        |token: &Token<'_>| token.kind != TokenKind::Part && words.contains(&&*token.text);
    tokens(text).any(|token| is_listed(&token))
}

/// Words by which a text speaks of the use of something.
#[rustfmt::skip]
const USAGE: &[&str] = &[
    "usage", "use", "using", "how", "guide", "manual", "cheatsheet", "cheat", "syntax", "flags", "options", "commands",
    "api", "docs", "documentation", "reference", "parameters", "arguments", "anleitung", "nutzung", "benutzung",
    "verwendung", "befehle", "utilisation", "uso", "用法", "使用", "使い", "い方", "사용",
];

/// Words by which a text warns.
#[rustfmt::skip]
const WARNING: &[&str] = &[
    "warning", "caution", "gotcha", "gotchas", "pitfall", "pitfalls", "trap", "beware", "careful", "never", "not", "don",
    "doesn", "won", "cannot", "avoid", "instead", "fail", "fails", "failed", "failing", "break", "breaks", "broken", "bug",
    "bugs", "wrong", "hangs", "crash", "crashes", "deletes", "overwrites", "loses", "silently", "unless", "danger",
    "dangerous", "problem", "issue", "issues", "workaround", "achtung", "vorsicht", "nicht", "nie", "niemals", "attention",
    "jamais", "cuidado", "nunca", "не", "注意", "不要", "不能", "禁止", "警告", "주의", "경고",
];

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use memdir_core::MemPath;

    use super::*;

    #[test]
    fn a_manual_is_told_from_a_warning() {
        let path = MemPath::parse("note.md").unwrap();
        let check = |kind: Option<MemoryType>, name: &str, description: &str, tools: &[&str]| {
            let mut document = Document::new(&path, SystemTime::UNIX_EPOCH);
            document.kind = kind;
            document.name = Some(name);
            document.description = Some(description);
            is_manual_of(&document, tools).map(str::to_owned)
        };
        let reference = Some(MemoryType::Reference);
        let gh = Some("gh".to_owned());
        assert_eq!(check(reference, "gh flags", "how to list runs", &["cargo", "gh"]), gh);
        assert_eq!(check(None, "runs", "using gh to list runs", &["gh"]), gh);
        assert_eq!(check(None, "runs", "gh lists them", &["gh"]), None, "no word of use");
        assert_eq!(check(reference, "gh flags", "how to list runs", &["rg"]), None);
        assert_eq!(check(reference, "gh flags", "never use --force", &["gh"]), None, "a warning");
        assert_eq!(check(Some(MemoryType::Feedback), "gh flags", "use them", &["gh"]), None);
        assert_eq!(
            check(reference, "Read replicas", "how to reach them", &["read"]),
            Some("read".to_owned())
        );
        assert_eq!(check(reference, "what to read", "a guide", &["Read"]), None);
        assert_eq!(
            check(reference, "github_search", "usage", &["mcp__github__search"]),
            Some("mcp__github__search".to_owned())
        );
        assert_eq!(check(reference, "gh flags", "usage", &[]), None);
    }
}
