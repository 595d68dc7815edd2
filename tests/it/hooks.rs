//! Hooks in great number, on broken disks, and with secrets around them: threats 38, 46, 47 and 55.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::disks::on_a_small_disk;
use crate::sandbox::{Ran, Sandbox, tree};

const ASK: &str = "how do we test against the database?";
/// Long enough for a thousand lines of the trail to fill a file of it.
const MEMORY: &str = "feedback_tests-run-against-a-real-database.md";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        MEMORY,
        "---\nname: db\ndescription: Test against a real database\nmetadata:\n  type: feedback\n---\n\nNo mocks.\n",
    );
    sandbox
}

fn input(sandbox: &Sandbox, session: &str, prompt: &str) -> Value {
    json!({"session_id": session, "cwd": sandbox.path("project"), "source": "startup", "prompt": prompt})
}

fn hook(sandbox: &Sandbox, moment: &str, input: &Value, env: &[(&str, &str)]) -> Ran {
    let mut command = sandbox.command(["hook", moment]);
    command.envs(env.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    Ran::of(child.wait_with_output().unwrap())
}

/// Processes that run in a sandbox, by its path in their environment.
#[cfg(target_os = "linux")]
fn processes(sandbox: &Sandbox) -> usize {
    let home = format!("HOME={}", sandbox.path("home").display());
    let environments = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        // A process that ended meanwhile, or somebody else's, is none of ours.
        fs::read(entry.ok()?.path().join("environ")).ok()
    });
    environments
        .filter(|found| found.split(|byte| *byte == 0).any(|var| var == home.as_bytes()))
        .count()
}

#[test]
fn a_thousand_calls_leave_no_process_no_file_and_a_bounded_trail() {
    const CALLS: usize = 1_000;
    const THREADS: usize = 4;
    let sandbox = sandbox();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let sandbox = &sandbox;
            scope.spawn(move || {
                for number in 0..CALLS / THREADS {
                    let session = format!("11111111-1111-4111-8111-{thread:04}{number:08}");
                    let asked = input(sandbox, &session, ASK);
                    let ran = hook(sandbox, "user-prompt-submit", &asked, &[]);
                    assert_eq!((ran.exit, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
                    assert!(ran.stdout.contains("No mocks."), "{ran:#?}");
                }
            });
        }
    });
    #[cfg(target_os = "linux")]
    assert_eq!(processes(&sandbox), 0);
    assert_eq!(tree(&sandbox.path("home")), []);
    let names: Vec<_> = tree(&sandbox.memory()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, [MEMORY]);
    let mut state = tree(&sandbox.memory().join(".memdir"));
    state.retain(|(name, _)| name != ".gitignore");
    let names: Vec<_> = state.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["events.jsonl", "events.old.jsonl"]);
    for (name, bytes) in &state {
        assert!(bytes.len() <= 256 * 1024, "{name}: {} bytes", bytes.len());
    }
    // A call of a moment ago is still known.
    let last = format!("11111111-1111-4111-8111-{:04}{:08}", 0, CALLS / THREADS - 1);
    assert_eq!(hook(&sandbox, "user-prompt-submit", &input(&sandbox, &last, ASK), &[]).stdout, "");
}

