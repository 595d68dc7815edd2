//! Text with its secrets blotted out.

use std::borrow::Cow;

use crate::{Finding, Kind};

/// Replaces each byte of each secret by `*`, line ends excepted; all else stays, and so do offsets, lines and length.
///
/// `found` are findings in this very text; a place that is outside of it or cuts a character is left alone. Findings
/// other than secrets are not redacted. Without secrets the text comes back as it is.
pub fn redact<'a>(text: &'a str, found: &[Finding]) -> Cow<'a, str> {
    let mut secrets: Vec<_> = found
        .iter()
        .filter(|finding| matches!(finding.kind, Kind::Secret { .. }))
        .map(|finding| finding.span.clone())
        .filter(|span| text.get(span.clone()).is_some())
        .collect();
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    secrets.sort_by_key(|span| span.start);
    let mut redacted = String::with_capacity(text.len());
    let mut done = 0;
    for span in secrets {
        let start = span.start.max(done);
        if start >= span.end {
            continue;
        }
        redacted.push_str(text.get(done..start).unwrap_or_default());
        let secret = text.get(start..span.end).unwrap_or_default();
        let blots =
            secret.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { byte } else { b'*' });
        redacted.extend(blots.map(char::from));
        done = span.end;
    }
    redacted.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(redacted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, spans: &[(usize, usize)], expect: &str) {
        let found: Vec<_> = spans
            .iter()
            .map(|(start, end)| Finding {
                kind: Kind::Secret { rule: "r" },
                span: *start..*end,
                line: 1,
                column: 1,
            })
            .collect();
        let redacted = redact(text, &found);
        assert_eq!(redacted, expect);
        assert_eq!(redacted.len(), text.len());
    }

    #[test]
    fn blots_secrets_out_and_moves_nothing() {
        check("a key b", &[(2, 5)], "a *** b");
        check("kéy end", &[(0, 4)], "**** end");
        check("ab\r\ncd", &[(0, 6)], "**\r\n**");
    }

    #[test]
    fn takes_overlapping_unsorted_and_wrong_places() {
        check("abcdef", &[(3, 5), (1, 4), (1, 2)], "a****f");
        check("éa", &[(1, 3), (0, 9), (2, 3)], "é*");
    }
}
