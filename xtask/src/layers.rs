//! Dependencies between our own crates only point to a lower layer; the map of them for the docs.

use crate::Result;
use crate::manifest::Kind;
use crate::marked;
use crate::report::Outcome;
use crate::session::Session;
use crate::workspace::{Package, Workspace};

const TITLE: &str = "# Architecture\n\n## Map of the crates\n";

pub(crate) fn check(session: &Session) -> Result<Outcome> {
    let mut outcome = Outcome::of("edges");
    examine(&session.workspace, &mut outcome);
    let map = map(&session.workspace);
    marked::sync(session, &mut outcome, "docs/architecture.md", TITLE, "layers", &map)?;
    Ok(outcome)
}

fn examine(workspace: &Workspace, outcome: &mut Outcome) {
    for package in workspace.published() {
        outcome.record(
            package.layer.is_some(),
            &format!("{}: no [package.metadata.memdir] layer", package.manifest_name()),
        );
        for below in neighbours(workspace, package) {
            let at = package.manifest_name();
            outcome.record(
                below.published,
                &format!("{at}: depends on {}, which is not published", below.name),
            );
            if let (Some(own), Some(other)) = (package.layer, below.layer) {
                let fault = format!(
                    "{at}: {} (layer {own}) depends on {} (layer {other}); a dependency goes to a lower layer",
                    package.name, below.name
                );
                outcome.record(other < own, &fault);
            }
        }
    }
}

/// The workspace packages that `package` depends on, except for its tests.
fn neighbours<'a>(workspace: &'a Workspace, package: &Package) -> Vec<&'a Package> {
    let mut found: Vec<&Package> = package
        .manifest
        .dependencies()
        .filter(|dependency| dependency.kind != Kind::Dev)
        .filter_map(|dependency| workspace.package(&dependency.package))
        .collect();
    found.sort_by_key(|package| &package.name);
    found.dedup_by_key(|package| &package.name);
    found
}

fn map(workspace: &Workspace) -> String {
    let mut lines =
        vec!["| layer | crate | what it is | uses |".to_owned(), "|---:|---|---|---|".to_owned()];
    for package in workspace.published() {
        let layer = package.layer.map_or_else(|| "none".to_owned(), |layer| layer.to_string());
        let uses: Vec<_> = neighbours(workspace, package)
            .iter()
            .map(|below| format!("`{}`", below.name))
            .collect();
        lines.push(format!(
            "| {layer} | [`{}`](../{}) | {} | {} |",
            package.name,
            package.folder,
            package.description,
            uses.join(", ")
        ));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::manifest::{Manifest, entries};

    fn package(name: &str, layer: Option<u8>, dependencies: &str) -> Package {
        Package {
            name: name.into(),
            description: format!("about {name}"),
            folder: format!("crates/{name}"),
            manifest: Manifest { path: PathBuf::new(), entries: entries(dependencies) },
            layer,
            published: true,
        }
    }

    fn workspace(packages: Vec<Package>) -> Workspace {
        let manifest = Manifest { path: PathBuf::new(), entries: Vec::new() };
        Workspace { root: PathBuf::new(), manifest, packages }
    }

    fn failures(packages: Vec<Package>) -> Vec<String> {
        let mut outcome = Outcome::of("edges");
        examine(&workspace(packages), &mut outcome);
        outcome.failures
    }

    #[test]
    fn an_edge_down_passes_and_edges_up_and_across_fail() {
        let low = || package("low", Some(0), "");
        let up = "[dependencies]\nlow = { workspace = true }\n";
        assert_eq!(failures(vec![low(), package("high", Some(1), up)]), [""; 0]);
        assert_eq!(
            failures(vec![low(), package("beside", Some(0), up)]),
            [
                "crates/beside/Cargo.toml: beside (layer 0) depends on low (layer 0); a dependency goes to a lower layer"
            ]
        );
    }

    #[test]
    fn an_edge_of_a_build_or_a_target_counts_and_one_of_tests_does_not() {
        let low = || package("low", Some(3), "");
        for section in ["build-dependencies", "target.'cfg(unix)'.dependencies"] {
            let edge = format!("[{section}]\nlow = {{ path = \"../low\" }}\n");
            assert_eq!(failures(vec![low(), package("a", Some(0), &edge)]).len(), 1, "{section}");
        }
        let edge = "[dev-dependencies]\nlow = { path = \"../low\" }\n";
        assert_eq!(failures(vec![low(), package("a", Some(0), edge)]), [""; 0]);
    }

    #[test]
    fn a_published_crate_without_a_layer_fails() {
        assert_eq!(
            failures(vec![package("a", None, "")]),
            ["crates/a/Cargo.toml: no [package.metadata.memdir] layer"]
        );
    }

    #[test]
    fn the_map_lists_what_each_crate_uses() {
        let uses = "[dependencies]\nlow = { workspace = true }\nserde = \"1\"\n";
        assert_eq!(
            map(&workspace(vec![package("low", Some(0), ""), package("high", Some(1), uses)])),
            "\
| layer | crate | what it is | uses |
|---:|---|---|---|
| 0 | [`low`](../crates/low) | about low |  |
| 1 | [`high`](../crates/high) | about high | `low` |
"
        );
    }
}
