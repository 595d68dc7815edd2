//! Finding the project of a folder.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use memdir_store::location::{Error, Inputs, Project, Warning, Worktrees, discover, resolve};

/// A temporary folder with its links resolved, so that paths compare.
pub(super) struct Place {
    _temp: tempfile::TempDir,
    pub(super) path: PathBuf,
}

impl Place {
    pub(super) fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().canonicalize().unwrap();
        Self { _temp: temp, path }
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.path.join(path)
    }

    pub(super) fn folder(&self, path: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    pub(super) fn file(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// What git makes of `git init`, as far as it counts.
    pub(super) fn repository(&self, git: &str) {
        self.folder(&format!("{git}/objects"));
        self.folder(&format!("{git}/refs"));
        self.file(&format!("{git}/HEAD"), "ref: refs/heads/main\n");
    }

    /// What git makes of `git worktree add`: the tree at `tree`, its administration below the repository `git`.
    fn worktree(&self, git: &str, tree: &str) {
        let admin = format!("{git}/worktrees/wt");
        self.file(&format!("{tree}/.git"), format!("gitdir: {}\n", self.at(&admin).display()));
        self.file(&format!("{admin}/gitdir"), format!("{}/.git\n", self.at(tree).display()));
        self.file(&format!("{admin}/commondir"), "../..\n");
    }

    /// Runs git, cut off from the configuration of the machine; `None` where there is none.
    fn git(&self, folder: &str, args: &[&str]) -> Option<()> {
        let mut git = Command::new("git");
        git.args(["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"])
            .args(args)
            .current_dir(self.folder(folder))
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")])
            .envs([("GIT_AUTHOR_NAME", "t"), ("GIT_AUTHOR_EMAIL", "t@t")])
            .envs([("GIT_COMMITTER_NAME", "t"), ("GIT_COMMITTER_EMAIL", "t@t")])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let Ok(status) = git.status() else {
            println!("skipped: needs git: to make real layouts with");
            return None;
        };
        assert!(status.success(), "git {args:?} in {folder}");
        Some(())
    }

    /// Where the roots of these folders are, relative to this place.
    fn roots(&self, folders: &[&str]) -> Vec<String> {
        let root = |folder: &&str| {
            let found = discover(&self.at(folder)).unwrap();
            assert_eq!(found.warnings, [], "{folder}");
            found.root.strip_prefix(&self.path).unwrap().display().to_string()
        };
        folders.iter().map(root).collect()
    }
}

/// Case paths-05, on the layout of its `setup.sh`.
#[test]
fn root_sub_folder_and_worktree_of_a_repository_share_one_folder() {
    let place = Place::new();
    place.folder("repo/a/b");
    place.folder("plain/x");
    let made = place.git("repo", &["init", "-q"]).and_then(|()| {
        place.file("repo/f", "1\n");
        place.git("repo", &["add", "f"])?;
        place.git("repo", &["commit", "-qm", "x"])?;
        place.git("repo", &["worktree", "add", "-q", "../wt", "-b", "wt"])
    });
    if made.is_none() {
        place.repository("repo/.git");
        place.worktree("repo/.git", "wt");
    }
    place.folder("wt/a/b");
    let inputs = |folder: &str| Inputs::new(place.at(folder)).with_home(place.at("home"));
    let directory = |folder: &str| resolve(&inputs(folder)).unwrap().directory;
    let slug = |folder: &str| {
        let key = memdir_core::project_key::claude_code(place.at(folder).to_str().unwrap());
        place.at("home/.claude/projects").join(key).join("memory")
    };
    for folder in ["repo", "repo/a/b", "wt", "wt/a/b"] {
        assert_eq!(directory(folder), slug("repo"), "{folder}");
    }
    assert_eq!(directory("plain"), slug("plain"));
    assert_eq!(directory("plain/x"), slug("plain/x"));

    let separate = |folder: &str| {
        let mut inputs = inputs(folder);
        inputs.worktrees = Worktrees::Separate;
        resolve(&inputs).unwrap().directory
    };
    assert_eq!(separate("wt/a"), slug("wt"));
    assert_eq!(separate("repo/a"), slug("repo"));

    assert!(!place.at("home").exists(), "asking where it is creates nothing");
}

#[test]
fn real_submodules_nested_repositories_and_their_worktrees_keep_to_themselves() {
    let place = Place::new();
    let made = (|| {
        for repository in ["library", "super"] {
            place.git(repository, &["init", "-q"])?;
            place.git(repository, &["commit", "-q", "--allow-empty", "-m", "x"])?;
        }
        place.git("super", &["submodule", "add", "-q", "../library", "deps/lib"])?;
        place.git("super/deps/lib", &["worktree", "add", "-q", "../../../lib-wt", "-b", "wt"])?;
        place.git("super/nested", &["init", "-q"])?;
        place.git(".", &["clone", "-q", "--bare", "library", "bare.git"])?;
        place.git("bare.git", &["worktree", "add", "-q", "../from-bare/one", "-b", "one"])?;
        place.git("bare.git", &["worktree", "add", "-q", "../from-bare/two", "-b", "two"])?;
        place.git(".", &["init", "-q", "--separate-git-dir", "apart", "tree"])
    })();
    if made.is_none() {
        return;
    }
    for folder in ["super/deps/lib/src", "lib-wt/src", "super/nested/src", "from-bare/one/src"] {
        place.folder(folder);
    }
    assert_eq!(
        place.roots(&[
            "super/deps",
            "super/deps/lib/src",
            "lib-wt/src",
            "super/nested/src",
            "from-bare/one/src",
            "from-bare/two",
            "bare.git",
            "tree",
        ]),
        [
            "super",
            "super/deps/lib",
            "super/deps/lib",
            "super/nested",
            "bare.git",
            "bare.git",
            "bare.git",
            "tree",
        ]
    );
}

#[test]
fn a_real_worktree_with_relative_paths_is_believed() {
    let place = Place::new();
    let made = place
        .git("repo", &["init", "-q"])
        .and_then(|()| place.git("repo", &["commit", "-q", "--allow-empty", "-m", "x"]))
        .and_then(|()| {
            let add = ["-c", "worktree.useRelativePaths=true", "worktree", "add", "-q", "../wt"];
            place.git("repo", &add)
        });
    if made.is_some() {
        assert_eq!(place.roots(&["wt"]), ["repo"]);
    }
}

#[test]
fn layouts_made_by_hand_are_read_as_git_reads_them() {
    let place = Place::new();
    place.repository("repo/.git");
    place.worktree("repo/.git", "wt");
    place.repository("store.git");
    place.worktree("store.git", "from-store");
    place.repository("hidden/.bare");
    place.worktree("hidden/.bare", "hidden/main");
    // Written by hand, relative on both sides.
    place.file("wt2/.git", "gitdir: ../repo/.git/worktrees/wt2");
    place.file("repo/.git/worktrees/wt2/gitdir", "../../../../wt2/.git");
    place.file("repo/.git/worktrees/wt2/commondir", "../..");
    // A submodule and a repository with its folder elsewhere: a `.git` file without `commondir`.
    place.repository("repo/.git/modules/sub");
    place.file("repo/sub/.git", "gitdir: ../.git/modules/sub\r\n");
    assert_eq!(
        place.roots(&["wt", "from-store", "hidden/main", "wt2", "repo/sub", "repo"]),
        ["repo", "store.git", "hidden/.bare", "repo", "repo/sub", "repo"]
    );
}

#[cfg(unix)]
#[test]
fn links_are_resolved_so_that_every_way_leads_to_one_project() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    place.repository("real/repo/.git");
    place.worktree("real/repo/.git", "real/wt");
    place.folder("real/repo/src");
    symlink(place.at("real"), place.at("link")).unwrap();
    symlink(place.at("real/repo/src"), place.at("src")).unwrap();
    assert_eq!(place.roots(&["link/repo", "link/wt", "src"]), ["real/repo"; 3]);
    // A `.git` that is a link makes the folder that holds it a project, not the one that it leads to.
    place.folder("borrowed");
    symlink(place.at("real/repo/.git"), place.at("borrowed/.git")).unwrap();
    assert_eq!(place.roots(&["borrowed"]), ["borrowed"]);
}

