//! Real processes that write to one file at once, and one that is killed while it writes.

#![expect(clippy::disallowed_methods, reason = "the tests start processes and look at files")]

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::session::uuids;

/// The example that appends, which is built beside the tests.
fn writer(file: &Path, name: &str, count: u32) -> Child {
    let test = std::env::current_exe().expect("the test has a path");
    let folder = test.parent().and_then(Path::parent).expect("it is in a folder of cargo's");
    let example = folder.join("examples").join(format!("append{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(&example);
    command.arg(file).args([name, &count.to_string()]).stdout(Stdio::piped());
    command.spawn().unwrap_or_else(|error| panic!("{}: {error}", example.display()))
}

/// A file of this test's own.
fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{name}-{}.jsonl", std::process::id()));
    drop(std::fs::remove_file(&path));
    path
}

/// The lines that a writer said are there.
fn acknowledged(mut child: Child) -> Vec<String> {
    let mut said = String::new();
    child.stdout.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
    child.wait().expect("it was started");
    // The last one may have been cut off with its writer.
    let whole = said.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().map(str::to_owned).collect()
}

fn read(path: &Path) -> Vec<String> {
    uuids(&std::fs::read(path).expect("it was written"))
}

#[test]
fn of_two_writers_at_once_each_line_is_there_once() {
    let file = place("two");
    let writers = [writer(&file, "a", 300), writer(&file, "b", 300)];
    let said: Vec<_> = writers.into_iter().flat_map(acknowledged).collect();
    let found = read(&file);
    assert_eq!((said.len(), found.len()), (600, 600));
    assert_eq!(found.iter().collect::<BTreeSet<_>>(), said.iter().collect());
    std::fs::remove_file(file).expect("it is ours");
}

/// One writer is killed again and again, another goes on; after a fragment in the middle the next one begins a new line.
#[test]
fn what_a_killed_writer_said_is_there_and_what_follows_too() {
    let file = place("killed");
    let steady = writer(&file, "steady", 200);
    let mut said = Vec::new();
    for round in 0..10 {
        let mut killed = writer(&file, &format!("k{round}"), u32::MAX);
        let mut first = [0; 64];
        let pipe = killed.stdout.as_mut().expect("it is piped");
        pipe.read_exact(&mut first).expect("it writes until it is killed");
        killed.kill().expect("it runs");
        let head = String::from_utf8(first.to_vec()).expect("it is text");
        let mut rest = acknowledged(killed);
        // The seam between what was read before and after the kill.
        let mut lines: Vec<_> = head.lines().map(str::to_owned).collect();
        lines.pop();
        if !rest.is_empty() {
            rest.remove(0);
        }
        said.extend(lines);
        said.extend(rest);
        // A kill seldom hits the middle of a write, so a torn line is left as it would be.
        let mut torn = std::fs::File::options().append(true).open(&file).expect("it was written");
        std::io::Write::write_all(&mut torn, b"{\"type\":\"user\",\"uu").expect("there is room");
    }
    said.extend(acknowledged(steady));
    said.extend(acknowledged(writer(&file, "last", 1)));
    let found: BTreeSet<_> = read(&file).into_iter().collect();
    let lost: Vec<_> = said.iter().filter(|line| !found.contains(*line)).collect();
    assert_eq!(lost, [""; 0]);
    std::fs::remove_file(file).expect("it is ours");
}
