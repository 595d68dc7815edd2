//! What is wrong with the rules of a project.

use std::collections::VecDeque;
use std::path::PathBuf;

use memdir_store::FileKind;
use memdir_store::files::Files;

use crate::fragment::Fragment;
use crate::limits;
use crate::note::{Note, NoteKind};
use crate::{Loaded, Session, Setup};

/// Folders that are not entered unless a pattern names them: what tools keep, download and build.
const SKIPPED: [&str; 10] = [
    ".claude",
    ".cursor",
    ".git",
    ".venv",
    "__pycache__",
    "build",
    "dist",
    "node_modules",
    "target",
    "vendor",
];

/// Loads all rules of a project, those of its sub folders too, and tells what is wrong with them: whatever loading tells,
/// files that are long, and rules that no file of the project matches.
///
/// Looks at the names of at most [`limits::WALKED_NAMES`] files and folders; of a larger project it is not told which rules
/// never match.
pub fn check<F: Files>(files: F, setup: &Setup) -> Vec<Note> {
    let mut session = Session::new(&files, setup.clone());
    let mut all = session.start();
    let named: Vec<String> = session.waiting().flat_map(|rule| rule.patterns.to_vec()).collect();
    let walked = walk(&files, setup, &named);
    // The folders are read by the files in them; one file each is enough for what has no patterns.
    let later = session.touch(&walked.files);
    all.fragments.extend(later.fragments);
    all.notes.extend(later.notes);
    let long = all.fragments.iter().filter_map(long).collect::<Vec<_>>();
    let Loaded { mut notes, .. } = all;
    notes.extend(long);
    let idle: Vec<_> = session.waiting().filter(|rule| !rule.patterns.is_empty()).collect();
    if walked.is_complete {
        notes.extend(idle.iter().map(|rule| Note::of(rule.path, NoteKind::NeverMatches)));
    } else if !idle.is_empty() {
        notes.push(Note::of(&setup.root, NoteKind::NotAllSeen));
    }
    notes
}

fn long(fragment: &Fragment) -> Option<Note> {
    let lines = fragment.text.lines().count();
    (lines > limits::FILE_LINES).then(|| Note::of(&fragment.path, NoteKind::Long { lines }))
}

#[derive(Debug)]
struct Walked {
    files: Vec<PathBuf>,
    /// Nothing was left out but skipped folders.
    is_complete: bool,
}

/// The files of a project, nearest to the root first. Links are not followed.
fn walk<F: Files>(files: &F, setup: &Setup, patterns: &[String]) -> Walked {
    let mut walked = Walked { files: Vec::new(), is_complete: true };
    let skipped: Vec<_> = SKIPPED
        .into_iter()
        .filter(|name| !patterns.iter().any(|pattern| pattern.contains(name)))
        .collect();
    let mut names_left = limits::WALKED_NAMES;
    let mut folders = VecDeque::from([setup.root.clone()]);
    while let Some(folder) = folders.pop_front() {
        let found = files.look(&folder).ok().flatten();
        let names = found.map(|found| files.list(&found, names_left.saturating_add(1)));
        let Some(Ok(mut names)) = names else {
            walked.is_complete = false;
            continue;
        };
        if names.len() > names_left {
            walked.is_complete = false;
            break;
        }
        names_left -= names.len();
        names.sort_by(|a, b| a.name.cmp(&b.name));
        for name in names {
            let is_skipped = skipped.iter().any(|skipped| name.name == *skipped);
            match name.kind {
                FileKind::Folder if !is_skipped => folders.push_back(folder.join(&name.name)),
                // A folder that holds nothing but rules is to be seen too.
                FileKind::Folder if matches!(name.name.to_str(), Some(".claude" | ".cursor")) => {
                    walked.files.push(folder.join(&name.name));
                }
                FileKind::File | FileKind::Link => walked.files.push(folder.join(&name.name)),
                _ => {}
            }
        }
    }
    walked
}
