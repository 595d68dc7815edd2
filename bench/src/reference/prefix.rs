//! A frontmatter reader that knows three keys by their prefix.

/// What the reader keeps of a head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prefix {
    /// The value of the first `name:`, without quotes; empty when absent.
    pub name: String,
    /// The value of the first `description:`, without quotes; empty when absent.
    pub description: String,
    /// The value of `type:` at any depth, if it is one of the four types.
    pub kind: Option<&'static str>,
}

const KINDS: [&str; 4] = ["user", "feedback", "project", "reference"];
const MAX_LINES: usize = 30;

/// Reads the frontmatter at the start of `head`; no YAML, no escapes, no notes.
pub fn prefix(head: &[u8]) -> Prefix {
    let mut found = Prefix::default();
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // A head ends where the buffer ends, which may be inside a character.
        Err(cut) => {
            let valid = head.get(..cut.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
    };
    let mut lines = text.split('\n').take(MAX_LINES);
    if lines.next().map(str::trim_end) != Some("---") {
        return found;
    }
    for line in lines {
        let line = line.trim();
        if line == "---" {
            break;
        }
        if let Some(value) = line.strip_prefix("name:") {
            unquoted(value).clone_into(&mut found.name);
        } else if let Some(value) = line.strip_prefix("description:") {
            unquoted(value).clone_into(&mut found.description);
        } else if let Some(value) = line.strip_prefix("type:") {
            found.kind = KINDS.into_iter().find(|kind| *kind == unquoted(value));
        }
    }
    found
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_shapes_and_survives_a_cut_character() {
        let flat = prefix(b"---\nname: \"a b\"\ndescription: c\ntype: user\n---\nname: no\n");
        let nested = prefix(b"---\r\nname: a b\r\ndescription: c\r\nmetadata:\r\n  type: user\r\n");
        let expect = Prefix { name: "a b".into(), description: "c".into(), kind: Some("user") };
        assert_eq!((&flat, &nested), (&expect, &expect));
        let whole = "---\nname: x\n---\n\u{8bb0}".as_bytes();
        let cut = &whole[..whole.len() - 1];
        assert_eq!(prefix(cut), Prefix { name: "x".into(), ..Prefix::default() });
    }
}
