//! Nothing that looks like a key, and no path of somebody's machine.

use crate::tidy::files::File;

/// What keys start with, and how many letters and digits follow in a real one.
const KEYS: &[(&str, usize)] = &[
    ("AKIA", 16),
    ("ASIA", 16),
    ("ghp_", 36),
    ("github_pat_", 22),
    ("glpat-", 20),
    ("sk-ant-", 20),
    ("xoxb-", 10),
];

/// Folders in which machines keep check-outs; in pieces, so that this file passes.
const MACHINES: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/")];

/// Names that examples may give to people.
const PEOPLE: &[&str] = &["ada", "alice", "bob", "dev", "me", "u", "user", "you"];

/// Key-shaped text, in test inputs too: tools that look for leaks do not know them for samples.
pub(super) fn keys(file: &File) -> Vec<String> {
    let mut faults = Vec::new();
    let text = file.text.as_deref().unwrap_or_default();
    for (index, line) in text.lines().enumerate() {
        let pem =
            line.contains(concat!("-----BEGIN", " ")) && line.contains(concat!("PRIVATE", " KEY"));
        if pem || KEYS.iter().any(|(lead, length)| holds_key(line, lead, *length)) {
            faults.push(format!(
                "line {}: looks like a key; tests build theirs at run time",
                index + 1
            ));
        }
    }
    faults
}

fn holds_key(line: &str, lead: &str, length: usize) -> bool {
    let letter = |c: &char| c.is_ascii_alphanumeric() || *c == '-' || *c == '_';
    line.split(lead).skip(1).any(|rest| rest.chars().take_while(letter).count() >= length)
}

pub(super) fn machine_paths(file: &File) -> Vec<String> {
    let Some(text) = file.written() else {
        return Vec::new();
    };
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let found = MACHINES.iter().find(|path| starts_a_path(line, path));
        let home = starts_a_path(line, "/home/") && !names_only_examples(line);
        if let Some(path) = found.copied().or(home.then_some("/home/")) {
            faults.push(format!("line {}: a path under `{path}`", index + 1));
        }
    }
    faults
}

/// Whether `path` occurs where an absolute path can begin.
fn starts_a_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line.get(..at).and_then(|lead| lead.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || "._-/}*".contains(c))
    })
}

fn names_only_examples(line: &str) -> bool {
    line.split("/home/").skip(1).all(|rest| {
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        name.is_empty() || PEOPLE.contains(&name.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> File {
        File::new("a.rs", text.as_bytes().to_vec())
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn finds_text_shaped_like_a_key() {
        let found = "line 1: looks like a key; tests build theirs at run time";
        for sample in [
            concat!("-----BEGIN", " RSA PRIVATE", " KEY-----"),
            concat!("AKI", "AABCDEFGHIJKLMNOP"),
            concat!("x = \"ghp", "_0123456789abcdefghijklmnopqrstuvwxyz\""),
        ] {
            assert_eq!(keys(&file(sample)), [found], "{sample}");
        }
        for sample in
            ["AKIA", "ghp_short", "-----BEGIN CERTIFICATE-----", concat!("a PRIVATE", " KEY")]
        {
            assert_eq!(keys(&file(sample)), NONE, "{sample}");
        }
    }

    #[test]
    fn finds_paths_of_machines_and_lets_examples_be() {
        let under = |path: &str| vec![format!("line 1: a path under `{path}`")];
        assert_eq!(
            machine_paths(&file(concat!("see \"/wo", "rk/main\""))),
            under(concat!("/wo", "rk/"))
        );
        assert_eq!(machine_paths(&file(concat!("/ro", "ot/x"))), under(concat!("/ro", "ot/")));
        assert_eq!(machine_paths(&file(concat!("/ho", "me/jsmith/x"))), under("/home/"));
        for fine in
            ["/home/ada/src", "`/home/`", "docs/work/x", "a/root/b", "$X/home/ada", "/rooted"]
        {
            assert_eq!(machine_paths(&file(fine)), NONE, "{fine}");
        }
    }
}
