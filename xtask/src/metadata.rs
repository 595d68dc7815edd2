//! What cargo resolved: where it builds, and the manifest of every package in the lock file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::manifest::Manifest;
use crate::shell::Program;

#[derive(Debug)]
pub(crate) struct Metadata {
    pub(crate) target_directory: PathBuf,
    /// The packages that come from a registry, by name and version.
    pub(crate) foreign: BTreeMap<(String, String), Foreign>,
}

/// A package of somebody else's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// The SPDX expression of its manifest.
    pub(crate) licence: Option<String>,
    pub(crate) rust_version: Option<String>,
}

impl Metadata {
    pub(crate) fn load(root: &Path) -> Result<Self> {
        let json = Program::cargo(root)
            .words("metadata --locked --format-version 1 --all-features")
            .read()?;
        let target_directory = strings_of(&json, "target_directory")
            .next()
            .ok_or("cargo metadata names no target directory")?
            .into();
        let mut foreign = BTreeMap::new();
        for path in strings_of(&json, "manifest_path").map(PathBuf::from) {
            if path.starts_with(root) {
                continue;
            }
            let manifest = Manifest::read(&path)?;
            let field = |key| manifest.string("package", key).map(str::to_owned);
            if let (Some(name), Some(version)) = (field("name"), field("version")) {
                let (licence, rust_version) = (field("license"), field("rust-version"));
                foreign.insert((name, version), Foreign { licence, rust_version });
            }
        }
        Ok(Self { target_directory, foreign })
    }

    pub(crate) fn foreign(&self, name: &str, version: &str) -> Option<&Foreign> {
        self.foreign.get(&(name.to_owned(), version.to_owned()))
    }

    /// The licence of the newest version of a package in the lock file.
    pub(crate) fn licence(&self, name: &str) -> Option<&str> {
        let (_, found) = self.foreign.iter().rfind(|((own, _), _)| own == name)?;
        found.licence.as_deref()
    }
}

/// A line of `cargo tree --prefix none --format {p}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) version: String,
    /// From this workspace.
    pub(crate) local: bool,
}

/// The distinct packages that `cargo tree` lists for one package with all features, itself among them.
pub(crate) fn tree(root: &Path, package: &str, edges: &str, target: &str) -> Result<Vec<Node>> {
    let text = Program::cargo(root)
        .words("tree --locked --all-features --prefix none --format {p}")
        .args(["-p", package, "-e", edges, "--target", target])
        .read()?;
    let mut nodes: Vec<Node> = text.lines().filter_map(node).collect();
    nodes.sort();
    nodes.dedup();
    Ok(nodes)
}

fn node(line: &str) -> Option<Node> {
    let mut words = line.split_whitespace();
    let name = words.next()?.to_owned();
    let version = words.next()?.strip_prefix('v')?.to_owned();
    let local = words.any(|word| word.starts_with("(/") || word.contains(":\\"));
    Some(Node { name, version, local })
}

/// Every string value of a key in JSON text; enough for paths, which need no other escape than `\\`.
fn strings_of<'a>(json: &'a str, key: &str) -> impl Iterator<Item = String> + 'a {
    let lead = format!("\"{key}\":\"");
    let mut rest = json;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once(&lead)?;
        let (value, tail) = after.split_once('"')?;
        rest = tail;
        Some(value.replace("\\\\", "\\"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_string_of_a_key() {
        let json =
            r#"{"p":[{"manifest_path":"/a/Cargo.toml","x":1},{"manifest_path":"C:\\b"}],"t":"u"}"#;
        let found: Vec<_> = strings_of(json, "manifest_path").collect();
        assert_eq!(found, ["/a/Cargo.toml", "C:\\b"]);
    }

    #[test]
    fn reads_the_lines_of_cargo_tree() {
        let own = |name: &str, version: &str, local| {
            Some(Node { name: name.into(), version: version.into(), local })
        };
        assert_eq!(node("serde v1.0.200 (*)"), own("serde", "1.0.200", false));
        assert_eq!(node("serde_derive v1.0.1 (proc-macro)"), own("serde_derive", "1.0.1", false));
        assert_eq!(node("memdir-core v0.1.0 (/src/core)"), own("memdir-core", "0.1.0", true));
        assert_eq!(node(""), None);
    }
}
