//! Line endings and blanks at line ends.

use crate::tidy::files::File;

pub(super) fn check(file: &File) -> Vec<String> {
    let Some(text) = file.written().filter(|text| !text.is_empty()) else {
        return Vec::new();
    };
    // Snapshots hold what a program printed.
    if file.has_extension("snap") {
        return Vec::new();
    }
    let mut faults = Vec::new();
    if text.contains('\r') {
        faults.push("a carriage return".to_owned());
    }
    if !text.ends_with('\n') || text.ends_with("\n\n") {
        faults.push("does not end with one newline".to_owned());
    }
    let blank = |(_, line): &(usize, &str)| line.trim_end_matches('\r').ends_with([' ', '\t']);
    // In code rustfmt sees to them; those that are left stand in the text of a literal.
    if !file.has_extension("rs")
        && let Some((index, _)) = text.split('\n').enumerate().find(blank)
    {
        faults.push(format!("line {}: blanks at its end", index + 1));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, text: &str) -> Vec<String> {
        check(&File::new(path, text.as_bytes().to_vec()))
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn finds_carriage_returns_blanks_and_missing_newlines() {
        assert_eq!(faults("a.md", "a\r\n"), ["a carriage return"]);
        assert_eq!(faults("a.md", "a\nb \t\n"), ["line 2: blanks at its end"]);
        assert_eq!(faults("a.md", "a"), ["does not end with one newline"]);
        assert_eq!(faults("a.md", "a\n\n"), ["does not end with one newline"]);
    }

    #[test]
    fn inputs_snapshots_and_empty_files_may_hold_anything() {
        assert_eq!(faults("tests/cases/a/b.md", "a \r\n\n"), NONE);
        assert_eq!(faults("a.snap", "a "), NONE);
        assert_eq!(faults("a.md", ""), NONE);
    }
}
