//! Which project a folder belongs to, read from the file system without the git binary.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    decide::{ClientBase, Location, client_base, decide},
    disk::{self, Kind},
    error::Error,
    inputs::Inputs,
    project::{Project, Warning},
};

/// Longest `.git`, `commondir` or back-pointer file that is read, in bytes: `PATH_MAX` of Linux and room for the key.
const MAX_POINTER_BYTES: u64 = 4_096 + 64;

/// Longest repository configuration that is read for `core.worktree`, in bytes. Ours: a hundred times a usual one.
const MAX_CONFIG_BYTES: u64 = 64 * 1024;

/// Finds the project of [`Inputs::cwd`] and decides where its memory directory is. Reads only, creates nothing.
///
/// # Errors
///
/// As [`discover`] and [`decide()`].
pub fn resolve(inputs: &Inputs) -> Result<Location, Error> {
    resolve_for(inputs, discover(&inputs.cwd)?)
}

/// Decides where the memory directory of a project is that was found already. Reads only, creates nothing.
///
/// Where [`Inputs::flag`] names the directory, the project only tells whose settings are trusted.
///
/// # Errors
///
/// As [`decide()`].
pub fn resolve_for(inputs: &Inputs, project: Project) -> Result<Location, Error> {
    decide(inputs, project, &disk::canonical_prefix)
}

/// Decides where the client's base folder is for a project that was found already. Reads only, creates nothing.
///
/// # Errors
///
/// As [`client_base`].
pub fn resolve_client_base(inputs: &Inputs, project: &Project) -> Result<ClientBase, Error> {
    client_base(inputs, project, &disk::canonical_prefix)
}

/// Finds the project that a folder belongs to. Reads only.
///
/// That is the main working tree of the git repository around it: sub folders and linked worktrees share it, a
/// submodule or a nested repository is a project of its own. The worktrees of a bare repository share the
/// repository's own folder. Outside git it is the folder itself. A `.git` file is believed to be a worktree
/// only where the repository knows it: its administration folder lies in the repository's `worktrees` and points back.
///
/// # Errors
///
/// [`Error::Relative`] and [`Error::NotAFolder`] where `cwd` is not an absolute path of a folder, [`Error::Io`] where it cannot be looked at. A `.git` that cannot be is a warning, since a repository must not be able to take memory away.
pub fn discover(cwd: &Path) -> Result<Project, Error> {
    let start = real_folder(cwd)?;
    let mut warnings = Vec::new();
    for folder in start.ancestors() {
        let git = folder.join(".git");
        let kind = disk::kind(&git).unwrap_or_else(|source| {
            warnings.push(Warning::Unreachable { git: git.clone(), why: source.kind() });
            None
        });
        match kind {
            Some(Kind::Folder) if is_repository(&git) => {
                return Ok(Project { warnings, ..Project::at(folder) });
            }
            Some(Kind::Folder | Kind::Other) => {
                warnings.push(Warning::NotARepository { folder: git });
            }
            Some(Kind::File) => {
                let root = match follow_git_file(folder, &git) {
                    Ok(root) => root,
                    Err(warning) => {
                        warnings.push(warning);
                        None
                    }
                };
                let root = root.unwrap_or_else(|| folder.to_path_buf());
                return Ok(Project { root, warnings, ..Project::at(folder) });
            }
            None => {}
        }
    }
    Ok(Project { warnings, ..Project::at(start) })
}

/// Resolves the links in the path of a folder. Reads only.
///
/// # Errors
///
/// [`Error::Relative`] and [`Error::NotAFolder`] where it is not an absolute path of a folder, [`Error::Io`] where it cannot be looked at.
pub fn real_folder(path: &Path) -> Result<PathBuf, Error> {
    if !path.is_absolute() {
        return Err(Error::Relative { path: path.to_path_buf() });
    }
    let real = match disk::canonical(path) {
        Ok(real) => real,
        Err(source) => return Err(absent_or(source, "find", path)),
    };
    if disk::kind(&real).map_err(at("look at", &real))? != Some(Kind::Folder) {
        return Err(Error::NotAFolder { path: real });
    }
    Ok(real)
}

