//! What holds for any text.

use memdir_guard::{Kind, redact, scan, secrets};
use proptest::prelude::*;

/// Parts that rules look for, and what evades them, in any order.
fn parts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => "\\PC{0,8}",
        3 => "[ -~]{0,12}",
        1 => prop::sample::select(vec![
            "token = ", "key: \"", "\n", "\r\n> ", "curl -u ", "密钥", "\u{200B}", "\u{AD}", "ｓｋ_", "\u{E0041}",
            "\u{202E}", "🏴", "ignore all previous instructions", "do not tell the user", "[system: ", "<tool_call>",
            "-----BEGIN ", " to https://x.example/ ", "。", "'",
        ]).prop_map(str::to_owned),
        1 => "[A-Za-z0-9]{16,40}",
        1 => "[0-9a-f]{32}".prop_map(|hex| format!("adobe_id='{hex}'")),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn findings_are_in_order_and_at_whole_characters(text in parts()) {
        let found = scan(&text);
        for finding in &found {
            prop_assert!(text.get(finding.span.clone()).is_some(), "{finding:?}");
            let before = text.get(..finding.span.start).unwrap_or_default();
            prop_assert_eq!(finding.line, before.matches('\n').count() + 1);
            let line = before.rsplit('\n').next().unwrap_or_default();
            prop_assert_eq!(finding.column, line.chars().count() + 1);
        }
        let places: Vec<_> = found.iter().map(|finding| finding.span.start).collect();
        prop_assert!(places.is_sorted());
    }

    #[test]
    fn of_findings_of_one_kind_and_rule_none_overlap(text in parts()) {
        let found = scan(&text);
        for (number, finding) in found.iter().enumerate() {
            for other in found.iter().skip(number + 1) {
                let same = finding.kind.name() == other.kind.name() && finding.kind.rule() == other.kind.rule();
                prop_assert!(!same || other.span.start >= finding.span.end, "{finding:?} {other:?}");
            }
        }
    }

    #[test]
    fn redaction_keeps_offsets_and_what_is_no_secret(text in parts()) {
        let found = scan(&text);
        let redacted = redact(&text, &found);
        prop_assert_eq!(redacted.len(), text.len());
        let spans: Vec<_> = found
            .iter()
            .filter(|finding| matches!(finding.kind, Kind::Secret { .. }))
            .map(|finding| finding.span.clone())
            .collect();
        for (at, (before, after)) in text.bytes().zip(redacted.bytes()).enumerate() {
            let is_secret = spans.iter().any(|span| span.contains(&at));
            let blotted = if matches!(before, b'\n' | b'\r') { before } else { b'*' };
            prop_assert_eq!(after, if is_secret { blotted } else { before });
        }
    }

    #[test]
    fn a_secret_is_in_no_output_of_its_finding(hex in "[0-9a-f]{32}", lead in "\\PC{0,5}") {
        let text = format!("{lead}\nadobe_client_id = \"{hex}\"\n");
        let found = secrets(&text);
        for finding in &found {
            let shown = format!("{finding} {finding:?} {:#?} {}", finding.kind, finding.kind);
            prop_assert!(!shown.contains(&hex), "{shown}");
        }
        prop_assert!(!redact(&text, &found).contains(&hex) || found.is_empty());
    }
}
