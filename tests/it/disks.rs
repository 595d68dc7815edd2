//! Disks that are full or read-only, mounted for the test alone: threats 46 and 47. Needs root, or user namespaces.

use std::process::Command;

use crate::sandbox::{Ran, Sandbox, binary};

/// What the script ends with where it cannot mount.
const NO_MOUNT: i32 = 99;

/// Runs a script with a small disk of its own mounted on the memory directory; `$B` is the command.
pub(crate) fn on_a_small_disk(script: &str) -> Option<Ran> {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.memory()).unwrap();
    let mount = format!(
        "mount -t tmpfs -o size=256k,mode=700 tmpfs \"$MEMDIR_MEMORY_DIR\" || exit {NO_MOUNT}\n"
    );
    let mut command = Command::new("unshare");
    command.args(["--mount", "--propagation", "private", "bash", "-c", &(mount + script)]);
    command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("B", binary());
    command.env("HOME", sandbox.path("home")).env("MEMDIR_MEMORY_DIR", sandbox.memory());
    let ran = command.current_dir(sandbox.path("project")).output().map(Ran::of).ok();
    match ran {
        Some(ran) if ran.exit == Some(0) => Some(ran),
        Some(ran) if ran.exit != Some(NO_MOUNT) && !ran.stderr.starts_with("unshare:") => {
            panic!("{ran:#?}")
        }
        Some(_) | None => {
            eprintln!("skipped: needs mount: a disk of the test's own");
            None
        }
    }
}

#[test]
fn on_a_full_disk_a_save_says_so_and_leaves_nothing_behind() {
    let script = r#"
        cd "$MEMDIR_MEMORY_DIR"
        "$B" save --type user --name first --description d --body b > /dev/null
        before=$(cat MEMORY.md user_first.md)
        dd if=/dev/zero of=filler bs=4k 2> /dev/null
        head -c 30000 /dev/zero | tr '\0' x | "$B" save --type user --name second --description d
        echo "exit $?"
        [ "$before" = "$(cat MEMORY.md user_first.md)" ] && echo same
        ls -A
        rm filler
        "$B" save --type user --name second --description d --body b > /dev/null && "$B" check && echo goes on
    "#;
    let Some(ran) = on_a_small_disk(script) else { return };
    assert_eq!(
        ran.stdout, "exit 4\nsame\n.memdir\nMEMORY.md\nfiller\nuser_first.md\ngoes on\n",
        "{ran:#?}"
    );
    assert!(ran.stderr.contains("no space left"), "{ran:#?}");
}

#[test]
fn on_a_read_only_disk_reading_goes_on() {
    let script = r#"
        "$B" save --type user --name first --description d --body b > /dev/null
        mount -o remount,ro "$MEMDIR_MEMORY_DIR"
        for verb in list "show first" "recall first" check status log prompt "context first"; do
            "$B" $verb > /dev/null || echo "$verb failed"
        done
        "$B" save --type user --name second --description d --body b
        echo "exit $?"
    "#;
    let Some(ran) = on_a_small_disk(script) else { return };
    assert_eq!(ran.stdout, "exit 4\n", "{ran:#?}");
    assert!(ran.stderr.contains("read-only"), "{ran:#?}");
}