/// Where the `.git` file of `folder` leads: the root of the repository that it is a worktree of,
/// or `None` where it has a repository of its own (a submodule, a separate git folder).
fn follow_git_file(folder: &Path, git_file: &Path) -> Result<Option<PathBuf>, Warning> {
    let not_a_git_file = || Warning::NotAGitFile { git_file: git_file.to_path_buf() };
    let text = pointer(git_file).ok_or_else(not_a_git_file)?;
    let target = folder.join(text.strip_prefix("gitdir:").ok_or_else(not_a_git_file)?.trim());
    let dangling =
        || Warning::Dangling { git_file: git_file.to_path_buf(), target: target.clone() };
    let admin = disk::canonical(&target).map_err(|_| dangling())?;
    let Some(common) = pointer(&admin.join("commondir")) else {
        return Ok(None);
    };
    let common = disk::canonical(&admin.join(common)).map_err(|_| dangling())?;
    let repository_knows_it = admin.parent() == Some(&common.join("worktrees"))
        && pointer(&admin.join("gitdir")).is_some_and(|back| leads_to(&admin.join(back), git_file));
    if !(is_repository(&common) && repository_knows_it) {
        return Err(Warning::Forged { git_file: git_file.to_path_buf(), repository: common });
    }
    Ok(Some(main_tree(common)))
}

/// The working tree of a repository, or the repository itself where it is bare.
fn main_tree(common: PathBuf) -> PathBuf {
    if common.file_name().is_some_and(|name| name == ".git")
        && let Some(folder) = common.parent()
    {
        return folder.to_path_buf();
    }
    // A submodule's repository lies in the superproject's `.git/modules`; its settings name the tree, whose
    // `.git` file must name the repository in turn.
    let tree = disk::head(&common.join("config"), MAX_CONFIG_BYTES)
        .ok()
        .flatten()
        .and_then(|bytes| core_worktree(&String::from_utf8_lossy(&bytes)))
        .and_then(|tree| disk::canonical(&common.join(tree)).ok())
        .filter(|tree| {
            let text = pointer(&tree.join(".git"));
            let target = text.as_deref().and_then(|text| text.strip_prefix("gitdir:"));
            target.is_some_and(|target| leads_to(&tree.join(target.trim()), &common))
        });
    tree.unwrap_or(common)
}

/// What makes a folder a repository for git, by name.
fn is_repository(folder: &Path) -> bool {
    let is = |name: &str, kind| matches!(disk::kind(&folder.join(name)), Ok(Some(found)) if found == kind);
    is("HEAD", Kind::File) && is("objects", Kind::Folder) && is("refs", Kind::Folder)
}

/// Whether a path as written names `target`, which is canonical but for its last component.
fn leads_to(written: &Path, target: &Path) -> bool {
    let folder = written.parent().and_then(|folder| disk::canonical(folder).ok());
    folder.as_deref() == target.parent() && written.file_name() == target.file_name()
}

/// The text of one of git's one-line files; absent, over-long, not UTF-8 or several lines is `None`.
fn pointer(path: &Path) -> Option<String> {
    let bytes = disk::head(path, MAX_POINTER_BYTES + 1).ok()??;
    if u64::try_from(bytes.len()).is_ok_and(|len| len > MAX_POINTER_BYTES) {
        return None;
    }
    let text = String::from_utf8(bytes).ok()?;
    let text = text.trim_end_matches(['\n', '\r']);
    (!text.contains(['\n', '\0'])).then(|| text.to_owned())
}

/// The value of `core.worktree` in a git configuration.
fn core_worktree(config: &str) -> Option<String> {
    let mut in_core = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            in_core = section.trim_end_matches(']').trim().eq_ignore_ascii_case("core");
        } else if in_core
            && let Some((key, value)) = line.split_once('=')
            && key.trim().eq_ignore_ascii_case("worktree")
        {
            found = Some(value.trim().trim_matches('"').to_owned());
        }
    }
    found
}

fn at<'a>(op: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Error + 'a {
    move |source| Error::Io { op, path: path.to_path_buf(), source }
}

fn absent_or(source: io::Error, op: &'static str, path: &Path) -> Error {
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            Error::NotAFolder { path: path.to_path_buf() }
        }
        _ => Error::Io { op, path: path.to_path_buf(), source },
    }
}
