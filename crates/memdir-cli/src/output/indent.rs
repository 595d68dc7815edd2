//! Texts of others, further in than what this program says itself.

use unicode_width::UnicodeWidthChar;

/// Before each line.
const INDENT: &str = "  ";

/// Columns that a tab takes at most.
const TAB: usize = 8;

/// The lines of a text, indented. In `columns` of a terminal a line that is too long goes on in a line of its own, which the
/// terminal would begin at its edge.
pub(super) fn indented(text: &str, columns: Option<usize>) -> String {
    let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(INDENT.len()).max(TAB));
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for line in text.lines() {
        let mut used = 0;
        for (at, c) in line.chars().enumerate() {
            let width = if c == '\t' { TAB } else { c.width().unwrap_or(0) };
            if at == 0 {
                out.push_str(INDENT);
            } else if width > room - used {
                out.extend(["\n", INDENT]);
                used = 0;
            }
            used += width;
            out.push(c);
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    use super::indented;

    #[test]
    fn lines_too_long_for_the_terminal_go_on_further_in() {
        let text = "0123456789\n\n记忆记忆记忆\r\nend";
        assert_eq!(indented(text, None), "  0123456789\n\n  记忆记忆记忆\n  end\n");
        assert_eq!(indented(text, Some(10)), "  01234567\n  89\n\n  记忆记忆\n  记忆\n  end\n");
    }

    proptest! {
        #[test]
        fn nothing_stands_at_the_edge_and_nothing_is_lost(
            text in "[a-z记 \n]{0,80}",
            columns in proptest::option::of(0_usize..30),
        ) {
            let out = indented(&text, columns);
            for line in out.lines() {
                prop_assert!(line.is_empty() || line.starts_with("  "));
                prop_assert!(columns.is_none_or(|columns| line.width() <= columns.max(10)));
            }
            let letters = |text: &str| text.replace([' ', '\n'], "");
            prop_assert_eq!(letters(&out), letters(&text));
        }
    }
}
