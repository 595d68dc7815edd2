//! Prompts: recalled text cannot close its frame, open another, or speak outside of one.

use memdir_core::MemPath;
use memdir_core::prompt::{Framed, framed, parse_frames};

use crate::head_lines;

/// Takes a line of reasons, then the text of a memory.
pub fn check(data: &[u8]) {
    let input = String::from_utf8_lossy(data);
    let ([why], content) = head_lines(&input);
    let (first, second) = (MemPath::index(), memdir_core::name::file_name(None, why));
    let mut hostile = Framed::new(&first, content);
    hostile.why = Some(why);
    hostile.caveat = Some(why);
    let memories = [hostile, Framed::new(&second, "the next one")];

    let frames = parse_frames(&framed(&memories));
    let paths: Vec<&str> = frames.iter().map(|frame| frame.path.as_str()).collect();
    assert_eq!(paths, [first.as_str(), second.as_str()], "one frame for each memory");
    assert_eq!(frames.last().map(|frame| frame.content.trim()), Some("the next one"));
}