/// An agent that runs hooks of its own, which start an agent, and so on.
#[cfg(unix)]
#[test]
fn hooks_do_not_run_in_circles() {
    let sandbox = sandbox();
    let agent = sandbox.path("agent.sh");
    // Each call of the agent runs the hook first, then once more itself, one level deeper, as a worker of a hook would.
    let script = "echo agent >> \"$LOG\"\n\
                  said=$(\"$MEMDIR\" hook user-prompt-submit < \"$INPUT\")\n\
                  [ -n \"$said\" ] || exit 0\n\
                  MEMDIR_HOOK_DEPTH=$((${MEMDIR_HOOK_DEPTH:-0} + 1)) sh \"$0\"\n";
    fs::write(&agent, script).unwrap();
    let mut asked = input(&sandbox, "s", ASK);
    // Without a name for the conversation every call would have something to say.
    asked.as_object_mut().unwrap().remove("session_id");
    fs::write(sandbox.path("input.json"), asked.to_string()).unwrap();
    let mut command = std::process::Command::new("sh");
    command.arg(&agent).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", sandbox.path("home"));
    command.env("MEMDIR", crate::sandbox::binary()).env("MEMDIR_MEMORY_DIR", sandbox.memory());
    command.env("LOG", sandbox.path("log")).env("INPUT", sandbox.path("input.json"));
    let ran = Ran::of(command.output().unwrap());
    assert_eq!(ran, Ran { exit: Some(0), stdout: String::new(), stderr: String::new() });
    assert_eq!(fs::read_to_string(sandbox.path("log")).unwrap(), "agent\nagent\n");
}

