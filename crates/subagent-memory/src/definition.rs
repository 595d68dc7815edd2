//! Definitions of agents: what of them says where their memory is.

use std::ops::ControlFlow;

use memdir_core::{
    MemPath,
    frontmatter::{Shape, decode, parse, value_of},
};
use memdir_store::{Error, Listed, ReadStore, Skipped};

use crate::{AgentName, NameFault, Scope, limits};

/// What the definition of an agent says about its memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Definition {
    /// What the agent is called: `name` in the frontmatter, else the name of the file.
    pub name: AgentName,
    /// `memory` in the frontmatter; absent where there is none, or it is no scope.
    pub memory: Option<Scope>,
    /// `memory` as written, where it is no scope.
    pub unknown_memory: Option<String>,
    /// The file within the folder of definitions.
    pub path: MemPath,
}

/// The definitions in a folder.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Definitions {
    /// By path.
    pub found: Vec<Definition>,
    /// What looks like a definition and was not read.
    pub skipped: Vec<Skipped>,
    /// Files whose name no agent can have, with the reason.
    pub misnamed: Vec<(MemPath, NameFault)>,
    /// Files that could not be read, with the reason.
    pub unreadable: Vec<(MemPath, Error)>,
    /// Files over [`limits::DEFINITIONS`] that were not looked at.
    pub more: usize,
}

/// Reads the definitions below a folder, such as `.claude/agents`. Files without frontmatter define nothing.
///
/// # Errors
///
/// When the folder itself cannot be listed.
pub fn definitions(store: &impl ReadStore) -> Result<Definitions, Error> {
    let mut all = Definitions::default();
    let mut paths = Vec::new();
    store.visit(&mut |listed| {
        match listed {
            Listed::Entry(entry) => paths.push(entry.path),
            Listed::Skipped(skipped) => all.skipped.push(skipped),
        }
        ControlFlow::Continue(())
    })?;
    paths.sort_unstable();
    all.skipped.sort_by(|a, b| a.raw_name.cmp(&b.raw_name));
    all.more = paths.len().saturating_sub(limits::DEFINITIONS);
    for path in paths.into_iter().take(limits::DEFINITIONS) {
        match store.read_head(&path, limits::DEFINITION_BYTES) {
            // It vanished meanwhile.
            Ok(None) => {}
            Ok(Some(bytes)) => match definition(&path, &decode(&bytes).0) {
                Some(Ok(definition)) => all.found.push(definition),
                Some(Err(fault)) => all.misnamed.push((path, fault)),
                None => {}
            },
            Err(error) => all.unreadable.push((path, error)),
        }
    }
    Ok(all)
}

fn definition(path: &MemPath, text: &str) -> Option<Result<Definition, NameFault>> {
    if parse(text).shape == Shape::None {
        return None;
    }
    let name = value_of(text, "name").unwrap_or_else(|| path.stem().to_owned());
    let name = match AgentName::parse(&name) {
        Ok(name) => name,
        Err(fault) => return Some(Err(fault)),
    };
    let written = value_of(text, "memory");
    let memory = written.as_deref().and_then(Scope::parse);
    let unknown_memory = written.filter(|_| memory.is_none());
    Some(Ok(Definition { name, memory, unknown_memory, path: path.clone() }))
}
