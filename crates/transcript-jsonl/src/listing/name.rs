//! What the files in a client's project folder are, by their names.

/// What a file is, by its path below the folder of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind<'a> {
    /// The record of a session.
    Session {
        /// The id of the session.
        id: &'a str,
    },
    /// The record of a subagent.
    Subagent {
        /// The session that it worked for; older clients do not say.
        session: Option<&'a str>,
        /// The id of the subagent.
        agent: &'a str,
    },
    /// Anything else.
    Other,
}

impl<'a> FileKind<'a> {
    /// Tells what a file is; `path` has `/` between its parts.
    ///
    /// ```
    /// use transcript_jsonl::FileKind;
    ///
    /// let id = "8b1f4a52-7c6e-4d0b-9a53-2f6f0f4f7d11";
    /// assert_eq!(FileKind::of(&format!("{id}.jsonl")), FileKind::Session { id });
    /// assert_eq!(
    ///     FileKind::of(&format!("{id}/subagents/agent-a7.jsonl")),
    ///     FileKind::Subagent { session: Some(id), agent: "a7" },
    /// );
    /// assert_eq!(FileKind::of(&format!("{id}/tool-results/x.txt")), FileKind::Other);
    /// ```
    pub fn of(path: &'a str) -> Self {
        let (folder, file) = match path.rsplit_once('/') {
            Some((folder, file)) => (Some(folder), file),
            None => (None, path),
        };
        let Some(stem) = file.strip_suffix(".jsonl").filter(|stem| !stem.is_empty()) else {
            return Self::Other;
        };
        let agent = stem.strip_prefix("agent-");
        match (folder, agent) {
            (None, Some(agent)) => Self::Subagent { session: None, agent },
            (None, None) => Self::Session { id: stem },
            (Some(folder), Some(agent)) => match folder.split_once('/') {
                Some((session, below)) if below.split('/').next() == Some("subagents") => {
                    Self::Subagent { session: Some(session), agent }
                }
                _ => Self::Other,
            },
            (Some(_), None) => Self::Other,
        }
    }
}
