//! The guard: findings in order, at whole characters, and none of them left in a redacted text.

use memdir_guard::{Finding, Kind, redact, scan, secrets_in_file};

/// Takes a line with a path, then a text.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let ([path], body) = crate::head_lines(&text);
    findings(body, &secrets_in_file(path, body));
    findings(&text, &scan(&text));
}

fn findings(text: &str, found: &[Finding]) {
    let mut last = 0;
    for finding in found {
        assert!(text.get(finding.span.clone()).is_some(), "{finding:?}");
        assert!(finding.span.start >= last, "{found:?}");
        last = finding.span.start;
        assert!(finding.line > 0 && finding.column > 0, "{finding:?}");
    }
    let redacted = redact(text, found);
    assert_eq!(redacted.len(), text.len());
    for finding in found.iter().filter(|finding| matches!(finding.kind, Kind::Secret { .. })) {
        let left = redacted.get(finding.span.clone()).expect("a redacted text has the same places");
        assert!(left.chars().all(|c| matches!(c, '*' | '\r' | '\n')), "{finding:?}");
    }
}