/// Threat 34: a folder that claims to be a part of another's repository gets nothing of that other.
#[test]
fn a_forged_git_file_makes_a_project_of_its_own_with_a_warning() {
    let check = |forge: fn(&Place), warning: &dyn Fn(&Place) -> Warning| {
        let place = Place::new();
        place.repository("victim/.git");
        place.worktree("victim/.git", "victims-wt");
        place.folder("evil/src");
        forge(&place);
        let expect = Project::at(place.at("evil"));
        let found = discover(&place.at("evil/src")).unwrap();
        assert_eq!((found.root, found.folder), (expect.root, expect.folder));
        assert_eq!(found.warnings, [warning(&place)]);
    };
    let forged = |place: &Place| Warning::Forged {
        git_file: place.at("evil/.git"),
        repository: place.at("victim/.git"),
    };
    let dangling = |target: &'static str| {
        move |place: &Place| Warning::Dangling {
            git_file: place.at("evil/.git"),
            target: place.at("evil").join(target),
        }
    };
    let no_git_file = |place: &Place| Warning::NotAGitFile { git_file: place.at("evil/.git") };

    // It names a true worktree's administration, which points back to that worktree.
    check(|p| p.file("evil/.git", "gitdir: ../victim/.git/worktrees/wt"), &forged);
    // It brings an administration folder of its own that points back and names the victim's repository.
    check(
        |p| {
            p.file("evil/.git", "gitdir: admin");
            p.file("evil/admin/gitdir", format!("{}/.git", p.at("evil").display()));
            p.file("evil/admin/commondir", p.at("victim/.git").to_str().unwrap());
        },
        &forged,
    );
    // The same, in a folder that has the right name.
    check(
        |p| {
            p.file("evil/.git", "gitdir: worktrees/x");
            p.file("evil/worktrees/x/gitdir", format!("{}/.git", p.at("evil").display()));
            p.file("evil/worktrees/x/commondir", "../../../victim/.git");
        },
        &forged,
    );
    check(|p| p.file("evil/.git", "gitdir: ../nowhere"), &dangling("../nowhere"));
    check(|p| p.file("evil/.git", ""), &no_git_file);
    check(|p| p.file("evil/.git", "../victim/.git"), &no_git_file);
    check(|p| p.file("evil/.git", "gitdir: a\nb"), &no_git_file);
    check(|p| p.file("evil/.git", b"gitdir: \xff\xfe"), &no_git_file);
    check(|p| p.file("evil/.git", "gitdir: a\0b"), &no_git_file);
    check(|p| p.file("evil/.git", format!("gitdir: {}", "a/".repeat(100_000))), &no_git_file);
}

