//! Rules from outside.
#![cfg(test)]
#![expect(clippy::disallowed_methods, reason = "tests lay out files")]

mod cases;
mod clients;
mod escapes;
mod layouts;
mod patterns;
mod props;
mod real;

use std::path::Path;

use memdir_rules::{Loaded, Session, Setup};
use memdir_store::files::{Files, InMemoryFiles};

/// Files by path and text; a text `-> x` is a link to `x`.
fn files(all: &[(&str, &str)]) -> InMemoryFiles {
    all.iter().fold(InMemoryFiles::new(), |files, (path, text)| match text.strip_prefix("-> ") {
        Some(target) => files.link(*path, target),
        None => files.file(*path, *text),
    })
}

/// The project `/w/p` of a user whose folder is `/h/.claude`.
fn setup() -> Setup {
    let mut setup = Setup::new("/w/p", "/w/p");
    setup.home = Some("/h".into());
    setup.user = Some("/h/.claude".into());
    setup
}

/// Path, word for the reason and text of each fragment; then the notes.
fn shown(loaded: &Loaded) -> Vec<String> {
    let fragments = loaded.fragments.iter().map(|it| {
        let text = it.text.replace('\n', "|");
        format!("{} {} {} {text}", it.path.display(), it.scope, it.reason.as_str())
    });
    fragments.chain(loaded.notes.iter().map(ToString::to_string)).collect()
}

/// What a context has after it began and these files came into play.
fn steps<F: Files>(files: F, setup: Setup, touched: &[&str]) -> Vec<String> {
    let mut session = Session::new(files, setup);
    let mut all = shown(&session.start());
    for file in touched {
        all.push(format!("+ {file}"));
        all.extend(shown(&session.touch(&[Path::new(file)])));
    }
    all
}

fn check(all: &[(&str, &str)], touched: &[&str], expect: &[&str]) {
    assert_eq!(steps(files(all), setup(), touched), expect);
}
