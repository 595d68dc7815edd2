//! Frontmatter: nothing is lost in reading, an edit changes what it names, writing reads back.

use memdir_core::MemoryType;
use memdir_core::frontmatter::{
    Edit, Field, Key, NewMemory, block_end, decode, edit, parse, render,
};
use memdir_core::limits::{MAX_BLOCK_BYTES, MAX_NOTES};

/// A value that is unlike any default and needs quoting.
const NEW_DESCRIPTION: &str = "what: it is # \"now\"";

/// Takes any bytes for a memory file.
pub fn check(data: &[u8]) {
    let (text, _) = decode(data);
    let parsed = parse(&text);
    assert_eq!(format!("{}{}", parsed.block, parsed.body), text, "block and body are the file");
    assert!(parsed.notes.len() <= MAX_NOTES, "{} notes", parsed.notes.len());
    for note in &parsed.notes {
        assert!(note.line >= 1 && !note.to_string().contains('\n'), "{note:?}");
    }
    // Any prefix may be all that was read of a file.
    block_end(data);

    let set = [Edit::Set(Field::Description(NEW_DESCRIPTION))];
    if let Ok(edited) = edit(&text, &set) {
        let after = parse(&edited);
        assert_eq!(after.fields.description.as_deref(), Some(NEW_DESCRIPTION), "{edited:?}");
        assert_eq!(after.body, parsed.body, "an edit leaves the body alone");
        let mut others = after.fields.clone();
        others.description.clone_from(&parsed.fields.description);
        assert_eq!(others, parsed.fields, "an edit leaves the other keys alone");
        assert_eq!(edit(&edited, &set).as_ref(), Ok(&edited), "an edit done twice is done once");
        if let Ok(removed) = edit(&edited, &[Edit::Remove(Key::Description)]) {
            assert_eq!(parse(&removed).fields.description, None, "{removed:?}");
        }
    }

    if text.len() < MAX_BLOCK_BYTES / 16 {
        let written = render(&NewMemory::new(&text, &text, Some(MemoryType::Project), &text));
        let read = parse(&written);
        assert_eq!(read.fields.kind, Some(MemoryType::Project), "{written:?}");
        assert_eq!(read.body, text, "the body is kept byte for byte");
        // What is empty reads as absent.
        let went_in = Some(text.as_ref()).filter(|text| !text.is_empty());
        assert_eq!(read.fields.name.as_deref(), went_in, "{written:?}");
        assert_eq!(read.fields.description.as_deref(), went_in, "{written:?}");
    }
}