#[test]
fn a_git_file_that_names_anothers_repository_without_more_is_a_project_of_its_own() {
    let place = Place::new();
    place.repository("victim/.git");
    place.file("evil/.git", "gitdir: ../victim/.git");
    assert_eq!(place.roots(&["evil"]), ["evil"]);
}

#[test]
fn a_huge_git_file_is_not_read_whole() {
    let place = Place::new();
    place.file("evil/.git", "gitdir: x");
    fs::OpenOptions::new()
        .write(true)
        .open(place.at("evil/.git"))
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let found = discover(&place.at("evil")).unwrap();
    assert_eq!(found.warnings, [Warning::NotAGitFile { git_file: place.at("evil/.git") }]);
}

#[test]
fn a_git_folder_that_is_no_repository_is_passed_over_aloud() {
    let place = Place::new();
    place.repository("repo/.git");
    place.folder("repo/sub/.git");
    let found = discover(&place.at("repo/sub")).unwrap();
    assert_eq!(found.root, place.at("repo"));
    assert_eq!(found.warnings, [Warning::NotARepository { folder: place.at("repo/sub/.git") }]);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_git_file_is_not_waited_for() {
    let place = Place::new();
    place.repository("repo/.git");
    place.folder("repo/sub");
    super::make_pipe(&place.at("repo/sub/.git"));
    place.file("wt/.git", "gitdir: ../admin");
    super::make_pipe(&place.folder("admin").join("commondir"));
    assert_eq!(place.roots(&["wt"]), ["wt"]);
    let found = discover(&place.at("repo/sub")).unwrap();
    assert_eq!(found.root, place.at("repo"));
    assert_eq!(found.warnings, [Warning::NotARepository { folder: place.at("repo/sub/.git") }]);
}

/// Else a repository could take away the memory of whoever works in it.
#[cfg(unix)]
#[test]
fn a_git_link_that_leads_to_itself_is_passed_over_aloud() {
    let place = Place::new();
    place.repository("repo/.git");
    place.folder("repo/sub");
    std::os::unix::fs::symlink(".git", place.at("repo/sub/.git")).unwrap();
    let found = discover(&place.at("repo/sub")).unwrap();
    assert_eq!(found.root, place.at("repo"));
    let git = place.at("repo/sub/.git");
    assert!(
        matches!(&found.warnings[..], [Warning::Unreachable { git: named, .. }] if *named == git),
        "{found:?}"
    );
}

#[test]
fn what_is_no_folder_is_an_error() {
    let place = Place::new();
    place.file("file", "");
    for path in [place.at("file"), place.at("missing"), place.at("file/below")] {
        assert!(matches!(discover(&path), Err(Error::NotAFolder { path: named }) if named == path));
    }
    assert!(matches!(discover(Path::new("relative")), Err(Error::Relative { .. })));
}
