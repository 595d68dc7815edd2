//! Layers 0 to 2 keep to the release of Rust that their manifests promise.

use crate::Result;
use crate::metadata;
use crate::report::Outcome;
use crate::session::Session;
use crate::shell::{Program, rustup_lines};

/// The layers whose promise is the workspace's `rust-version`.
const LAYERS: u8 = 2;

pub(crate) fn check(session: &Session) -> Result<Outcome> {
    let mut outcome = Outcome::of("crates");
    let promised = session
        .workspace
        .manifest
        .string("workspace.package", "rust-version")
        .ok_or("Cargo.toml: no rust-version")?
        .to_owned();
    for package in session.workspace.up_to(LAYERS) {
        let manifest = &package.manifest;
        let own = manifest.string("package", "rust-version").unwrap_or_default();
        let kept = manifest.value("package", "rust-version.workspace") == Some("true")
            || (!own.is_empty() && !newer(own, &promised));
        outcome
            .record(kept, &format!("{}: promises more than {promised}", package.manifest_name()));
        dependencies(session, &package.name, &promised, &mut outcome)?;
    }
    let installed = rustup_lines(session.root(), "toolchain list");
    match installed.iter().find(|name| name.starts_with(&promised)) {
        Some(name) => {
            let toolchain = name.split_whitespace().next().unwrap_or(name);
            build(session, toolchain, &mut outcome)?;
        }
        None => outcome.skip(
            format!("cargo +{promised} check"),
            "the toolchain is not installed; clippy::incompatible_msrv and the manifests were checked",
        ),
    }
    Ok(outcome)
}

/// No dependency asks for a newer release than we promise.
fn dependencies(
    session: &Session,
    package: &str,
    promised: &str,
    outcome: &mut Outcome,
) -> Result<()> {
    for node in metadata::tree(session.root(), package, "normal,build", "all")? {
        let foreign = session.metadata()?.foreign(&node.name, &node.version);
        if let Some(needed) = foreign.and_then(|foreign| foreign.rust_version.as_deref()) {
            let fault = format!("{package}: {} {} needs {needed}", node.name, node.version);
            outcome.record(!newer(needed, promised), &fault);
        }
    }
    Ok(())
}

fn build(session: &Session, toolchain: &str, outcome: &mut Outcome) -> Result<()> {
    for package in session.workspace.up_to(LAYERS) {
        let builds = Program::cargo(session.root())
            .arg(format!("+{toolchain}"))
            .words("check --locked --all-features -p")
            .arg(&package.name)
            .env("CARGO_TARGET_DIR", session.scratch()?.join("msrv"))
            .run()?;
        outcome.record(builds, &format!("{} with {toolchain}", package.name));
    }
    Ok(())
}

/// Whether release `a` is newer than `b`; both as `1.88` or `1.88.0`.
fn newer(a: &str, b: &str) -> bool {
    let parts = |text: &str| -> Vec<u32> {
        let mut parts: Vec<u32> = text.split('.').map(|part| part.parse().unwrap_or(0)).collect();
        parts.resize(3, 0);
        parts
    };
    parts(a) > parts(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_releases_by_number() {
        assert!(newer("1.89", "1.88"));
        assert!(newer("1.88.1", "1.88"));
        assert!(!newer("1.88.0", "1.88"));
        assert!(!newer("1.9", "1.88"));
        assert!(!newer("1.71.1", "1.88"));
    }
}
