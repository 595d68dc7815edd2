//! Truncation: within both limits, at a line end where there is one, and done once.

use memdir_core::truncate::{Limits, Unit, truncate};

/// Takes two bytes for the limits, then a text.
pub fn check(data: &[u8]) {
    let (limits, text) = match data {
        [max_lines, max_units, text @ ..] => {
            (Limits::new(usize::from(*max_lines), usize::from(*max_units) * 4), text)
        }
        text => (Limits::default(), text),
    };
    let text = String::from_utf8_lossy(text);
    for limits in [limits, Limits::claude_code(), Limits::default()] {
        cut(&text, &limits);
    }
}

fn cut(text: &str, limits: &Limits) {
    let truncated = truncate(text, limits);
    let kept = truncated.kept();
    let units = match limits.unit {
        Unit::Utf16 => kept.encode_utf16().count(),
        _ => kept.len(),
    };
    assert!(units <= limits.max_units, "{units} units of {}", limits.max_units);
    assert!(kept.lines().count() <= limits.max_lines, "{kept:?}");
    assert!(truncated.content.starts_with(kept), "{truncated:?}");
    if !limits.strip {
        assert!(text.contains(kept), "what is kept is a part of the text");
        let again = truncate(kept, limits);
        assert_eq!(again.content, kept, "what fits stays as it is");
        assert!(!again.was_line_truncated && !again.was_byte_truncated, "{again:?}");
    }
    let whole = !truncated.was_line_truncated && !truncated.was_byte_truncated;
    assert_eq!(whole, truncated.content == kept, "only a cut text carries a warning");
}
