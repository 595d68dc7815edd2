//! What the client's settings say of rules.

use memdir::rules::AgentsMd;
use memdir::store::location::SettingScope;
use serde_json::Value;

use crate::error::CliError;

/// What one settings file says of rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RuleSettings {
    /// `claudeMdExcludes`.
    pub(crate) excludes: Vec<String>,
    /// When `AGENTS.md` is read; of the user's and managed files only.
    pub(crate) agents_md: Option<AgentsMd>,
    /// `claudeMd`, of managed files only.
    pub(crate) text: Option<String>,
}

/// The plugin that reads `AGENTS.md`, by the end of its key in `pluginConfigs`.
const PLUGIN: &str = "agents-md@builtin";

/// Reads what a settings file says; what cannot be used is a warning.
pub(super) fn parse(
    scope: SettingScope,
    value: &Value,
    place: &str,
) -> (RuleSettings, Vec<CliError>) {
    let (mut settings, mut warnings) = (RuleSettings::default(), Vec::new());
    let mut ignored = |what: &str| {
        warnings.push(CliError::warning(format!("{what} and was ignored")).at(place));
    };
    match value.get("claudeMdExcludes") {
        None | Some(Value::Null) => {}
        Some(Value::Array(patterns)) => {
            let texts = patterns.iter().filter_map(Value::as_str);
            settings.excludes = texts.map(str::to_owned).collect();
            if settings.excludes.len() < patterns.len() {
                ignored("what is no string in `claudeMdExcludes` is no pattern");
            }
        }
        Some(_) => ignored("`claudeMdExcludes` is not a list"),
    }
    if matches!(scope, SettingScope::Managed | SettingScope::User) {
        let plugins = value.get("pluginConfigs").and_then(Value::as_object);
        let plugin = plugins.and_then(|all| all.iter().find(|(name, _)| name.ends_with(PLUGIN)));
        let options = plugin.and_then(|(_, plugin)| plugin.get("options")?.as_object());
        // The option's own name is not documented; its values are.
        let mut values = options.into_iter().flat_map(|options| options.values());
        settings.agents_md = values.find_map(|value| AgentsMd::parse(value.as_str()?));
    }
    if scope == SettingScope::Managed {
        settings.text = value.get("claudeMd").and_then(Value::as_str).map(str::to_owned);
    }
    (settings, warnings)
}

#[cfg(test)]
mod tests {
    use memdir::rules::AgentsMd;
    use memdir::store::location::SettingScope;
    use serde_json::json;

    use super::{RuleSettings, parse};

    #[test]
    fn reads_what_each_scope_may_say() {
        let value = json!({
            "claudeMdExcludes": ["**/a.md", 3],
            "claudeMd": "text",
            "pluginConfigs": {"x-agents-md@builtin": {"options": {"mode": "claude-md"}}},
        });
        let project = RuleSettings { excludes: vec!["**/a.md".into()], ..RuleSettings::default() };
        let user = RuleSettings { agents_md: Some(AgentsMd::Never), ..project.clone() };
        let managed = RuleSettings { text: Some("text".into()), ..user.clone() };
        for (scope, expect) in [
            (SettingScope::Project, project),
            (SettingScope::User, user),
            (SettingScope::Managed, managed),
        ] {
            let (found, warnings) = parse(scope, &value, "/s.json");
            assert_eq!((found, warnings.len()), (expect, 1));
        }
    }
}
