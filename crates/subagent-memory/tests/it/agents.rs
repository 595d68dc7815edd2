//! Where the memory of an agent is, in layouts of many kinds.

use std::path::{Path, PathBuf};

use memdir_store::Options;
use subagent_memory::{AgentName, Agents, Scope};

use crate::{around, folder, sh};

const DEFINE: &str = "define() { mkdir -p \"$(dirname \"$1\")\"; \
    printf -- '---\\nname: %s\\ndescription: d\\nmemory: %s\\n---\\nx\\n' \"$2\" \"$3\" > \"$1\"; }; \
    repo() { mkdir -p \"$1/.git/objects\" \"$1/.git/refs\"; echo 'ref: refs/heads/main' > \"$1/.git/HEAD\"; }; \
    mkdir -p home p/a/b; ";

fn find(root: &Path, cwd: &str) -> Agents {
    Agents::find(&around(root, cwd), &Options::default()).expect("the folder is there")
}

fn name(text: &str) -> AgentName {
    AgentName::parse(text).expect("a name")
}

/// Where the memory of `r` is, seen from `cwd`, and what was not read; the root is `$W`.
fn check(setup: &str, cwd: &str, expect: &str, unread: &[&str]) {
    let temp = folder(&format!("{DEFINE}{setup}"));
    let root = temp.path().canonicalize().expect("it is there");
    let agents = find(&root, cwd);
    let shown = |path: &Path| path.display().to_string().replace(&root.display().to_string(), "$W");
    let place = agents.place(&name("r"), None);
    assert_eq!(shown(&place.directory()), expect, "{setup} {cwd}");
    let told: Vec<_> = agents
        .unread()
        .iter()
        .map(|unread| format!("{}: {}", shown(&unread.path), shown(Path::new(&unread.reason))))
        .collect();
    assert_eq!(told, unread, "{setup} {cwd}");
}

#[test]
fn a_definition_says_scope_and_root() {
    let project = "$W/p/.claude/agent-memory/r";
    check("define p/.claude/agents/r.md r project", "p/a/b", project, &[]);
    check("define p/.claude/agents/x/y.md r project", "p/a/b", project, &[]);
    check("define p/.claude/agents/r.md r local", "p", "$W/p/.claude/agent-memory-local/r", &[]);
    check("define p/.claude/agents/r.md r user", "p", "$W/home/.claude/agent-memory/r", &[]);
    check("define home/.claude/agents/r.md r user", "p/a", "$W/home/.claude/agent-memory/r", &[]);
    // The nearest counts, and any of the project's before the user's.
    let both = "define p/.claude/agents/r.md r local; define p/a/.claude/agents/r.md r project; \
        define home/.claude/agents/r.md r user";
    check(both, "p/a/b", "$W/p/a/.claude/agent-memory/r", &[]);
    check(both, "p", "$W/p/.claude/agent-memory-local/r", &[]);
    // A file is called as its agent where it does not say otherwise.
    check(
        "mkdir -p p/.claude/agents; printf -- '---\\nmemory: local\\n---\\n' > p/.claude/agents/r.md",
        "p",
        "$W/p/.claude/agent-memory-local/r",
        &[],
    );
    check("define p/.claude/agents/r.md other local", "p/a", "$W/p/a/.claude/agent-memory/r", &[]);
    check("define p/.claude/agents/r.md r global", "p/a", project, &[]);
}

#[test]
fn without_a_definition_the_root_is_the_working_tree_or_the_working_folder() {
    check("", "p/a/b", "$W/p/a/b/.claude/agent-memory/r", &[]);
    check("repo p", "p/a/b", "$W/p/.claude/agent-memory/r", &[]);
    check(
        "repo p; define home/.claude/agents/r.md r project",
        "p/a/b",
        "$W/p/.claude/agent-memory/r",
        &[],
    );
    // Nothing above the working tree counts, and nothing of the home.
    check(
        "repo p/a; define p/.claude/agents/r.md r project",
        "p/a/b",
        "$W/p/a/.claude/agent-memory/r",
        &[],
    );
    check(
        "mkdir -p home/x/y; define home/.claude/agents/r.md r project",
        "home/x/y",
        "$W/home/x/y/.claude/agent-memory/r",
        &[],
    );
    check(
        "mkdir -p home/x; define .claude/agents/r.md r project",
        "home/x",
        "$W/home/x/.claude/agent-memory/r",
        &[],
    );
    // But a project within the home is one like any other.
    check(
        "mkdir -p home/x/y; define home/x/.claude/agents/r.md r project",
        "home/x/y",
        "$W/home/x/.claude/agent-memory/r",
        &[],
    );
}

