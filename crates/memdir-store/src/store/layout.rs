//! Names and paths of the store's private and temporary files.

use crate::Error;

pub(crate) const PRIVATE: &str = ".memdir";
pub(crate) const IGNORE: &str = ".memdir/.gitignore";
pub(crate) const LOCK: &str = ".memdir/lock";
pub(crate) const JOURNAL: &str = ".memdir/journal";
pub(crate) const OBJECTS: &str = ".memdir/objects";
pub(crate) const HEADS: &str = ".memdir/heads.json";
pub(crate) const STATE: &str = ".memdir/state";
pub(crate) const TRAIL: &str = ".memdir/events.jsonl";
pub(crate) const OLD_TRAIL: &str = ".memdir/events.old.jsonl";

const TEMP_START: &str = ".memdir-";
const TEMP_END: &str = ".tmp";

/// Returns the name of a temporary file in `folder`.
pub(crate) fn temp_in(folder: &str, random: [u8; 16]) -> String {
    let name = format!("{TEMP_START}{:032x}{TEMP_END}", u128::from_be_bytes(random));
    join(folder, &name)
}

/// Tells whether a plain name is one that [`temp_in`] makes.
pub(crate) fn is_temp(name: &str) -> bool {
    let digits = name.strip_prefix(TEMP_START).and_then(|rest| rest.strip_suffix(TEMP_END));
    digits.is_some_and(|digits| {
        digits.len() == 32 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Returns the path of `name` in `folder`.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Returns the folder of a path, the empty path for the directory itself.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the folder of a path and those above it, innermost first, the directory itself last.
pub(crate) fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('/').map(|(end, _)| end).rev();
    ends.filter_map(|end| path.get(..end)).chain([""])
}

/// Refuses a version of a private file that this program does not know.
pub(crate) fn check_version(path: &str, version: u64) -> Result<(), Error> {
    if version > VERSION {
        return Err(Error::NewerFormat { path: path.to_owned(), version });
    }
    Ok(())
}

/// The version of journal and heads that this program writes.
pub(crate) const VERSION: u64 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_its_own_temporary_names_and_no_others() {
        let temp = temp_in("a/b", [0xab; 16]);
        assert_eq!(temp, "a/b/.memdir-abababababababababababababababab.tmp");
        assert!(is_temp(".memdir-abababababababababababababababab.tmp"));
        for other in
            [".memdir", ".memdir-.tmp", ".memdir-ABABABABABABABABABABABABABABABAB.tmp", "x.tmp"]
        {
            assert!(!is_temp(other), "{other}");
        }
    }

    #[test]
    fn goes_up_to_the_directory_itself() {
        assert_eq!(folders_of("a/b/c.md").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(folders_of("c.md").collect::<Vec<_>>(), [""]);
    }
}
