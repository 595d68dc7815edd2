//! Whether what memories name is still in the project.

use clap::Args;
use memdir::recall::{Claim, Finding, Recall, Verifier};
use memdir::store::project::{LocalProject, ProjectPath};
use serde::Serialize;

use crate::error::{CliError, Exit, chain};
use crate::output::Style;
use crate::place::{Place, Session};

/// Look up in the project what memories name: paths, names of code, commands
///
/// Names that the project no longer has are findings. Looks at nothing outside of the project and runs nothing; where it
/// cannot be told whether something is gone it says nothing. Exits with 1 on findings.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Memories to look at, by path, name, or number in `list` [default: all]
    names: Vec<String>,
    /// Print `{"findings": […], "memories"}`
    #[arg(long)]
    pub(crate) json: bool,
}

/// Whether recalled memories are checked against the project.
#[derive(Debug, Args)]
pub(super) struct Checks {
    /// Do not look up in the project what the memories name
    #[arg(long)]
    no_verify: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    findings: Vec<WireFinding<'a>>,
    /// How many memories were looked at.
    memories: usize,
}

#[derive(Serialize)]
struct WireFinding<'a> {
    path: &'a str,
    line: usize,
    kind: &'static str,
    name: &'a str,
    message: String,
}

pub(crate) fn run(args: &Verify, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let memory = match args.names.first() {
        Some(name) => Some(session.open_for(&place, name)?),
        None => session.open(&place)?,
    };
    let (mut paths, mut found) = (Vec::new(), Vec::new());
    if let Some(memory) = memory {
        let folder = place.project_folder().ok_or_else(|| no_project(&place))?;
        let project = LocalProject::open(folder).map_err(|error| {
            CliError::io("the project cannot be opened", &error).at(folder.display().to_string())
        })?;
        paths = if args.names.is_empty() {
            memory.scan()?.headers.into_iter().map(|header| header.path).collect()
        } else {
            args.names.iter().map(|name| memory.find(name)).collect::<Result<_, _>>()?
        };
        let mut verifier = verifier(&project, &place);
        for path in &paths {
            let findings = memory.verify(path, &mut verifier)?;
            found.extend(findings.into_iter().map(|finding| (path, finding)));
        }
    }
    if args.json {
        let findings = found.iter().map(|(path, finding)| WireFinding::of(path.as_str(), finding));
        session.out.json(&Wire { findings: findings.collect(), memories: paths.len() })?;
    } else {
        for (path, finding) in &found {
            let place = session.out.paint(Style::Bold, &format!("{path}:{}", finding.line));
            let finding = session.out.escaped(&finding.to_string());
            session.out.line(&format!("{place}: {finding}"));
        }
        if found.is_empty() {
            session.out.note("nothing that the memories name is known to be gone");
        }
    }
    Ok(if found.is_empty() { Exit::Done } else { Exit::Nothing })
}

impl Checks {
    /// Adds findings to what was recalled. Without a project, or with one that cannot be opened, nothing is known to be gone;
    /// the latter is said on stderr.
    pub(super) fn verify(&self, recall: &mut Recall, place: &Place, session: &mut Session) {
        if self.no_verify || recall.attachments.is_empty() {
            return;
        }
        let Some(folder) = place.project_folder() else { return };
        match LocalProject::open(folder) {
            Ok(project) => recall.verify(&mut verifier(&project, place)),
            Err(error) => {
                let what = "the project cannot be opened, so what memories name is not looked up";
                let warning = CliError::warning(what).at(folder.display().to_string());
                session.out.warn(&warning.because(chain(&error)));
            }
        }
    }
}

fn no_project(place: &Place) -> CliError {
    let error =
        CliError::usage("there is no project to look in").hint("name one with --project DIR");
    match &place.no_project {
        Some(why) => error.because(why.as_str()),
        None => error,
    }
}

/// Looks at a project, but not at the memory directory in it.
fn verifier<'p>(project: &'p LocalProject, place: &Place) -> Verifier<'p> {
    let verifier = Verifier::new(project);
    let within = place.location.directory.strip_prefix(&place.location.project.folder);
    let folder = within.ok().and_then(|path| path.to_str());
    match folder.and_then(|folder| ProjectPath::parse(folder).ok()) {
        Some(folder) => verifier.exclude(folder),
        None => verifier,
    }
}

impl<'a> WireFinding<'a> {
    fn of(path: &'a str, finding: &'a Finding) -> Self {
        let (kind, name) = match &finding.claim {
            Claim::Path(path) => ("path", path.as_str()),
            Claim::Symbol(name) => ("symbol", name.as_str()),
            Claim::Command { text, .. } => ("command", text.as_str()),
            _ => ("other", ""),
        };
        Self { path, line: finding.line, kind, name, message: finding.to_string() }
    }
}
