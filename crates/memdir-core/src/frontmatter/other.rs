//! Keys that belong to other programs.

use std::borrow::Cow;

use super::value;
use super::walk::{Item, Level, Walk, unquote_key};

/// Reads what a key at the top of the frontmatter says, for files that are no memories: the definition of an agent, say.
///
/// The value is one word or text by the rules of [this module](super), and what follows ` #` is a comment. A key that
/// stands twice has its last value. `None` where there is no such key, it is empty, or the block does not close.
pub fn value_of(text: &str, key: &str) -> Option<String> {
    let mut found = None;
    let end = Walk::open(text)?.run(|item| {
        let Item::Entry(entry) = item else { return };
        let head = text.get(entry.start..entry.colon).unwrap_or_default();
        let name = unquote_key(head.trim_end_matches(':').trim());
        if entry.level == Level::Top && name == key {
            let (word, _) = value::word(&entry.raw);
            found = (!word.is_empty()).then(|| Cow::into_owned(word));
        }
    });
    found.filter(|_| end.is_closed())
}

#[cfg(test)]
mod tests {
    use super::value_of;

    #[test]
    fn reads_a_key_that_no_memory_has() {
        let check = |block: &str, expect: Option<&str>| {
            assert_eq!(value_of(block, "memory").as_deref(), expect, "{block}");
        };
        check("---\nname: a\nmemory: project\n---\n", Some("project"));
        check("\u{feff}---\r\nmemory: 'user' # all projects\r\n---\r\n", Some("user"));
        check("---\n\"memory\": local # here\n---\nmemory: user\n", Some("local"));
        check("---\nmemory: user\nmemory: local\n---\n", Some("local"));
        check("---\nmemory : user\n---\n", Some("user"));
        check("---\nmemory:\n  user\n---\n", Some("user"));
        check("---\ndescription: >\n  memory: user\n---\n", None);
        check("---\nmetadata:\n  memory: user\n---\n", None);
        check("---\nmemory: user\n", None);
        check("---\nmemory:\n---\n", None);
        check("memory: user\n", None);
        check("", None);
    }
}
