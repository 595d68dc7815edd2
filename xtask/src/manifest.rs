//! Reads a `Cargo.toml` line by line, with the comments that a TOML parser would drop: they say why
//! each dependency is there.

use std::path::{Path, PathBuf};

use crate::Result;

/// A manifest as its lines of `key = value`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) path: PathBuf,
    pub(crate) entries: Vec<Entry>,
}

/// One `key = value`, arrays of several lines joined.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The header above it without its brackets, such as `dependencies` or `target.'cfg(unix)'.dependencies`.
    pub(crate) section: String,
    pub(crate) key: String,
    pub(crate) value: String,
    /// 1-based.
    pub(crate) line: usize,
    /// The comment above it, or above the lines that it follows without a blank line.
    pub(crate) reason: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Normal,
    Build,
    Dev,
}

/// A dependency as its manifest declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    /// The name in code.
    pub(crate) name: String,
    /// The name in the registry; another one where the dependency is renamed.
    pub(crate) package: String,
    pub(crate) kind: Kind,
    /// The version requirement, where it is not inherited.
    pub(crate) requirement: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) inherited: bool,
    pub(crate) reason: Option<String>,
    /// 1-based.
    pub(crate) line: usize,
}

impl Manifest {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path: path.to_owned(), entries: entries(&text) })
    }

    /// The raw value of a key.
    pub(crate) fn value(&self, section: &str, key: &str) -> Option<&str> {
        self.entries
            .iter()
            .find(|entry| entry.section == section && entry.key == key)
            .map(|entry| entry.value.as_str())
    }

    /// The value of a key that holds a string.
    pub(crate) fn string(&self, section: &str, key: &str) -> Option<&str> {
        self.value(section, key).and_then(unquote)
    }

    /// The strings of an array.
    pub(crate) fn strings(&self, section: &str, key: &str) -> Vec<&str> {
        let array = self.value(section, key).unwrap_or_default();
        let inner = array.trim().trim_start_matches('[').trim_end_matches(']');
        split_top(inner).into_iter().filter_map(unquote).collect()
    }

    /// A string field of each table in an array.
    pub(crate) fn fields(&self, section: &str, key: &str, field: &str) -> Vec<&str> {
        let array = self.value(section, key).unwrap_or_default();
        let inner = array.trim().trim_start_matches('[').trim_end_matches(']');
        let tables = split_top(inner).into_iter();
        tables.filter_map(|table| inline(table, field).and_then(unquote)).collect()
    }

    /// Every dependency, in the order of the file.
    pub(crate) fn dependencies(&self) -> impl Iterator<Item = Dependency> + '_ {
        self.entries.iter().filter_map(|entry| {
            let kind = match entry.section.rsplit('.').next()? {
                "dependencies" => Kind::Normal,
                "build-dependencies" => Kind::Build,
                "dev-dependencies" => Kind::Dev,
                _ => return None,
            };
            let (name, dotted) = match entry.key.split_once('.') {
                Some((name, rest)) => (name, Some(rest)),
                None => (entry.key.as_str(), None),
            };
            let string = |field| inline(&entry.value, field).and_then(unquote).map(str::to_owned);
            Some(Dependency {
                name: name.to_owned(),
                package: string("package").unwrap_or_else(|| name.to_owned()),
                kind,
                requirement: string("version").or_else(|| unquote(&entry.value).map(str::to_owned)),
                path: string("path"),
                inherited: dotted == Some("workspace")
                    || inline(&entry.value, "workspace") == Some("true"),
                reason: entry.reason.clone(),
                line: entry.line,
            })
        })
    }
}

/// The lines of `text` as entries.
pub(crate) fn entries(text: &str) -> Vec<Entry> {
    let mut found = Vec::new();
    let mut section = String::new();
    let mut reason: Option<String> = None;
    let mut in_comment = false;
    let mut lines = text.lines().enumerate();
    while let Some((index, raw)) = lines.next() {
        let line = raw.trim();
        if let Some(comment) = line.strip_prefix('#') {
            let comment = comment.trim();
            reason = Some(match reason.take().filter(|_| in_comment) {
                Some(before) => format!("{before} {comment}"),
                None => comment.to_owned(),
            });
            in_comment = true;
            continue;
        }
        in_comment = false;
        if line.is_empty() {
            reason = None;
        } else if line.starts_with('[') {
            line.trim_matches(['[', ']']).clone_into(&mut section);
            reason = None;
        } else if let Some((key, first)) = line.split_once('=') {
            let mut value = without_comment(first).trim().to_owned();
            if value.starts_with("\"\"\"") && value.matches("\"\"\"").count() == 1 {
                // No value that xtask reads is written so; what matters is not to read its lines as keys.
                lines.by_ref().find(|(_, line)| line.contains("\"\"\""));
            }
            while depth(&value) > 0 {
                let Some((_, more)) = lines.next() else { break };
                value.push(' ');
                value.push_str(without_comment(more).trim());
            }
            found.push(Entry {
                section: section.clone(),
                key: key.trim().trim_matches('"').to_owned(),
                value,
                line: index + 1,
                reason: reason.clone(),
            });
        }
    }
    found
}

