//! The page of dependencies, from the manifests, their comments and `xtask/exit-paths.toml`.

use std::collections::{BTreeMap, BTreeSet};

use crate::Result;
use crate::manifest::{Dependency, Kind, Manifest};
use crate::marked;
use crate::report::Outcome;
use crate::session::Session;
use crate::workspace::Workspace;

const DOCUMENT: &str = "docs/dependencies.md";
const TITLE: &str = "# Dependencies\n";
/// What would take the place of each dependency of a published crate.
const EXITS: &str = "xtask/exit-paths.toml";

pub(super) fn sync(session: &Session, outcome: &mut Outcome) -> Result<()> {
    let exits = Manifest::read(&session.root().join(EXITS))?;
    let (shipped, testing) = gather(&session.workspace);
    let licence = |name: &str| -> Result<String> {
        let found = session.metadata()?.licence(name);
        Ok(found.ok_or_else(|| format!("{name}: no licence, or not in the lock file"))?.to_owned())
    };
    let mut lines = vec![
        "## In the published crates\n".to_owned(),
        "| dependency | licence | used by | why | exit path |".to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ];
    for (name, uses) in &shipped {
        let exit = exits.string("", name);
        outcome.record(exit.is_some(), &format!("{EXITS}: no line for `{name}`"));
        lines.push(format!("{} {} |", row(name, uses, &licence(name)?), exit.unwrap_or_default()));
    }
    for entry in &exits.entries {
        let used = shipped.contains_key(&entry.key);
        outcome.record(used, &format!("{EXITS}: nothing depends on `{}`", entry.key));
    }
    lines.push("\n## Only in tests and chores\n".to_owned());
    lines.push("| dependency | licence | used by | why |\n|---|---|---|---|".to_owned());
    for (name, uses) in &testing {
        lines.push(row(name, uses, &licence(name)?));
    }
    marked::sync(session, outcome, DOCUMENT, TITLE, "dependencies", &lines.join("\n"))
}

/// A dependency as one package of the workspace declares it.
struct Use {
    by: String,
    dependency: Dependency,
}

type ByPackage = BTreeMap<String, Vec<Use>>;

/// The dependencies from outside: of the published crates, and those that only tests and unpublished packages have.
fn gather(workspace: &Workspace) -> (ByPackage, ByPackage) {
    let (mut shipped, mut testing) = (ByPackage::new(), ByPackage::new());
    for package in &workspace.packages {
        for dependency in package.manifest.dependencies() {
            if workspace.package(&dependency.package).is_some() {
                continue;
            }
            let ships = package.published && dependency.kind != Kind::Dev;
            let table = if ships { &mut shipped } else { &mut testing };
            let uses = table.entry(dependency.package.clone()).or_default();
            uses.push(Use { by: package.name.clone(), dependency });
        }
    }
    testing.retain(|name, _| !shipped.contains_key(name));
    (shipped, testing)
}

/// The columns that both tables have.
fn row(name: &str, uses: &[Use], licence: &str) -> String {
    format!("| {} | {licence} | {} | {} |", title(name, uses), used_by(uses), why(uses))
}

/// The name in the registry, with the name in code where that is another.
fn title(name: &str, uses: &[Use]) -> String {
    match uses.iter().find(|used| used.dependency.name != name) {
        Some(renamed) => format!("`{name}` as `{}`", renamed.dependency.name),
        None => format!("`{name}`"),
    }
}

fn used_by(uses: &[Use]) -> String {
    let names: BTreeSet<String> = uses.iter().map(|used| format!("`{}`", used.by)).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// The reasons, once each; with who says so where they differ.
fn why(uses: &[Use]) -> String {
    let mut by_reason: Vec<(&str, Vec<&str>)> = Vec::new();
    for used in uses {
        let reason = used.dependency.reason.as_deref().unwrap_or("**no reason given**");
        match by_reason.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, by)) if by.contains(&used.by.as_str()) => {}
            Some((_, by)) => by.push(&used.by),
            None => by_reason.push((reason, vec![&used.by])),
        }
    }
    let reasons: Vec<String> = match by_reason.as_slice() {
        [(only, _)] => vec![(*only).to_owned()],
        many => many.iter().map(|(reason, by)| format!("{}: {reason}", by.join(", "))).collect(),
    };
    reasons.join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::manifest::entries;
    use crate::workspace::Package;

    fn package(name: &str, published: bool, dependencies: &str) -> Package {
        Package {
            name: name.into(),
            description: String::new(),
            folder: String::new(),
            manifest: Manifest { path: PathBuf::new(), entries: entries(dependencies) },
            layer: None,
            published,
        }
    }

    #[test]
    fn a_dependency_ships_where_a_published_crate_has_it_outside_its_tests() {
        let both = "[dependencies]\n# Locks.\nfs2 = { package = \"fs4\", version = \"1\" }\n[dev-dependencies]\ninsta = \"1\"\na = { path = \"../a\" }\n";
        let workspace = Workspace {
            root: PathBuf::new(),
            manifest: Manifest { path: PathBuf::new(), entries: Vec::new() },
            packages: vec![
                package("a", true, both),
                package("b", true, "[dependencies]\n# More locks.\nfs4 = \"1\"\n"),
                package("c", false, "[dependencies]\nfs4 = \"1\"\nlibc = \"0.2\"\n"),
            ],
        };
        let (shipped, testing) = gather(&workspace);
        assert_eq!(shipped.keys().collect::<Vec<_>>(), ["fs4"]);
        assert_eq!(testing.keys().collect::<Vec<_>>(), ["insta", "libc"]);
        let uses = shipped.get("fs4").map(Vec::as_slice).unwrap_or_default();
        assert_eq!(title("fs4", uses), "`fs4` as `fs2`");
        assert_eq!(used_by(uses), "`a`, `b`");
        assert_eq!(why(uses), "a: Locks. b: More locks.");
    }
}
