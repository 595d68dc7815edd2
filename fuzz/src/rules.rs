//! Rules: whatever stands in files, patterns and names, loading ends with each file once and nothing from outside.

use memdir_rules::pattern::Patterns;
use memdir_rules::{Client, Session, Setup, check as check_rules, limits, render};
use memdir_store::files::InMemoryFiles;

/// Takes the client from the first byte, and five texts that NUL bytes part: three files, a rule and a path.
pub fn check(data: &[u8]) {
    let (client, data) = data.split_first().unwrap_or((&0, &[]));
    let client = Client::ALL[usize::from(*client) % Client::ALL.len()];
    let mut texts = data.split(|byte| *byte == 0).map(<[u8]>::to_vec);
    let mut next = || texts.next().unwrap_or_default();
    let files = ["CLAUDE.md", "AGENTS.md", "a.md", ".claude/rules/r.md"]
        .into_iter()
        .fold(InMemoryFiles::new(), |files, name| files.file(format!("/w/p/{name}"), next()))
        .file("/w/secret.md", "SECRET");
    let path = String::from_utf8_lossy(&next()).into_owned();

    let mut setup = Setup::new("/w/p", "/w/p");
    setup.client = client;
    let mut session = Session::new(&files, setup.clone());
    let mut fragments = session.start().fragments;
    fragments.extend(session.touch(&[&path]).fragments);
    let mut paths: Vec<_> = fragments.iter().map(|it| it.path.clone()).collect();
    assert!(paths.iter().all(|path| path.starts_with("/w/p")), "{paths:?}");
    let count = paths.len();
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), count, "each file once");
    assert!(render(&fragments).len() <= limits::RENDERED_BYTES);
    check_rules(&files, &setup);

    let patterns = Patterns::new([[&path]]);
    assert!(patterns.pass().hits(&path).len() <= 1);
}