/// The raw value of a field of an inline table.
pub(crate) fn inline<'a>(value: &'a str, field: &str) -> Option<&'a str> {
    let inner = value.trim().strip_prefix('{')?.strip_suffix('}')?;
    split_top(inner).into_iter().find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        (key.trim() == field).then(|| value.trim())
    })
}

fn unquote(value: &str) -> Option<&str> {
    value.trim().strip_prefix('"')?.strip_suffix('"')
}

/// Splits at the commas that are in no string, array or table.
fn split_top(text: &str) -> Vec<&str> {
    let mut level = 0_i32;
    let mut quoted = false;
    text.split(|c: char| {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => level += 1,
            ']' | '}' if !quoted => level -= 1,
            _ => {}
        }
        c == ',' && !quoted && level == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
    .collect()
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    line.split(|c: char| {
        quoted ^= c == '"';
        c == '#' && !quoted
    })
    .next()
    .unwrap_or_default()
}

/// How many brackets are open at the end of `value`.
fn depth(value: &str) -> i32 {
    let mut quoted = false;
    value.chars().fold(0, |level, c| {
        quoted ^= c == '"';
        match c {
            '[' | '{' if !quoted => level + 1,
            ']' | '}' if !quoted => level - 1,
            _ => level,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(text: &str) -> Manifest {
        Manifest { path: PathBuf::from("Cargo.toml"), entries: entries(text) }
    }

    #[test]
    fn a_comment_is_the_reason_of_every_line_up_to_a_blank_one() {
        let found = manifest(
            "[dependencies]\nlone = \"1\"\n# The command line,\n# as derived.\nclap = \"4\"\nclap_mangen = \"0.3\"\n\nbare = \"2\"\n",
        );
        let reasons: Vec<_> =
            found.dependencies().map(|dependency| (dependency.name, dependency.reason)).collect();
        let why = Some("The command line, as derived.".to_owned());
        assert_eq!(
            reasons,
            [
                ("lone".to_owned(), None),
                ("clap".to_owned(), why.clone()),
                ("clap_mangen".to_owned(), why),
                ("bare".to_owned(), None),
            ]
        );
    }

    #[test]
    fn reads_renames_paths_versions_and_inheritance() {
        let found = manifest(
            "[target.'cfg(unix)'.dependencies]\nfs2 = { package = \"fs4\", version = \"1\", optional = true } # x\n[dev-dependencies]\ncore = { path = \"../core\", features = [\"a\", \"b\"] }\n[build-dependencies]\nserde.workspace = true\nother = { workspace = true }\n",
        );
        let dependency =
            |name: &str, package: &str, kind, requirement: Option<&str>, line| Dependency {
                name: name.into(),
                package: package.into(),
                kind,
                requirement: requirement.map(str::to_owned),
                path: None,
                inherited: false,
                reason: None,
                line,
            };
        let all: Vec<_> = found.dependencies().collect();
        assert_eq!(
            all,
            [
                dependency("fs2", "fs4", Kind::Normal, Some("1"), 2),
                Dependency {
                    path: Some("../core".into()),
                    ..dependency("core", "core", Kind::Dev, None, 4)
                },
                Dependency {
                    inherited: true,
                    ..dependency("serde", "serde", Kind::Build, None, 6)
                },
                Dependency {
                    inherited: true,
                    ..dependency("other", "other", Kind::Build, None, 7)
                },
            ]
        );
    }

    #[test]
    fn joins_arrays_of_several_lines_and_drops_their_comments() {
        let found = manifest("[licenses]\nallow = [\n  \"MIT\", # plain\n  \"ISC#1\",\n]\n");
        assert_eq!(found.strings("licenses", "allow"), ["MIT", "ISC#1"]);
    }

    #[test]
    fn reads_a_field_of_every_table_in_an_array() {
        let found = manifest(
            "[bans]\nskip = [\n  { crate = \"a@1\", reason = \"x, y\" },\n  { crate = \"b\" },\n]\n",
        );
        assert_eq!(found.fields("bans", "skip", "crate"), ["a@1", "b"]);
    }

    #[test]
    fn the_lines_of_a_long_string_are_not_keys() {
        let found = manifest(
            "[package]\ndescription = \"\"\"\n[x\nlicense = \"no\"\n\"\"\"\nlicense = \"MIT\"\n",
        );
        assert_eq!(found.string("package", "license"), Some("MIT"));
    }
}
