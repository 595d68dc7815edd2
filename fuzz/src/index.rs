//! The index: an edit of one memory's line leaves all other lines as they are.

use memdir_core::MemPath;
use memdir_core::index::{
    Action, Entry, check as audit, lines, neutral, remove, restore_line, upsert,
};
use memdir_core::name::file_name;

use crate::head_lines;

/// Takes lines of a title, a hook and a path, then an index.
pub fn check(data: &[u8]) {
    let input = String::from_utf8_lossy(data);
    let ([title, hook, path], text) = head_lines(&input);
    let path = &MemPath::parse(path).unwrap_or_else(|_| file_name(None, path));

    for (line, number) in lines(text).zip(1..) {
        assert!(line.number == number && !line.text.contains('\n'), "{line:?}");
    }
    for words in [title, hook, text] {
        let clean = neutral(words);
        assert!(!clean.contains(['\n', '\r', ']', '|']), "{clean:?}");
        assert_eq!(neutral(&clean), clean, "what is neutral stays as it is");
    }

    let entry = Entry { path, title, hook };
    let added = upsert(text, &entry);
    assert_eq!(others(&added.text, path), others(text, path), "upsert touches its own line only");
    assert!(points_to(&added.text, path), "{:?} has no line for {path}", added.text);
    let again = upsert(&added.text, &entry);
    assert_eq!((again.action, &again.text), (Action::Unchanged, &added.text), "done twice");

    let removed = remove(&added.text, path);
    assert!(!points_to(&removed.text, path), "{:?}", removed.text);
    assert_eq!(others(&removed.text, path), others(text, path), "remove touches its own line only");

    let restored = restore_line(&added.text, path, added.before.as_deref());
    assert_eq!(others(&restored.text, path), others(text, path), "undo touches its own line only");

    // One more index than there is, or the directory of a fuzzer would have no end.
    audit(text, std::slice::from_ref(path), |linked| (linked == path).then(|| text.to_owned()));
}

fn points_to(text: &str, path: &MemPath) -> bool {
    lines(text).any(|line| line.pointer.and_then(|pointer| pointer.path()).as_ref() == Some(path))
}

/// The lines that do not point to `path`; blank ones apart, since an added line may follow one.
fn others<'a>(text: &'a str, path: &MemPath) -> Vec<&'a str> {
    lines(text)
        .filter(|line| line.pointer.and_then(|pointer| pointer.path()).as_ref() != Some(path))
        .map(|line| line.text)
        .filter(|line| !line.trim().is_empty())
        .collect()
}
