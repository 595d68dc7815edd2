//! What a hostile memory directory cannot make the command do: security-01, cli-01, threat 29.

use std::fs;

use crate::sandbox::{Ran, Sandbox, tree};

/// cli-01: the command lists and forgets without showing what a memory says.
#[test]
fn lists_and_forgets_without_reading_out_the_content() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", "- [T](tripwire.md) - UNSAFE-HOOK\n- [U](trip.md) - ok\n");
    sandbox.write(
        "tripwire.md",
        "---\nname: tripwire\ndescription: UNSAFE-DESCRIPTION\ntype: project\n---\n\nUNSAFE-BODY\n",
    );
    sandbox.write("trip.md", "---\nname: trip\ndescription: ok\ntype: user\n---\n\nx\n");
    let ambiguous = sandbox.run(["forget", "tri"]);
    assert_eq!(ambiguous.exit, Some(2), "{ambiguous:#?}");
    let outputs = [
        sandbox.run(["list", "--no-description"]),
        sandbox.run(["list", "--json"]),
        sandbox.run(["forget", "tripw", "--dry-run"]),
        sandbox.run(["forget", "tripwire.md"]),
    ];
    for ran in outputs.iter().chain([&ambiguous]) {
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!said.contains("UNSAFE"), "{said}");
        assert!(said.contains("tripwire"), "{said}");
    }
    assert!(
        ambiguous.stderr.contains("trip.md") && ambiguous.stderr.contains("tripwire.md"),
        "{ambiguous:#?}"
    );
    assert_eq!(
        fs::read_to_string(sandbox.memory().join("MEMORY.md")).unwrap(),
        "- [U](trip.md) - ok\n"
    );
    sandbox.run(["forget", "1"]).quietly();
    assert_eq!(
        sandbox.run(["list"]),
        Ran { exit: Some(0), stdout: String::new(), stderr: String::new() }
    );
}

/// security-01: links out of the directory are neither read nor written through.
#[cfg(unix)]
#[test]
fn links_lead_neither_reads_nor_writes_out_of_the_directory() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    let (memory, out) = (sandbox.memory(), sandbox.path("out"));
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("id"), "TOPSECRET\n").unwrap();
    sandbox.write("real.md", "---\nname: real\ndescription: real\ntype: user\n---\n\nx\n");
    let links =
        [("leak.md", out.join("id")), ("dir", out.clone()), ("inside.md", "real.md".into())];
    let temps = ["real.md.tmp", ".real.md.tmp", "real.md~"].map(|name| (name, out.join("id")));
    for (name, target) in links.into_iter().chain(temps) {
        symlink(target, memory.join(name)).unwrap();
    }
    fs::hard_link(out.join("id"), memory.join("hard.md")).unwrap();
    let outside = tree(&out);
    let save = |file: &str| {
        sandbox.run([
            "save",
            "--type",
            "user",
            "--name",
            "n",
            "--description",
            "d",
            "--body",
            "b",
            "--file",
            file,
        ])
    };
    let refused = [
        save("leak.md"),
        save("dir/x.md"),
        sandbox.run(["edit", "leak.md", "--description", "d"]),
        sandbox.run(["show", "leak.md"]),
        sandbox.run(["show", "dir/id"]),
        sandbox.run(["forget", "dir/id"]),
        sandbox.run(["forget", "dir/id.md"]),
    ];
    for ran in &refused {
        assert!(matches!(ran.exit, Some(1..=4)), "{ran:#?}");
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("TOPSECRET"), "{ran:#?}");
    }
    for args in [
        &["list"][..],
        &["list", "--json", "--full"],
        &["check"],
        &["status"],
        &["recall", "TOPSECRET"],
    ] {
        let ran = sandbox.run(args);
        let quotes_the_query = args.first() == Some(&"recall");
        assert!(
            quotes_the_query || !format!("{}{}", ran.stdout, ran.stderr).contains("TOPSECRET"),
            "{ran:#?}"
        );
    }
    assert!(sandbox.run(["show", "inside.md"]).quietly().stdout.ends_with("\nx\n"));
    sandbox.run(["edit", "real.md", "--description", "new"]).quietly();
    assert!(fs::symlink_metadata(memory.join("real.md.tmp")).unwrap().is_symlink());
    assert_eq!(tree(&out), outside);
}

/// security-01: an index that is a link out of the directory is neither loaded nor edited.
#[cfg(unix)]
#[test]
fn an_index_that_leads_out_is_neither_loaded_nor_edited() {
    let sandbox = Sandbox::new();
    let secret = sandbox.path("id");
    fs::write(&secret, "TOPSECRET\n").unwrap();
    fs::create_dir_all(sandbox.memory()).unwrap();
    std::os::unix::fs::symlink(&secret, sandbox.memory().join("MEMORY.md")).unwrap();
    let save = ["save", "--type", "user", "--name", "n", "--description", "d", "--body", "b"];
    let refused = 3;
    // What an agent is told goes on without the index, and says so.
    let runs: [(&[&str], i32); 4] =
        [(&save, refused), (&["prompt"], 0), (&["context", "q"], 0), (&["check", "--fix"], 1)];
    for (args, exit) in runs {
        let ran = sandbox.run(args);
        assert_eq!(ran.exit, Some(exit), "{args:?} {ran:#?}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains("a link that leads out"), "{args:?} {ran:#?}");
        assert!(!said.contains("TOPSECRET"), "{ran:#?}");
    }
    assert_eq!(fs::read_to_string(&secret).unwrap(), "TOPSECRET\n");
    assert_eq!(tree(&sandbox.memory()).len(), 1);
}

/// Threat 29: whatever a memory says, the terminal is told nothing but text.
#[test]
fn no_output_holds_anything_that_a_terminal_obeys() {
    let sandbox = Sandbox::new();
    let evil = "\u{1b}]8;;http://x\u{7}\u{1b}[2Jone\rtwo\u{9b}31m\u{202e}\u{8}";
    sandbox.write(
        "evil.md",
        format!("---\nname: \"evil {evil}\"\ndescription: evil {evil}\ntype: \"user{evil}\"\n---\n\nbody {evil}\n"),
    );
    sandbox.write(
        "MEMORY.md",
        format!("- [evil {evil}](evil.md) — {evil}\n- [gone {evil}](gone{evil}.md)\n"),
    );
    let commands: [&[&str]; 13] = [
        &["list"],
        &["list", "--json", "--full"],
        &["show", "evil.md"],
        &["show", "evil.md", "--json"],
        &["show", evil],
        &["recall", "evil", "--explain"],
        &["recall", "evil", "--json"],
        &["prompt"],
        &["context", "evil"],
        &["check"],
        &["check", "--json"],
        &["status"],
        &["forget", "evil.md"],
    ];
    for args in commands {
        let ran = sandbox.run(args);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        let obeyed: Vec<_> = said
            .chars()
            .filter(|c| {
                (c.is_control() && !matches!(c, '\n' | '\t'))
                    || matches!(c, '\u{202a}'..='\u{202e}')
            })
            .collect();
        assert_eq!(obeyed, [' '; 0], "{args:?}: {said:?}");
    }
}