/// A linked worktree of `p` at `w`.
const WORKTREE: &str = "repo p; mkdir -p w/a p/.git/worktrees/w; echo \"gitdir: $W/p/.git/worktrees/w\" > w/.git; \
    echo ../.. > p/.git/worktrees/w/commondir; echo \"$W/w/.git\" > p/.git/worktrees/w/gitdir; ";

#[test]
fn a_worktree_has_its_own_memory_unless_only_the_main_tree_defines_the_agent() {
    let at = |setup: &str| format!("{WORKTREE}{setup}");
    check(&at(""), "w/a", "$W/w/.claude/agent-memory/r", &[]);
    let both = at("define p/.claude/agents/r.md r local; define w/.claude/agents/r.md r project");
    check(&both, "w/a", "$W/w/.claude/agent-memory/r", &[]);
    let main = at("define p/.claude/agents/r.md r local");
    check(&main, "w/a", "$W/p/.claude/agent-memory-local/r", &[]);
}

#[test]
fn what_cannot_be_read_is_told_and_hides_nothing() {
    let here = "$W/p/.claude/agent-memory/r";
    let linked = "define out/r.md r local; mkdir -p p/.claude; ln -s ../../out p/.claude/agents";
    let told =
        ["$W/p/.claude/agents: `$W/p/.claude/agents` leads out of `$W/p` by a symbolic link"];
    check(linked, "p", here, &told);
    let one = "define out/r.md r local; define p/.claude/agents/r.md r project; ln -s ../../../out/r.md p/.claude/agents/a.md";
    check(
        one,
        "p",
        here,
        &["$W/p/.claude/agents/a.md: a link that leads out of the memory directory"],
    );
    let misnamed =
        "define p/.claude/agents/b.md ../evil user; define p/.claude/agents/r.md r project";
    check(
        misnamed,
        "p/a",
        here,
        &["$W/p/.claude/agents/b.md: its name is none for an agent: it holds a path separator"],
    );
    let within =
        "define p/shared/r.md r project; mkdir -p p/.claude; ln -s ../shared p/.claude/agents";
    check(within, "p/a", here, &[]);
    let plain =
        "mkdir -p p/.claude/agents; echo '# Agents of this project' > p/.claude/agents/r.md";
    check(plain, "p/a", "$W/p/a/.claude/agent-memory/r", &[]);
}

#[test]
fn a_list_has_defined_agents_and_memories_of_others() {
    let temp = folder(&format!(
        "{DEFINE}define p/.claude/agents/r.md r project; define p/.claude/agents/l.md 'plugin:l' local; \
         define home/.claude/agents/u.md u user; define p/.claude/agents/none.md none nowhere; \
         mkdir -p p/.claude/agent-memory/r p/.claude/agent-memory/gone p/.claude/agent-memory/.git \
         'p/.claude/agent-memory/a:b' p/.claude/agent-memory-local/%52 home/.claude/agent-memory/Their; \
         > p/.claude/agent-memory/file"
    ));
    let root = temp.path().canonicalize().expect("it is there");
    let agents = find(&root, "p/a");
    let (listed, unread) = agents.list();
    let told: Vec<_> = listed
        .iter()
        .map(|place| {
            let name = place.name.as_ref().map_or("?", AgentName::as_str);
            let defined = place.definition.is_some();
            let directory = place.directory().strip_prefix(&root).expect("within").to_path_buf();
            (name, place.scope, defined, directory)
        })
        .collect();
    let at = PathBuf::from;
    assert_eq!(
        told,
        [
            ("R", Scope::Local, false, at("p/.claude/agent-memory-local/%52")),
            ("?", Scope::User, false, at("home/.claude/agent-memory/Their")),
            ("gone", Scope::Project, false, at("p/.claude/agent-memory/gone")),
            ("plugin:l", Scope::Local, true, at("p/.claude/agent-memory-local/plugin%3al")),
            ("r", Scope::Project, true, at("p/.claude/agent-memory/r")),
            ("u", Scope::User, true, at("home/.claude/agent-memory/u")),
        ]
    );
    let unread: Vec<_> = unread.iter().map(|unread| unread.path.strip_prefix(&root)).collect();
    assert_eq!(unread, [Ok(Path::new("p/.claude/agent-memory/a:b"))]);
    sh("test ! -e p/a/.claude && test ! -e p/.claude/agent-memory-snapshots", &root);
}
