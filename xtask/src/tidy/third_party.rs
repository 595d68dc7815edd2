//! Rules on what the workspace depends on: licences, how much of it, and in how many versions.

use std::collections::BTreeSet;

use crate::Result;
use crate::manifest::Manifest;
use crate::metadata::{self, Node};
use crate::report::Outcome;
use crate::session::Session;
use crate::spdx;

/// The most packages from outside that each published crate may pull in with all its features, on
/// Linux, tests apart. Raising a number is a decision: say why in the commit.
const CAPS: &[(&str, usize)] = &[
    ("memdir-core", 28),
    ("transcript-jsonl", 12),
    ("memdir-guard", 8),
    ("memdir-store", 54),
    ("memdir-model", 46),
    ("memdir-scan", 38),
    ("memdir-agent", 46),
    ("memdir-change", 46),
    // TLS and HTTP, and certificates by the name of their host, are most of it.
    ("memdir-providers", 125),
    ("subagent-memory", 54),
    ("memdir-rules", 44),
    ("memdir-recall", 47),
    ("memdir", 63),
    // A model may be asked: three quarters of what `memdir-providers` pulls in come on top.
    ("memdir-cli", 168),
];
/// The system for which the packages are counted.
const SYSTEM: &str = "x86_64-unknown-linux-gnu";
/// Up to this layer a dependency comes in one version only.
const ONE_VERSION_LAYERS: u8 = 2;

pub(super) fn check(session: &Session, outcome: &mut Outcome) -> Result<()> {
    let deny = Manifest::read(&session.root().join("deny.toml"))?;
    licences(session, &deny, outcome)?;
    let skipped = deny.fields("bans", "skip", "crate");
    for package in session.workspace.published() {
        let nodes = metadata::tree(session.root(), &package.name, "normal,build", SYSTEM)?;
        weight(&package.name, &nodes, outcome);
        if package.layer.is_some_and(|layer| layer <= ONE_VERSION_LAYERS) {
            let twice = in_two_versions(&nodes, &skipped);
            outcome.record(
                twice.is_empty(),
                &format!("{}: more than one version of {}", package.name, twice.join(", ")),
            );
        }
    }
    Ok(())
}

fn weight(package: &str, nodes: &[Node], outcome: &mut Outcome) {
    let count = nodes.iter().filter(|node| !node.local).count();
    let cap = CAPS.iter().find(|(name, _)| *name == package).map(|(_, cap)| *cap);
    match cap {
        Some(cap) => {
            let fault = format!("{package}: {count} packages from outside, over its cap of {cap}");
            outcome.record(count <= cap, &fault);
            outcome.notes.push(format!("{package}: {count} packages from outside, cap {cap}"));
        }
        None => outcome.record(false, &format!("{package}: no cap on its dependencies")),
    }
}

/// The names that occur twice in a sorted list, except those that `deny.toml` skips with a reason.
fn in_two_versions(nodes: &[Node], skipped: &[&str]) -> Vec<String> {
    let known = |name: &str| skipped.iter().any(|entry| entry.split('@').next() == Some(name));
    let twice: BTreeSet<_> = nodes
        .iter()
        .zip(nodes.iter().skip(1))
        .filter(|(a, b)| a.name == b.name && !known(&a.name))
        .map(|(a, _)| a.name.clone())
        .collect();
    twice.into_iter().collect()
}

/// Every licence is on the list of `deny.toml`; needs no tool and no network.
fn licences(session: &Session, deny: &Manifest, outcome: &mut Outcome) -> Result<()> {
    let list = deny.strings("licenses", "allow");
    outcome.record(!list.is_empty(), "deny.toml: no list of licences");
    outcome.ran += 1;
    for ((name, version), foreign) in &session.metadata()?.foreign {
        let licence = foreign.licence.as_deref().unwrap_or("no licence");
        if !spdx::allowed(licence, &list) {
            outcome.failures.push(format!("{name} {version}: licence `{licence}`"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, version: &str, local: bool) -> Node {
        Node { name: name.into(), version: version.into(), local }
    }

    #[test]
    fn finds_packages_in_two_versions() {
        let nodes =
            [node("a", "1.0.0", false), node("b", "1.0.0", false), node("b", "2.0.0", false)];
        assert_eq!(in_two_versions(&nodes, &["a@1"]), ["b"]);
        assert_eq!(in_two_versions(&nodes, &["b@1"]), [""; 0]);
    }

    #[test]
    fn a_crate_stays_under_its_cap_and_has_one() {
        let failures = |package: &str, count: usize| {
            let mut outcome = Outcome::of("rules");
            let nodes: Vec<_> = (0..count).map(|at| node("x", &at.to_string(), false)).collect();
            weight(package, &nodes, &mut outcome);
            outcome.failures
        };
        assert_eq!(failures("memdir-core", 28), [""; 0]);
        assert_eq!(failures("memdir-core", 29).len(), 1);
        assert_eq!(failures("memdir-new", 0), ["memdir-new: no cap on its dependencies"]);
    }
}
