//! A process killed at any moment of a save leaves the state before or after, or something that the next writer mends.

use std::fs;
use std::process::Command;
use std::time::Instant;

use crate::sandbox::{Sandbox, binary, leftovers};

fn files(sandbox: &Sandbox) -> Vec<String> {
    let listed = sandbox.run(["list", "--json"]).json(0);
    let memories = listed["memories"].as_array().unwrap().iter();
    let mut paths: Vec<_> =
        memories.map(|memory| memory["path"].as_str().unwrap().to_owned()).collect();
    paths.sort();
    paths
}

#[test]
fn a_save_killed_at_any_moment_is_whole_or_absent_after_check_fix() {
    let rounds = if std::env::var_os("MEMDIR_FULL").is_some() { 200 } else { 25 };
    let sandbox = Sandbox::new();
    let save = |name: &str| {
        ["save", "--type", "user", "--name", name, "--description", "d", "--body", "b"]
            .map(str::to_owned)
    };
    sandbox.run(save("first")).quietly();
    let started = Instant::now();
    sandbox.run(save("kept")).quietly();
    let whole = started.elapsed().as_secs_f64();
    let mut finished = 0;
    for round in 0..rounds {
        let name = format!("r{round}");
        let after = whole * f64::from(round) / f64::from(rounds);
        let mut killed = Command::new("timeout");
        killed.args(["--signal=KILL", &format!("{after:.6}")]).arg(binary()).args(save(&name));
        killed.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", sandbox.path("home"));
        killed.env("MEMDIR_MEMORY_DIR", sandbox.memory()).current_dir(sandbox.path("project"));
        let survived = killed.output().unwrap().status.success();

        sandbox.run(["check", "--fix"]);
        sandbox.run(["check"]).quietly();
        let index = fs::read_to_string(sandbox.memory().join("MEMORY.md")).unwrap();
        let path = format!("user_{name}.md");
        let exists = files(&sandbox).contains(&path);
        assert_eq!(index.contains(&path), exists, "round {round}: {index}");
        assert!(exists || !survived, "round {round} was acknowledged and is gone");
        assert_eq!(leftovers(&sandbox.memory()), Vec::<String>::new(), "round {round}");
        finished += usize::from(exists);
    }
    let left = files(&sandbox);
    assert!(
        ["user_first.md", "user_kept.md"]
            .into_iter()
            .all(|kept| left.iter().any(|path| path == kept)),
        "{left:?}"
    );
    assert_eq!(left.len(), finished + 2);
}
