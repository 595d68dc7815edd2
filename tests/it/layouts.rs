//! Layouts of rule files as data: what lies on the disk, what is read, and what the real client was seen to load.
//!
//! The files in `layouts/` hold one block a layout. A line is a word and its value; `\n`, `\r`, `\t`, `\\` and `\u{…}` are
//! escapes, `$R` is the folder that all paths are relative to. What is on the disk:
//!
//! - `file PATH = TEXT`, with a newline at its end unless the text ends with a lone backslash; `big PATH BYTES`; `dir PATH`
//! - `link PATH -> TARGET`; `git PATH`, or `nogit`, where `project` is not the root of the repository; `worktree PATH of PATH`
//! - `approve PATH`: the user allowed files of this project to import from outside
//!
//! How the client runs: `cwd PATH`, `env NAME=VALUE`, `arg WORD`. What it loaded, in order:
//!
//! - `start SCOPE PATH` in the first request; `listed SCOPE PATH` by `/context`, where that is not the same
//! - `read PATH`: a file that the model reads then; `then PATH` what came with it
//! - `with …`: in the same set as the line before, whose order is that of the directory
//! - `body PATH = TEXT`: the text as it came, where it is not the trimmed file
//!
//! Where memdir means to differ: `differs WHY`, then `without PATH` for what it does not load in that step, and
//! `besides PATH` for what it loads where the client does not. `open WHY` stands where they are not alike and should be.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Map, json};

/// Files in the order in which they load, one set where the order is that of a directory.
pub(crate) type Sets = Vec<BTreeSet<String>>;

#[derive(Debug, Default, Clone)]
pub(crate) struct Layout {
    pub(crate) claim: &'static str,
    disk: Vec<(&'static str, &'static str)>,
    pub(crate) cwd: Option<String>,
    pub(crate) env: Vec<(&'static str, &'static str)>,
    pub(crate) args: Vec<&'static str>,
    /// Scope and path.
    pub(crate) start: Sets,
    pub(crate) listed: Option<Sets>,
    pub(crate) reads: Vec<(String, Sets)>,
    bodies: BTreeMap<String, String>,
    /// Why memdir loads other files; the lines that tell which follow.
    pub(crate) differs: Vec<&'static str>,
    /// Why they are not alike yet, though they should be.
    pub(crate) open: Option<&'static str>,
    pub(crate) without: BTreeSet<String>,
    pub(crate) besides: BTreeSet<String>,
}

/// The layouts of one file.
pub(crate) fn parse(text: &'static str) -> Vec<Layout> {
    let blocks = text.split("\n\n").map(str::trim_start).filter(|block| !block.is_empty());
    blocks.map(Layout::parse).collect()
}

impl Layout {
    fn parse(block: &'static str) -> Self {
        let mut layout = Self::default();
        let mut last = "";
        for line in block.lines().filter(|line| !line.starts_with('#')) {
            let (word, value) = line.split_once(' ').unwrap_or((line, ""));
            let word = if word == "with" { last } else { word };
            let joins = line.starts_with("with ");
            match word {
                "==" => layout.claim = value,
                "file" | "big" | "dir" | "link" | "git" | "nogit" | "worktree" | "approve" => {
                    layout.disk.push((word, value));
                }
                "cwd" => layout.cwd = Some(unescape(value)),
                "env" => layout.env.push(value.split_once('=').unwrap()),
                "arg" => layout.args.push(value),
                "start" => add(&mut layout.start, value, joins),
                "listed" => add(layout.listed.get_or_insert_default(), value, joins),
                "read" => layout.reads.push((unescape(value), Sets::new())),
                "then" => add(&mut layout.reads.last_mut().unwrap().1, value, joins),
                "body" => {
                    let (path, body) = value.split_once(" = ").unwrap();
                    layout.bodies.insert(path.to_owned(), unescape(body));
                }
                "differs" => layout.differs.push(value),
                "open" => layout.open = Some(value),
                "without" => _ = layout.without.insert(value.to_owned()),
                "besides" => _ = layout.besides.insert(value.to_owned()),
                _ => panic!("`{word}` in `{}`", layout.claim),
            }
            last = word;
        }
        layout
    }

