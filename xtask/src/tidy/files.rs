//! The files of the repository.

use std::path::Path;

use crate::Result;
use crate::shell::Program;

/// The most bytes of a file, unless it is in [`LARGE`]; what a test needs beyond is made by the test.
const MAX_BYTES: usize = 64 * 1024;
/// Larger files, each with its reason.
const LARGE: &[(&str, &str)] = &[
    ("Cargo.lock", "written by cargo"),
    ("crates/memdir-guard/tests/data/gitleaks-samples.jsonl.gz", "the samples of 222 rules"),
    ("docs/cli.md", "written by `cargo xtask docs`"),
];

/// A file that is or can be committed.
#[derive(Debug)]
pub(super) struct File {
    /// Relative to the root, with `/`.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    /// The bytes where they are UTF-8.
    pub(super) text: Option<String>,
}

impl File {
    pub(super) fn new(path: &str, bytes: Vec<u8>) -> Self {
        let text = String::from_utf8(bytes.clone()).ok();
        Self { path: path.to_owned(), bytes, text }
    }

    /// Inputs of tests and of the example, which hold what no source may hold.
    pub(super) fn is_input(&self) -> bool {
        let path = self.path.as_str();
        path.contains("/cases/")
            || path.contains("/proptest-regressions/")
            || path.starts_with("docs/example/memory/")
            || path.starts_with("fuzz/seeds/")
            || path.starts_with("bench/data/")
    }

    pub(super) fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|own| own == extension)
    }

    pub(super) fn is_rust(&self) -> bool {
        self.has_extension("rs") && !self.is_input()
    }

    /// The text of a file that people write.
    pub(super) fn written(&self) -> Option<&str> {
        self.text.as_deref().filter(|_| !self.is_input())
    }
}

/// What git knows, and what it would take with `git add`.
pub(super) fn list(root: &Path) -> Result<Vec<File>> {
    let names = Program::new("git", root)
        .words("ls-files -z --cached --others --exclude-standard")
        .read()?;
    let mut files = Vec::new();
    for name in names.split('\0').filter(|name| !name.is_empty()) {
        let path = root.join(name);
        // Deleted but not yet committed, or a link to a folder.
        if !path.is_file() {
            continue;
        }
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        files.push(File::new(name, bytes));
    }
    Ok(files)
}

pub(super) fn size(file: &File) -> Vec<String> {
    let listed = LARGE.iter().any(|(path, _)| *path == file.path);
    if listed || file.bytes.len() <= MAX_BYTES {
        return Vec::new();
    }
    vec![format!("{} bytes, over {MAX_BYTES}", file.bytes.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_file_fails_unless_it_is_listed() {
        let large = || vec![b'a'; MAX_BYTES + 1];
        assert_eq!(size(&File::new("a.bin", large())), ["65537 bytes, over 65536"]);
        assert_eq!(size(&File::new("Cargo.lock", large())), [""; 0]);
        assert_eq!(size(&File::new("a.bin", vec![b'a'; MAX_BYTES])), [""; 0]);
    }
}
