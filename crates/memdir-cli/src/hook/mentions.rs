//! Files that a prompt mentions as `@path`.

use std::path::{Component, Path, PathBuf};

use memdir::core::text::prefix;
use memdir::recall::limits::FILES;

/// Most mentions that are looked at. Ours: some hundred times what a person types, and little in a prompt of megabytes that
/// is full of them.
const MAX_MENTIONS: usize = 1_000;

/// Longest path, in bytes: that of Linux.
const MAX_PATH_BYTES: usize = 4_096;

/// Files of the project that are mentioned, `/`-separated from its root, in order, each once. `cwd` is what relative paths
/// start from; both folders are absolute and free of links.
///
/// Paths with blanks stand in quotation marks, and lines of a file may follow, `@src/a.rs#L3-9`: both as Claude Code writes
/// them.
pub(super) fn mentioned(prompt: &str, cwd: &Path, project: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mentions = prompt.match_indices('@').filter_map(|(at, _)| {
        let (before, rest) = prompt.split_at_checked(at)?;
        // Within a word it is an address.
        let is_address = before.chars().next_back().is_some_and(char::is_alphanumeric);
        rest.strip_prefix('@').filter(|_| !is_address)
    });
    for rest in mentions.take(MAX_MENTIONS) {
        if found.len() >= FILES {
            break;
        }
        let Some(path) = path(prefix(rest, MAX_PATH_BYTES)) else { continue };
        found.extend(within(&cwd.join(path), project).filter(|path| !found.contains(path)));
    }
    found
}

/// The path at the beginning of a text.
fn path(text: &str) -> Option<&str> {
    let path = if let Some(quoted) = text.strip_prefix('"') {
        quoted.split_once('"')?.0
    } else {
        const BEHIND: [char; 13] =
            ['.', ',', ';', ':', '!', '?', ')', ']', '}', '>', '\'', '"', '`'];
        text.split(char::is_whitespace).next()?.trim_end_matches(BEHIND)
    };
    let path = path.split_once("#L").map_or(path, |(path, _)| path);
    Some(path).filter(|path| !path.is_empty())
}

/// A path below a folder, as its names; `None` for what lies elsewhere.
fn within(path: &Path, folder: &Path) -> Option<String> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => plain.push(part),
        }
    }
    let names = plain.strip_prefix(folder).ok()?.components();
    let names = names.map(|name| name.as_os_str().to_str()).collect::<Option<Vec<_>>>()?;
    Some(names.join("/")).filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::mentioned;

    const ROOT: &str = if cfg!(windows) { "C:/p" } else { "/p" };

    fn check(prompt: &str, expect: &[&str]) {
        let cwd = Path::new(ROOT).join("src");
        assert_eq!(mentioned(prompt, &cwd, Path::new(ROOT)), expect, "{prompt}");
    }

    #[test]
    fn finds_files_from_the_working_folder_on() {
        check("@a.rs", &["src/a.rs"]);
        check(
            "look at @a.rs, (@../docs/x.md) and @./b/c.rs.",
            &["src/a.rs", "docs/x.md", "src/b/c.rs"],
        );
        check("@\"with blank.md\" @a.rs#L3-9 @a.rs", &["src/with blank.md", "src/a.rs"]);
        check(&format!("@{ROOT}/Cargo.toml"), &["Cargo.toml"]);
        check("记忆@数据.rs 、@数据.rs", &["src/数据.rs"]);
    }

    #[test]
    fn what_is_elsewhere_or_no_path_is_passed_over() {
        for prompt in [
            "",
            "@",
            "a@b.rs",
            "@ x",
            "@\"open",
            "@../../etc/passwd",
            "@/etc/passwd",
            "@..",
            "@...",
        ] {
            check(prompt, &[]);
        }
    }

    #[test]
    fn a_prompt_full_of_mentions_is_not_looked_through() {
        let padded = |count: usize| "me@x @/etc/passwd ".repeat(count) + "@a.rs";
        check(&padded(999), &["src/a.rs"]);
        check(&padded(1_000), &[]);
        // Without a blank every mention would reach to the end.
        let long = "/@é".repeat(2_000);
        let all = mentioned(&format!("@{long}"), Path::new(ROOT), Path::new(ROOT));
        assert!(all.iter().all(|path| path.len() <= 4_096), "{}", all.len());
    }

    proptest! {
        #[test]
        fn any_text_mentions_only_what_lies_within(prompt in "[@a/.\"# ~\u{e9}\n-]{0,40}") {
            for file in mentioned(&prompt, &Path::new(ROOT).join("src"), Path::new(ROOT)) {
                prop_assert!(!file.starts_with('/') && file.split('/').all(|name| !matches!(name, "" | "." | "..")), "{}", file);
            }
        }
    }
}
