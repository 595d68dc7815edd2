//! Rules on Rust sources.

use crate::tidy::files::File;

/// Lines over which a file is worth splitting; listed.
const LONG: usize = 400;
/// Lines over which a file must be split.
const TOO_LONG: usize = 800;

/// Names of modules that say nothing of what is in them.
const DRAWERS: &[&str] = &["util", "utils", "common", "helper", "helpers", "misc"];

/// Attributes that switch a test off or make it pass for any reason.
const ATTRIBUTES: &[&str] = &["#[ignore", "#[should_panic"];

/// A test that keeps the others from running.
const ONLY: &str = concat!(".only", "(");

fn lines(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let text = file.text.as_deref().filter(|_| file.is_rust()).unwrap_or_default();
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// Every file opens with what it is for.
pub(super) fn module_docs(file: &File) -> Vec<String> {
    if !file.is_rust() {
        return Vec::new();
    }
    let documented = lines(file)
        .map(|(_, line)| line.trim())
        // Attributes of the file may stand above its docs.
        .take_while(|line| line.is_empty() || line.starts_with("//") || line.starts_with("#!["))
        .any(|line| line.starts_with("//!") || line.starts_with("#![doc = include_str!("));
    if documented { Vec::new() } else { vec!["no module docs (`//!`) at its start".to_owned()] }
}

pub(super) fn size(file: &File) -> Vec<String> {
    let count = lines(file).count();
    if count > TOO_LONG { vec![format!("{count} lines, over {TOO_LONG}")] } else { Vec::new() }
}

/// Files that are long but may pass.
pub(super) fn long(files: &[File]) -> Vec<String> {
    files
        .iter()
        .map(|file| (lines(file).count(), &file.path))
        .filter(|(count, _)| (LONG + 1..=TOO_LONG).contains(count))
        .map(|(count, path)| format!("{path}: {count} lines, over {LONG}"))
        .collect()
}

pub(super) fn attributes(file: &File) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in lines(file) {
        let line = line.trim_start();
        faults.extend(
            ATTRIBUTES
                .iter()
                .filter(|attribute| line.starts_with(**attribute))
                .map(|attribute| format!("line {number}: `{attribute}…]` in a test")),
        );
        if line.contains(ONLY) {
            faults.push(format!("line {number}: `{ONLY}…)`"));
        }
    }
    faults
}

/// No drawer modules, and one integration binary per package.
pub(super) fn place(file: &File) -> Vec<String> {
    if !file.is_rust() {
        return Vec::new();
    }
    let mut parts = file.path.rsplit('/');
    let stem = parts.next().unwrap_or_default().trim_end_matches(".rs");
    let folder = parts.next().unwrap_or_default();
    let mut faults = Vec::new();
    if DRAWERS.contains(&stem) || DRAWERS.contains(&folder) {
        faults.push("a module is named for what it holds, not for being of use".to_owned());
    }
    if folder == "tests" && file.path.starts_with("crates/") && !file.path.contains("/src/") {
        faults.push("one integration binary per crate: tests/it/main.rs".to_owned());
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File::new(path, text.as_bytes().to_vec())
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn docs_may_follow_attributes_and_licences_but_not_code() {
        let check = |text: &str| module_docs(&file("a.rs", text)).is_empty();
        assert!(check("//! What it is.\nfn a() {}\n"));
        assert!(check("// licence\n#![forbid(unsafe_code)]\n\n//! What it is.\n"));
        assert!(check("#![doc = include_str!(\"../README.md\")]\n"));
        assert!(!check(""));
        assert!(!check("use a;\n//! Late.\n"));
        assert!(!check("/// Of the next item.\nfn a() {}\n"));
        assert_eq!(module_docs(&file("a.md", "text")), NONE);
        assert_eq!(module_docs(&file("crates/a/tests/cases/x/a.rs", "fn a() {}")), NONE);
    }

    #[test]
    fn over_400_lines_is_listed_and_over_800_fails() {
        let of = |count: usize| file("a.rs", &"//!\n".repeat(count));
        assert_eq!(size(&of(800)), NONE);
        assert_eq!(size(&of(801)), ["801 lines, over 800"]);
        assert_eq!(long(&[of(400)]), NONE);
        assert_eq!(long(&[of(401)]), ["a.rs: 401 lines, over 400"]);
        assert_eq!(long(&[of(801)]), NONE);
    }

    #[test]
    fn switched_off_tests_are_found() {
        let text = "    #[ignore = \"slow\"]\n#[should_panic]\n// #[ignore]\n";
        assert_eq!(
            attributes(&file("a.rs", text)),
            ["line 1: `#[ignore…]` in a test", "line 2: `#[should_panic…]` in a test"]
        );
    }

    #[test]
    fn drawers_and_second_binaries_are_found() {
        assert_eq!(place(&file("crates/a/src/utils.rs", "")).len(), 1);
        assert_eq!(place(&file("crates/a/src/common/x.rs", "")).len(), 1);
        assert_eq!(place(&file("crates/a/tests/second.rs", "")).len(), 1);
        assert_eq!(place(&file("crates/a/tests/it/main.rs", "")), NONE);
        assert_eq!(place(&file("crates/a/src/index/tests.rs", "")), NONE);
        assert_eq!(place(&file("crates/a/src/tests/x.rs", "")), NONE);
    }
}
