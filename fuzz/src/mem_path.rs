//! Paths: what parses stays inside whatever directory it is joined to.

use std::path::{Component, Path};

use memdir_core::MemPath;
use memdir_core::limits::{MAX_NAME_BYTES, MAX_PATH_BYTES};

/// Takes any bytes for the name of a memory.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let path = match MemPath::parse(&text) {
        Ok(path) => path,
        Err(fault) => {
            assert!(!fault.to_string().contains('\n'), "{fault:?}");
            return;
        }
    };
    assert!(path.as_str().len() <= MAX_PATH_BYTES, "{path:?}");
    let inside = |part| matches!(part, Component::Normal(_));
    assert!(Path::new(path.as_str()).components().all(inside), "{path:?}");
    for name in path.components() {
        assert!(!name.is_empty() && name.len() <= MAX_NAME_BYTES, "{path:?}");
        assert!(!name.starts_with('.') && !name.contains(['\\', ':', '\0']), "{path:?}");
    }
    assert_eq!(MemPath::parse(path.as_str()).as_ref(), Ok(&path), "parsing is done once");
    assert!(!path.twin_key().is_empty());
    assert_eq!(path.is_index(), path == MemPath::index());
}
