//! Names for new memories and keys for projects: always usable, whatever they are made of.

use memdir_core::limits::FILE_NAME_BYTES;
use memdir_core::name::{file_name, slug};
use memdir_core::{MemPath, MemoryType, project_key};

/// Takes any bytes for what a memory is called, and for the path of a project.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for kind in MemoryType::ALL.into_iter().map(Some).chain([None]) {
        let path = file_name(kind, &text);
        assert!(path.as_str().len() <= FILE_NAME_BYTES, "{path:?}");
        assert!(path.is_markdown() && path.parent().is_none() && !path.is_index(), "{path:?}");
        assert_eq!(path, file_name(kind, &text), "one name, one file");
    }
    let slug_of = slug(&text);
    assert_eq!(slug(&slug_of), slug_of, "a slug is its own slug");

    let key = project_key::memdir(&text);
    assert!(MemPath::parse(&key).is_ok_and(|path| path.parent().is_none()), "{key:?}");
    let client = project_key::claude_code(&text);
    assert!(client.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{client:?}");
}
