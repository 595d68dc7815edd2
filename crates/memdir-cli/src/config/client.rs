//! The client's settings files, as far as they govern memory.

use std::path::{Path, PathBuf};

use memdir::store::location::{ProjectVariable, SettingScope, Variable};
use serde_json::Value;

use super::rules::{self, RuleSettings};
use crate::error::CliError;

/// The key with which the client is told to run no hooks.
pub(crate) const HOOKS_OFF: &str = "disableAllHooks";

/// What one file says; absent keys are `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClientFile {
    pub(crate) scope: SettingScope,
    pub(crate) path: PathBuf,
    /// `autoMemoryDirectory`, as written.
    pub(crate) memory_dir: Option<String>,
    /// `autoMemoryEnabled`.
    pub(crate) auto_memory: Option<bool>,
    /// [`HOOKS_OFF`].
    pub(crate) hooks_off: Option<bool>,
    /// Variables of its `env` block that take part in finding the directory; of project and local files only.
    pub(crate) environment: Vec<ProjectVariable>,
    pub(crate) rules: RuleSettings,
}

/// Where the administrator of the machine keeps what holds for all its users.
pub(crate) fn managed_folder() -> &'static str {
    if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode"
    } else if cfg!(windows) {
        r"C:\Program Files\ClaudeCode"
    } else {
        "/etc/claude-code"
    }
}

/// Where the client looks, in order of precedence. `config_dir` is its folder in the home, `project` the working tree.
pub(crate) fn places(
    config_dir: Option<&Path>,
    project: Option<&Path>,
) -> Vec<(SettingScope, PathBuf)> {
    let managed = Path::new(managed_folder()).join("managed-settings.json");
    let mut places = vec![(SettingScope::Managed, managed)];
    if let Some(project) = project {
        places.push((SettingScope::Local, project.join(".claude/settings.local.json")));
        places.push((SettingScope::Project, project.join(".claude/settings.json")));
    }
    places.extend(config_dir.map(|dir| (SettingScope::User, dir.join("settings.json"))));
    places
}

/// Reads the text of one file. It belongs to the client, so what is wrong in it is a warning here.
pub(crate) fn parse(scope: SettingScope, path: PathBuf, text: &str) -> (ClientFile, Vec<CliError>) {
    let mut file = ClientFile {
        scope,
        path,
        memory_dir: None,
        auto_memory: None,
        hooks_off: None,
        environment: Vec::new(),
        rules: RuleSettings::default(),
    };
    let place = file.path.display().to_string();
    let value: Value = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(value) => value,
        Err(error) => {
            let what = "the client's settings are not JSON and were ignored";
            return (file, vec![CliError::warning(what).at(place).because(error.to_string())]);
        }
    };
    let (rules, mut warnings) = rules::parse(scope, &value, &place);
    file.rules = rules;
    match value.get("autoMemoryDirectory") {
        None | Some(Value::Null) => {}
        Some(Value::String(dir)) => file.memory_dir = Some(dir.clone()),
        Some(_) => {
            warnings.push(
                CliError::warning("`autoMemoryDirectory` is not a string and was ignored")
                    .at(place.clone()),
            );
        }
    }
    match value.get("autoMemoryEnabled") {
        None | Some(Value::Null) => {}
        Some(Value::Bool(on)) => file.auto_memory = Some(*on),
        Some(_) => warnings.push(
            CliError::warning("`autoMemoryEnabled` is not true or false and was ignored").at(place),
        ),
    }
    file.hooks_off = value.get(HOOKS_OFF).and_then(Value::as_bool);
    if matches!(scope, SettingScope::Project | SettingScope::Local) {
        file.environment = Variable::ALL
            .into_iter()
            .filter_map(|variable| {
                Some((variable, value.get("env")?.get(variable.name())?.as_str()?))
            })
            .map(|(variable, value)| ProjectVariable::new(variable, value, &file.path))
            .collect();
    }
    (file, warnings)
}

#[cfg(test)]
mod tests {
    use memdir::store::location::{ProjectVariable, SettingScope, Variable};

    use super::{ClientFile, parse};

    fn check(scope: SettingScope, text: &str, expect: &ClientFile, warnings: &[&str]) {
        let (found, warned) = parse(scope, "/s.json".into(), text);
        assert_eq!(&found, expect);
        assert_eq!(warned.iter().map(|w| w.to_text("warning:")).collect::<Vec<_>>(), warnings);
    }

    fn empty(scope: SettingScope) -> ClientFile {
        ClientFile {
            scope,
            path: "/s.json".into(),
            memory_dir: None,
            auto_memory: None,
            hooks_off: None,
            environment: Vec::new(),
            rules: super::RuleSettings::default(),
        }
    }

    #[test]
    fn reads_what_governs_memory_and_passes_over_the_rest() {
        let text = "\u{feff}{\"model\": 3, \"autoMemoryDirectory\": \"~/m\", \"autoMemoryEnabled\": false, \
                    \"disableAllHooks\": true, \"env\": {\"CLAUDE_CONFIG_DIR\": \"/x\", \"PATH\": \"/y\"}}";
        let user = ClientFile {
            memory_dir: Some("~/m".into()),
            auto_memory: Some(false),
            hooks_off: Some(true),
            ..empty(SettingScope::User)
        };
        check(SettingScope::User, text, &user, &[]);
        let project = ClientFile {
            scope: SettingScope::Project,
            environment: vec![ProjectVariable::new(Variable::ClaudeConfigDir, "/x", "/s.json")],
            ..user
        };
        check(SettingScope::Project, text, &project, &[]);
    }

    #[test]
    fn says_what_it_ignored() {
        check(
            SettingScope::User,
            "{\"autoMemoryDirectory\": 1, \"autoMemoryEnabled\": \"no\"}",
            &empty(SettingScope::User),
            &[
                "warning: `autoMemoryDirectory` is not a string and was ignored\n  where: /s.json\n",
                "warning: `autoMemoryEnabled` is not true or false and was ignored\n  where: /s.json\n",
            ],
        );
        check(
            SettingScope::User,
            "{",
            &empty(SettingScope::User),
            &["warning: the client's settings are not JSON and were ignored\n  where: /s.json\n  \
               why: EOF while parsing an object at line 1 column 1\n"],
        );
    }
}