    /// Makes the files below an empty folder.
    pub(crate) fn build(&self, root: &Path) {
        for folder in ["home", "project"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        if !self.disk.iter().any(|(word, _)| ["git", "nogit"].contains(word)) {
            git(&root.join("project"));
        }
        let mut approved = Map::new();
        for (word, value) in &self.disk {
            match *word {
                "file" => {
                    let (path, text) = value.split_once(" = ").unwrap();
                    let text = expand(text, root);
                    let text = text.strip_suffix('\\').map_or(text.clone() + "\n", str::to_owned);
                    put(&root.join(unescape(path)), &text);
                }
                "big" => {
                    let (path, bytes) = value.rsplit_once(' ').unwrap();
                    let line = "one of many lines that say nothing\n";
                    let bytes = bytes.parse().unwrap();
                    let mut text = line.repeat(bytes / line.len() + 1);
                    text.truncate(bytes);
                    put(&root.join(path), &text);
                }
                "dir" => fs::create_dir_all(root.join(value)).unwrap(),
                "link" => {
                    let (path, target) = value.split_once(" -> ").unwrap();
                    let path = root.join(unescape(path));
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    symlink(expand(target, root), path).unwrap();
                }
                "git" => git(&root.join(value)),
                "worktree" => {
                    let (path, main) = value.split_once(" of ").unwrap();
                    worktree(&root.join(path), &root.join(main));
                }
                "approve" => {
                    let project = root.join(value).to_str().unwrap().to_owned();
                    approved.insert(project, json!({"hasClaudeMdExternalIncludesApproved": true}));
                }
                _ => {}
            }
        }
        if !approved.is_empty() {
            let state = json!({"projects": approved}).to_string();
            put(&root.join("home/.claude.json"), &state);
        }
        for (path, _) in &self.reads {
            let path = root.join(path);
            if fs::symlink_metadata(&path).is_err() {
                put(&path, "x\n");
            }
        }
    }

    /// The folder that the client runs in.
    pub(crate) fn cwd(&self) -> &str {
        self.cwd.as_deref().unwrap_or("project")
    }

    /// The text of a file as it comes into the context.
    pub(crate) fn body(&self, path: &str, root: &Path) -> String {
        let told = self.bodies.get(path).map(|body| expand(body, root));
        let body = told.unwrap_or_else(|| fs::read_to_string(root.join(path)).unwrap());
        body.trim().to_owned()
    }
}

/// Sorts what was seen into sets of the same sizes; what is too much makes sets of its own.
pub(crate) fn grouped(expect: &Sets, seen: Vec<String>) -> Sets {
    let mut sizes = expect.iter().map(BTreeSet::len);
    let mut seen = seen.into_iter().peekable();
    let mut sets = Sets::new();
    while seen.peek().is_some() {
        sets.push(seen.by_ref().take(sizes.next().unwrap_or(1)).collect());
    }
    sets
}

/// A path as it stands in the tables.
pub(crate) fn relative(path: &str, root: &Path) -> String {
    let below = Path::new(path).strip_prefix(root).ok().and_then(Path::to_str);
    below.unwrap_or(path).to_owned()
}

pub(crate) fn expand(text: &str, root: &Path) -> String {
    unescape(text).replace("$R", root.to_str().unwrap().trim_end_matches('/'))
}

fn add(sets: &mut Sets, value: &str, joins: bool) {
    if joins {
        sets.last_mut().unwrap().insert(value.to_owned());
    } else {
        sets.push(BTreeSet::from([value.to_owned()]));
    }
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn git(folder: &Path) {
    for folder in ["objects", "refs"].map(|below| folder.join(".git").join(below)) {
        fs::create_dir_all(folder).unwrap();
    }
    put(&folder.join(".git/HEAD"), "ref: refs/heads/main\n");
}

/// What `git worktree add` leaves behind, as far as it tells where the main checkout is.
fn worktree(folder: &Path, main: &Path) {
    let state: PathBuf = main.join(".git/worktrees").join(folder.file_name().unwrap());
    put(&folder.join(".git"), &format!("gitdir: {}\n", state.display()));
    put(&state.join("commondir"), "../..\n");
    put(&state.join("gitdir"), &format!("{}/.git\n", folder.display()));
    put(&state.join("HEAD"), "ref: refs/heads/side\n");
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(sign) = rest.next() {
        let code = rest.as_str().strip_prefix("u{").and_then(|code| code.split_once('}'));
        let escaped = match (sign, rest.as_str().chars().next(), code) {
            ('\\', Some('u'), Some((hex, left))) => {
                out.extend(char::from_u32(u32::from_str_radix(hex, 16).unwrap()));
                rest = left.chars();
                continue;
            }
            ('\\', Some('n'), _) => Some('\n'),
            ('\\', Some('r'), _) => Some('\r'),
            ('\\', Some('t'), _) => Some('\t'),
            ('\\', Some('\\'), _) => Some('\\'),
            _ => None,
        };
        if escaped.is_some() {
            rest.next();
        }
        out.push(escaped.unwrap_or(sign));
    }
    out
}
