//! The one directory in force, and taking over that of a renamed project.

use std::io;

use clap::Args;
use memdir::store::location::{self, Claim, Scope, Source, Variable};
use serde::Serialize;

use crate::config::scope_name;
use crate::error::{CliError, Exit};
use crate::place::{Place, Session, foreign, is_directory};

/// Print the memory directory that is in force
///
/// Creates nothing. Settings that were refused are named on stderr. The directory of another project is refused.
#[derive(Debug, Args)]
pub(crate) struct Path {
    /// Print where it comes from, the project, the layout and refused settings as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Take over the memory of a project that no longer exists: this is that project under a new name or in a new place
    #[arg(long)]
    relink: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    directory: &'a str,
    /// `flag`, `environment:NAME`, `settings:SCOPE`, `layout` or `project-name`.
    source: String,
    layout: &'static str,
    /// Absent where there is none; then the directory was named.
    project: Option<String>,
    /// `directory`, `absent`, or `other` where something else bears the name.
    exists: &'static str,
    refusals: Vec<WireRefusal<'a>>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct WireRefusal<'a> {
    scope: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    value: &'a str,
    reason: String,
    message: String,
}

pub(crate) fn run(args: &Path, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    if args.relink {
        relink(&place, session)?;
    } else {
        session.offer_left_behind(&place);
    }
    let directory = place.directory();
    let claim = location::claim(&place.location)?;
    let exit = if claim.other().is_some() { Exit::Refused } else { Exit::Done };
    if let Some(other) = claim.other() {
        let refusal = foreign(other);
        if !args.json {
            // Whoever asks writes into what is printed.
            return Err(refusal);
        }
        session.out.warn(&refusal);
    }
    if !args.json {
        let line = session.out.escaped(&directory);
        session.out.line(&line);
        return Ok(Exit::Done);
    }
    let Place { location, .. } = &place;
    let exists = match is_directory(&location.directory) {
        Ok(true) => "directory",
        Ok(false) => "other",
        Err(error) if error.kind() == io::ErrorKind::NotFound => "absent",
        Err(error) => {
            return Err(
                CliError::io("the memory directory cannot be looked at", &error).at(directory)
            );
        }
    };
    let refusals = location.refusals.iter().map(|refusal| WireRefusal {
        scope: refusal.scope.to_string(),
        file: refusal.file.as_ref().map(|file| file.display().to_string()),
        value: &refusal.value,
        reason: refusal.reason.to_string(),
        message: refusal.to_string(),
    });
    let foreign = claim.other().map(|other| WireRefusal {
        scope: source(location.source),
        file: None,
        value: &directory,
        reason: "it belongs to another project".to_owned(),
        message: other.to_string(),
    });
    let wire = Wire {
        directory: &directory,
        source: source(location.source),
        layout: location.layout.as_str(),
        project: place.project(),
        exists,
        refusals: refusals.chain(foreign).collect(),
        warnings: location.project.warnings.iter().map(ToString::to_string).collect(),
    };
    session.out.json(&wire)?;
    Ok(exit)
}

fn relink(place: &Place, session: &Session) -> Result<(), CliError> {
    let nothing = |why: &str| CliError::refused("there is nothing to take over").because(why);
    match location::claim(&place.location)? {
        Claim::Renamed(other) => {
            session.person_only("take over the memory of another project")?;
            Ok(location::relink(&place.location, &other.owner)?)
        }
        Claim::Foreign(other) => {
            Err(CliError::refused("the project that it belongs to still exists")
                .because(other.to_string()))
        }
        Claim::Mine | Claim::Unclaimed => bring_along(place, session),
        Claim::Shared => Err(nothing("the directory was named, and is not one project's")),
        _ => Err(nothing("the directory is no other project's")),
    }
}

/// Moves here what this project left behind under its old name or place.
fn bring_along(place: &Place, session: &Session) -> Result<(), CliError> {
    let left = location::left_behind(&place.location)?;
    let Some(likeliest) = left.first() else {
        return Err(CliError::refused("there is nothing to take over").because(
            "the directory is no other project's, and no project that is gone looks like this one",
        ));
    };
    session.person_only("take over the memory of another project")?;
    let alike = left.iter().filter(|left| left.likeness == likeliest.likeness);
    if alike.clone().count() == 1 {
        return Ok(location::bring_along(&place.location, likeliest)?);
    }
    let several =
        CliError::refused("the memory of several projects that are gone may be this one's");
    let error =
        alike.fold(several, |error, left| error.item(&left.directory.display().to_string()));
    Err(error.hint(format!(
        "move the right one to {} and call this again",
        place.location.directory.display()
    )))
}

/// A word for what named the directory.
pub(super) fn source(source: Source) -> String {
    match source {
        Source::Given(Scope::Flag) => "flag".to_owned(),
        Source::Given(Scope::Environment(variable)) => format!("environment:{variable}"),
        Source::Given(Scope::Setting(scope)) => format!("settings:{}", scope_name(scope)),
        Source::Layout => "layout".to_owned(),
        Source::NamedProject => format!("environment:{}", Variable::ClaudeCodeProjectDirName),
        _ => "other".to_owned(),
    }
}
