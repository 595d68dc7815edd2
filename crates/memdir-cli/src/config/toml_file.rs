//! `config.toml`: memdir's own settings, written by its owner.

use std::path::Path;

use memdir::store::location::Layout;
use toml::Table;

use crate::error::CliError;

/// Keys of `config.toml`, with what they mean.
pub(crate) const KEYS: [(&str, &str); 6] = [
    ("memory_dir", "the memory directory, absolute or starting with ~/"),
    ("layout", "where memory directories lie by default: \"claude-code\" or \"memdir\""),
    ("trusted_projects", "project folders whose own settings may choose the memory directory"),
    ("per_worktree", "true gives each git worktree a memory of its own"),
    ("auto_memory", "false turns prompt, context and recall off"),
    ("recall", "false turns recall off"),
];

/// What the file says; absent keys are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ConfigFile {
    pub(crate) memory_dir: Option<String>,
    pub(crate) layout: Option<Layout>,
    pub(crate) trusted_projects: Vec<String>,
    pub(crate) per_worktree: Option<bool>,
    pub(crate) auto_memory: Option<bool>,
    pub(crate) recall: Option<bool>,
}

/// Reads the text of the file; keys that are unknown become warnings.
///
/// # Errors
///
/// The text is not TOML, or a known key has a value of the wrong kind: going on would use a directory that its owner did not choose.
pub(crate) fn parse(text: &str, path: &Path) -> Result<(ConfigFile, Vec<CliError>), CliError> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        CliError::usage("the configuration is not TOML").at(path.display().to_string()).because(
            match error.span() {
                Some(span) => format!("line {}: {}", line_at(text, span.start), error.message()),
                None => error.message().to_owned(),
            },
        )
    })?;
    let mut file = ConfigFile::default();
    let mut warnings = Vec::new();
    for (key, value) in table {
        let wrong = |expected: &str| {
            CliError::usage(format!("`{key}` must be {expected}, not {}", value.type_str()))
                .at(path.display().to_string())
        };
        match key.as_str() {
            "memory_dir" => {
                file.memory_dir = Some(value.as_str().ok_or_else(|| wrong("a string"))?.to_owned());
            }
            "layout" => {
                let layout = value.as_str().and_then(Layout::parse);
                file.layout = Some(layout.ok_or_else(|| wrong("\"claude-code\" or \"memdir\""))?);
            }
            "trusted_projects" => {
                let items = value.as_array().ok_or_else(|| wrong("a list of strings"))?;
                file.trusted_projects = items
                    .iter()
                    .map(|item| item.as_str().map(str::to_owned))
                    .collect::<Option<_>>()
                    .ok_or_else(|| wrong("a list of strings"))?;
            }
            "per_worktree" => {
                file.per_worktree = Some(value.as_bool().ok_or_else(|| wrong("true or false"))?);
            }
            "auto_memory" => {
                file.auto_memory = Some(value.as_bool().ok_or_else(|| wrong("true or false"))?);
            }
            "recall" => file.recall = Some(value.as_bool().ok_or_else(|| wrong("true or false"))?),
            unknown => {
                let known = KEYS.map(|(name, _)| name).join(", ");
                warnings.push(
                    CliError::warning(format!("the key `{unknown}` is unknown and was ignored"))
                        .at(path.display().to_string())
                        .hint(format!("known keys: {known}")),
                );
            }
        }
    }
    Ok((file, warnings))
}

/// The line that holds a byte, from 1.
fn line_at(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use memdir::store::location::Layout;

    use super::{ConfigFile, parse};

    fn check(text: &str, expect: Result<(ConfigFile, &[&str]), &str>) {
        let path = Path::new("/c/config.toml");
        let found = parse(text, path)
            .map(|(file, warnings)| {
                (file, warnings.iter().map(|w| w.to_text("warning:")).collect::<Vec<_>>())
            })
            .map_err(|error| error.to_text("error:"));
        let expect = expect
            .map(|(file, warnings)| (file, warnings.iter().map(|w| (*w).to_owned()).collect()))
            .map_err(str::to_owned);
        assert_eq!(found, expect);
    }

    #[test]
    fn reads_every_key() {
        let file = ConfigFile {
            memory_dir: Some("~/mem".to_owned()),
            layout: Some(Layout::Memdir),
            trusted_projects: vec!["/w/a".to_owned()],
            per_worktree: Some(true),
            auto_memory: Some(false),
            recall: Some(true),
        };
        let text = "memory_dir = \"~/mem\"\nlayout = \"memdir\"\ntrusted_projects = [\"/w/a\"]\n\
                    per_worktree = true\nauto_memory = false\nrecall = true\n";
        check(text, Ok((file, &[])));
    }

    #[test]
    fn warns_of_unknown_keys_and_goes_on() {
        check(
            "recal = true\n",
            Ok((
                ConfigFile::default(),
                &[
                    "warning: the key `recal` is unknown and was ignored\n  where: /c/config.toml\n  \
                   try: known keys: memory_dir, layout, trusted_projects, per_worktree, auto_memory, recall\n",
                ],
            )),
        );
    }

    #[test]
    fn refuses_values_of_the_wrong_kind() {
        check(
            "per_worktree = 1\n",
            Err(
                "error: `per_worktree` must be true or false, not integer\n  where: /c/config.toml\n",
            ),
        );
        check(
            "layout = \"x\"\n",
            Err(
                "error: `layout` must be \"claude-code\" or \"memdir\", not string\n  where: /c/config.toml\n",
            ),
        );
    }
}
