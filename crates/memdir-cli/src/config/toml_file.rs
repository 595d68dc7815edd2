//! `config.toml`: memdir's own settings, written by its owner.

use std::path::Path;

use memdir::store::location::Layout;
use toml::Table;

use super::item::Item;
use super::model::Selector;
use super::model_tables::{BudgetTable, ModelTable};
use crate::error::CliError;

/// Keys of `config.toml`, with what they mean.
pub(crate) const KEYS: [(&str, &str); 9] = [
    ("memory_dir", "the memory directory, absolute or starting with ~/"),
    ("layout", "where memory directories lie by default: \"claude-code\" or \"memdir\""),
    ("trusted_projects", "project folders whose own settings may choose the memory directory"),
    ("per_worktree", "true gives each git worktree a memory of its own"),
    ("auto_memory", "false turns prompt, context and recall off"),
    ("recall", "false turns recall off"),
    (
        "selector",
        "what chooses memories: \"lexical\", \"model\" or \"auto\" [default: \"auto\" where a model has a provider]",
    ),
    ("model", "a table: the model that may be asked"),
    ("budget", "a table: what asking it may come to, for all projects together"),
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
    pub(crate) selector: Option<Selector>,
    pub(crate) model: ModelTable,
    pub(crate) budget: BudgetTable,
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
    for (key, value) in &table {
        let item = Item { key, value, path };
        match key.as_str() {
            "memory_dir" => file.memory_dir = Some(item.text()?),
            "layout" => {
                file.layout = Some(item.word(Layout::parse, "\"claude-code\" or \"memdir\"")?);
            }
            "trusted_projects" => file.trusted_projects = item.list()?,
            "per_worktree" => file.per_worktree = Some(item.flag()?),
            "auto_memory" => file.auto_memory = Some(item.flag()?),
            "recall" => file.recall = Some(item.flag()?),
            "selector" => {
                let expected = "\"lexical\", \"model\" or \"auto\"";
                file.selector = Some(item.word(Selector::parse, expected)?);
            }
            "model" => file.model = ModelTable::parse(item.table()?, path, &mut warnings)?,
            "budget" => file.budget = BudgetTable::parse(item.table()?, path, &mut warnings)?,
            _ => warnings.push(item.unknown(KEYS.map(|(name, _)| name))),
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
    use std::time::Duration;

    use memdir::store::location::Layout;
    use memdir_model::budget::Price;

    use super::super::model_tables::Provider;
    use super::{BudgetTable, ConfigFile, ModelTable, Selector, parse};

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
            selector: Some(Selector::Auto),
            model: ModelTable {
                provider: Some(Provider::OpenAi),
                name: Some("m".to_owned()),
                address: Some("http://127.0.0.1:8080".to_owned()),
                key_env: None,
                key_command: Some(vec!["pass".to_owned(), "show".to_owned()]),
                program: Some("/bin/claude".to_owned()),
                timeout: Some(Duration::from_secs(3)),
                price: Some(Price { input: 1, output: 2, cache_read: 3, cache_write: 4 }),
            },
            budget: BudgetTable {
                calls_per_hour: Some(1),
                tokens_per_day: Some(2),
                micros_per_day: Some(3_500_000),
            },
        };
        let text = "memory_dir = \"~/mem\"\nlayout = \"memdir\"\ntrusted_projects = [\"/w/a\"]\n\
                    per_worktree = true\nauto_memory = false\nrecall = true\nselector = \"auto\"\n\
                    [model]\nprovider = \"openai\"\nname = \"m\"\naddress = \"http://127.0.0.1:8080\"\n\
                    key_command = [\"pass\", \"show\"]\nprogram = \"/bin/claude\"\ntimeout_seconds = 3\n\
                    price = { input = 1e-6, output = 2e-6, cache_read = 3e-6, cache_write = 4e-6 }\n\
                    [budget]\ncalls_per_hour = 1\ntokens_per_day = 2\ndollars_per_day = 3.5\n";
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
                   try: known keys: memory_dir, layout, trusted_projects, per_worktree, auto_memory, recall, selector, model, budget\n",
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
