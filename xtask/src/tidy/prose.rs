//! Rules on comments and documents.

use crate::tidy::files::File;

/// Phrases that speak to a reviewer, or promise what a test must show.
const PHRASES: &[&str] = &[
    "now handles",
    "now correctly",
    "for backwards compatibility",
    "for backward compatibility",
    "production-ready",
    "production ready",
    "in a real implementation",
    "in a real application",
    "in a production environment",
    "as requested",
    "placeholder implementation",
    "simplified version",
];

/// Rulers across a comment.
const RULERS: &[&str] = &["=====", "-----", "#####", "*****"];

pub(super) fn words(file: &File) -> Vec<String> {
    let Some(text) = file.written() else {
        return Vec::new();
    };
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(prose) = prose_of(file, line) else { continue };
        let lower = prose.to_lowercase();
        let mut fault = |what: &str| faults.push(format!("line {}: `{what}`", index + 1));
        for phrase in PHRASES.iter().filter(|phrase| lower.contains(**phrase)) {
            fault(phrase);
        }
        if numbers_a_step(&lower) {
            fault("step N");
        }
        // A table of Markdown is ruled too.
        let ruled = !file.has_extension("md") && !prose.contains('|');
        for ruler in RULERS.iter().filter(|ruler| ruled && prose.contains(**ruler)) {
            fault(ruler);
        }
    }
    faults
}

/// What of a line is written for people.
fn prose_of<'a>(file: &File, line: &'a str) -> Option<&'a str> {
    let trimmed = line.trim_start();
    if file.has_extension("md") {
        return Some(line);
    }
    let lead = if file.has_extension("rs") {
        "//"
    } else if file.has_extension("toml") || file.path.starts_with(".ci/") {
        "#"
    } else {
        return None;
    };
    trimmed.strip_prefix(lead)
}

/// Whether a comment counts the steps of the code under it.
fn numbers_a_step(lower: &str) -> bool {
    let text = lower.trim_start_matches(['/', '!', '*', ' ']);
    let number = text.strip_prefix("step ").map(str::trim_start);
    number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, text: &str) -> Vec<String> {
        words(&File::new(path, text.as_bytes().to_vec()))
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn finds_phrases_steps_and_rulers_in_comments() {
        let text =
            "//! Now handles CRLF.\n    // Step 2: write\n// ===== parts =====\n/// a `-----` b\n";
        assert_eq!(
            faults("a.rs", text),
            ["line 1: `now handles`", "line 2: `step N`", "line 3: `=====`", "line 4: `-----`",]
        );
        assert_eq!(faults("a.toml", "a = 1\n# -----\n"), ["line 2: `-----`"]);
        assert_eq!(faults("a.md", "Production-Ready.\n"), ["line 1: `production-ready`"]);
    }

    #[test]
    fn leaves_code_strings_tables_and_test_inputs_alone() {
        assert_eq!(faults("a.rs", "let a = \"-----BEGIN\";\n// a step 2 back\n"), NONE);
        assert_eq!(faults("a.rs", "//! |-----|-----|\n"), NONE);
        assert_eq!(faults("a.md", "| a |\n|-----|\n"), NONE);
        assert_eq!(faults("crates/a/tests/cases/b/c.md", "now handles\n"), NONE);
    }
}
