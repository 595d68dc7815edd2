//! Rules on the manifests of the workspace.

use crate::manifest::{Dependency, Kind};
use crate::report::Outcome;
use crate::workspace::{Package, Workspace};

/// Keys that each package takes from the workspace, so that they cannot differ.
const INHERITED: &[&str] = &["version", "edition", "rust-version", "license"];

/// Keys that each published package has beside those.
const PUBLISHED: &[&str] = &[
    "description",
    "keywords",
    "categories",
    "readme",
    "repository.workspace",
    "include.workspace",
];

pub(super) fn check(workspace: &Workspace, outcome: &mut Outcome) {
    for package in &workspace.packages {
        outcome.ran += 1;
        let faults = keys(package).into_iter().chain(dependencies(workspace, package));
        outcome
            .failures
            .extend(faults.map(|fault| format!("{}: {fault}", package.manifest_name())));
    }
    outcome.ran += 1;
    for dependency in workspace.manifest.dependencies() {
        if dependency.path.is_some() && dependency.requirement.is_none() {
            let fault = format!("Cargo.toml: `{}` has a path and no version", dependency.name);
            outcome.failures.push(fault);
        }
    }
}

fn keys(package: &Package) -> Vec<String> {
    let manifest = &package.manifest;
    let mut faults = Vec::new();
    if manifest.value("lints", "workspace") != Some("true") {
        faults.push("does not take the workspace's lints".to_owned());
    }
    for key in INHERITED {
        let inherits = manifest.value("package", &format!("{key}.workspace")) == Some("true");
        // Layers above 4 may need a newer release of Rust than the others.
        let own = *key == "rust-version" && package.layer.is_some_and(|layer| layer > 4);
        if !inherits && !own {
            faults.push(format!("does not inherit `{key}`"));
        }
    }
    for key in PUBLISHED.iter().filter(|_| package.published) {
        if manifest.value("package", key).is_none() {
            faults.push(format!("no `{key}`"));
        }
    }
    faults
}

fn dependencies(workspace: &Workspace, package: &Package) -> Vec<String> {
    let mut faults = Vec::new();
    let entries = &package.manifest.entries;
    if let Some(long) = entries.iter().find(|entry| entry.section.contains("dependencies.")) {
        faults.push(format!("line {}: `[{}]` instead of one line", long.line, long.section));
    }
    for dependency in package.manifest.dependencies() {
        let fault = if workspace.package(&dependency.package).is_some() {
            sibling_fault(package, &dependency)
        } else {
            foreign_fault(&dependency)
        };
        faults.extend(
            fault.map(|fault| format!("line {}: `{}` {fault}", dependency.line, dependency.name)),
        );
    }
    faults
}

fn sibling_fault(package: &Package, dependency: &Dependency) -> Option<&'static str> {
    let versioned = dependency.inherited || dependency.requirement.is_some();
    match dependency.kind {
        Kind::Dev if package.published && versioned => Some(
            "carries a version in dev-dependencies, which makes a cycle when publishing: only a path",
        ),
        Kind::Normal | Kind::Build if package.published && !versioned => {
            Some("carries no version: `workspace = true`")
        }
        _ => None,
    }
}

fn foreign_fault(dependency: &Dependency) -> Option<&'static str> {
    if dependency.reason.as_deref().is_none_or(str::is_empty) {
        return Some("has no comment above it that says why it is there");
    }
    if dependency.path.is_some() {
        return Some("is a path out of the workspace");
    }
    (!dependency.inherited && dependency.requirement.is_none()).then_some("has no version")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::manifest::{Manifest, entries};

    fn package(name: &str, published: bool, text: &str) -> Package {
        Package {
            name: name.into(),
            description: String::new(),
            folder: format!("crates/{name}"),
            manifest: Manifest { path: PathBuf::new(), entries: entries(text) },
            layer: Some(1),
            published,
        }
    }

    fn faults(published: bool, text: &str) -> Vec<String> {
        let manifest = Manifest { path: PathBuf::new(), entries: Vec::new() };
        let packages = vec![package("low", true, "")];
        let workspace = Workspace { root: PathBuf::new(), manifest, packages };
        dependencies(&workspace, &package("a", published, text))
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn every_dependency_from_outside_says_why() {
        let bare = "`x` has no comment above it that says why it is there";
        assert_eq!(faults(true, "[dependencies]\nx = \"1\"\n"), [format!("line 2: {bare}")]);
        assert_eq!(faults(true, "[dev-dependencies]\n\nx = \"1\"\n"), [format!("line 3: {bare}")]);
        assert_eq!(faults(true, "[dependencies]\n# Why.\nx = \"1\"\ny = \"1\"\n"), NONE);
        assert_eq!(
            faults(true, "[dependencies]\n# Why.\nx = { path = \"../../x\" }\n"),
            ["line 3: `x` is a path out of the workspace"]
        );
    }

    #[test]
    fn siblings_carry_versions_except_in_tests() {
        let workspace = "low = { workspace = true }\n";
        let path = "low = { path = \"../low\" }\n";
        assert_eq!(faults(true, &format!("[dependencies]\n{workspace}")), NONE);
        assert_eq!(faults(true, &format!("[dev-dependencies]\n{path}")), NONE);
        assert_eq!(faults(true, &format!("[dependencies]\n{path}")).len(), 1);
        assert_eq!(faults(true, &format!("[dev-dependencies]\n{workspace}")).len(), 1);
        assert_eq!(faults(false, &format!("[dev-dependencies]\n{workspace}")), NONE);
    }

    #[test]
    fn a_package_inherits_what_must_not_differ() {
        let text = "[package]\nversion.workspace = true\nedition = \"2021\"\nrust-version.workspace = true\nlicense.workspace = true\n[lints]\nworkspace = true\n";
        assert_eq!(keys(&package("a", false, text)), ["does not inherit `edition`"]);
        assert_eq!(keys(&package("a", true, text)).len(), 1 + PUBLISHED.len());
    }
}
