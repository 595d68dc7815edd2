//! Whatever stands in files and names, loading ends with a value.

use std::path::Path;

use memdir_rules::{Client, Session, check, limits, render};
use memdir_store::files::InMemoryFiles;
use proptest::prelude::*;

use crate::setup;

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "\\PC{0,20}",
        1 => Just("---\n".to_owned()),
        1 => Just("paths: [\"*.rs\", {a,b}]\n".to_owned()),
        1 => Just("@a.md @b.md @../x.md\n".to_owned()),
        1 => Just("<!-- @c.md".to_owned()),
        1 => Just("-->\n".to_owned()),
        1 => Just("```\n".to_owned()),
        1 => "[@`<>*_\\[\\]#\\\\ ~./-]{0,12}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_files_load_and_render_within_the_limits(
        texts in prop::collection::vec(text(), 6), client in prop::sample::select(Client::ALL.to_vec()), file in "\\PC{0,20}",
    ) {
        let names = [
            "CLAUDE.md", "AGENTS.md", "a.md", "b.md", ".claude/rules/r.md", ".cursor/rules/r.mdc",
        ];
        let files = names.iter().zip(&texts).fold(InMemoryFiles::new(), |files, (name, text)| {
            files.file(Path::new("/w/p").join(name), text.as_str())
        });
        let mut setup = setup();
        setup.client = client;
        let mut session = Session::new(&files, setup.clone());
        let mut loaded = session.start();
        loaded.fragments.extend(session.touch(&[&file]).fragments);
        let mut paths: Vec<_> = loaded.fragments.iter().map(|it| it.path.clone()).collect();
        paths.sort();
        let count = paths.len();
        paths.dedup();
        prop_assert_eq!(paths.len(), count, "each once");
        prop_assert!(paths.iter().all(|path| path.starts_with("/w/p")));
        prop_assert!(render(&loaded.fragments).len() <= limits::RENDERED_BYTES);
        check(&files, &setup);
    }
}