#[test]
fn a_secret_in_prompt_or_environment_is_nowhere_afterwards() {
    // Put together here, so that nothing in this file looks like a key.
    let key = ["sk-ant-", "api03-", &"Zx9".repeat(30)].concat();
    let sandbox = sandbox();
    let env = [("RUST_LOG", "trace"), ("ANTHROPIC_API_KEY", key.as_str()), ("RUST_BACKTRACE", "1")];
    let prompt = format!("{ASK} with {key}");
    let mut said = Vec::new();
    let config = sandbox.path("home/.config/memdir/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    for text in ["", "recall = false\n", "memory_dir = {"] {
        fs::write(&config, text).unwrap();
        for moment in ["session-start", "user-prompt-submit"] {
            said.push(hook(&sandbox, moment, &input(&sandbox, "s1", &prompt), &env));
            // A name of a conversation is no place for it either, nor is what cannot be understood.
            said.push(hook(&sandbox, moment, &input(&sandbox, &prompt, ASK), &env));
            said.push(hook(&sandbox, moment, &json!([prompt]), &env));
        }
        for verb in ["why", "status", "check", "log", "path", "config", "list"] {
            for form in [&[verb][..], &[verb, "--json"]] {
                said.push(Ran::of(sandbox.command(form).envs(env).output().unwrap()));
            }
        }
    }
    for ran in &said {
        assert!(!format!("{ran:?}").contains(&key), "{ran:#?}");
    }
    assert!(said.iter().any(|ran| ran.stdout.contains("No mocks.")), "{said:#?}");
    let mut files = tree(&sandbox.path("home"));
    files.extend(tree(&sandbox.path("home/.local/state/memdir/.memdir")));
    files.extend(tree(&sandbox.memory().join(".memdir")));
    assert!(files.iter().filter(|(name, _)| name == "events.jsonl").count() == 2, "{files:?}");
    for (name, bytes) in files {
        assert!(!String::from_utf8_lossy(&bytes).contains(&key), "{name}");
    }
}

/// Runs a hook and then `why` where the disk of the memory directory is as `setup` leaves it.
fn why_on_a_disk(setup: &str) -> Option<Ran> {
    on_a_small_disk(&format!(
        r#"
        printf -- '---\nname: db\ndescription: the database\n---\n\nx\n' > "$MEMDIR_MEMORY_DIR/db.md"
        {setup}
        for moment in session-start user-prompt-submit; do
            printf '{{"session_id":"s1","cwd":"%s","source":"startup","prompt":"the database?"}}' "$PWD" > "$HOME/in"
            "$B" hook $moment < "$HOME/in" > "$HOME/out" && cat "$HOME/out"
        done
        "$B" why | grep -v when:
    "#
    ))
}

#[test]
fn on_a_full_disk_the_agent_is_left_alone_and_why_says_so() {
    let full = "dd if=/dev/zero of=\"$MEMDIR_MEMORY_DIR/filler\" bs=4k 2> /dev/null || :";
    let Some(ran) = why_on_a_disk(full) else { return };
    let expect = "{\"systemMessage\":\"memdir: no space left to write `.memdir/.gitignore`: No space left on device (os error 28)\\n  try: make room and try again; nothing was changed\"}\n\
        recall: silent, because what it does could not be noted in the memory directory: the disk is full\n  \
        try: make room on the disk: memdir notes there what it showed\n\
        session start: what it does could not be noted in the memory directory: the disk is full\n  \
        try: make room on the disk: memdir notes there what it showed\n";
    assert_eq!(ran, Ran { exit: Some(0), stdout: expect.to_owned(), stderr: String::new() });
}

#[test]
fn on_a_read_only_disk_the_agent_is_left_alone_and_why_says_so() {
    let Some(ran) = why_on_a_disk("mount -o remount,ro \"$MEMDIR_MEMORY_DIR\"") else { return };
    assert_eq!((ran.exit, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    let told = ran.stdout.split_once('\n').unwrap().1;
    let expect = "recall: silent, because what it does could not be noted in the memory directory: the file system is read-only\n  \
        try: put the memory on a disk that can be written: memdir notes there what it showed\n\
        session start: what it does could not be noted in the memory directory: the file system is read-only\n  \
        try: put the memory on a disk that can be written: memdir notes there what it showed\n";
    assert_eq!(told, expect, "{ran:#?}");
}

/// What a prompt waits for, as the system sees it.
#[cfg(target_os = "linux")]
#[test]
fn a_hook_takes_no_lock_reads_no_whole_tree_and_writes_one_line() {
    let sandbox = sandbox();
    for number in 0..300 {
        let text = format!("---\nname: n{number}\ndescription: berth {number}\n---\n\nx\n");
        sandbox.write(&format!("n{number}.md"), text);
    }
    hook(&sandbox, "session-start", &input(&sandbox, "s", ""), &[]);
    let asked = sandbox.path("asked.json");
    fs::write(&asked, input(&sandbox, "s", "which berth is n7?").to_string()).unwrap();
    let log = sandbox.path("strace");
    let calls = "trace=openat,openat2,open,write,flock,fcntl,fsync,fdatasync,rename,renameat,renameat2,\
                 mkdirat,unlinkat,clone,clone3,fork,vfork,execve";
    let mut command = std::process::Command::new("strace");
    command.args(["-f", "-qq", "-e", calls, "-o"]).arg(&log).arg(crate::sandbox::binary());
    command.args(["hook", "user-prompt-submit"]).stdin(fs::File::open(asked).unwrap());
    command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", sandbox.path("home"));
    command.env("MEMDIR_MEMORY_DIR", sandbox.memory()).current_dir(sandbox.path("project"));
    match command.output() {
        Ok(output) if output.status.success() => assert!(!output.stdout.is_empty()),
        other => {
            eprintln!("skipped: needs strace: it does not run here: {other:?}");
            return;
        }
    }
    let log = fs::read_to_string(log).unwrap();
    let count = |wanted: &dyn Fn(&str) -> bool| log.lines().filter(|line| wanted(line)).count();
    let calls = |name: &str| count(&|line| line.contains(&format!(" {name}(")));
    // The newest 200, and those that are shown once more in full.
    let opened = count(&|line| line.contains(".md\"") && line.contains("open"));
    assert!((200..=205).contains(&opened), "{opened} files opened");
    // The line and the answer.
    assert_eq!(calls("write"), 2, "{log}");
    for name in
        ["flock", "fsync", "fdatasync", "rename", "renameat", "renameat2", "mkdirat", "unlinkat"]
    {
        assert_eq!(calls(name), 0, "{name}: {log}");
    }
    assert_eq!(count(&|line| line.contains("F_SETLK") || line.contains("F_OFD_SETLK")), 0, "{log}");
    for name in ["clone", "clone3", "fork", "vfork"] {
        assert_eq!(calls(name), 0, "{name}: {log}");
    }
    assert_eq!(calls("execve"), 1, "{log}");
}
