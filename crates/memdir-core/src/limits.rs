//! Every number with a meaning of its own: its unit, and where it comes from.
//!
//! A limit that callers may change is also a field of the `Options` that uses it; the constant here is its default.

/// Longest path of a memory, in bytes of UTF-8.
///
/// `PATH_MAX` of macOS is 1,024 and the smallest of the systems in use; the difference leaves room for a temporary name.
pub const MAX_PATH_BYTES: usize = 1_000;

/// Longest single name within a path, in bytes of UTF-8.
///
/// `NAME_MAX` of ext4, XFS, Btrfs and APFS; NTFS counts 255 UTF-16 units, which is never fewer.
pub const MAX_NAME_BYTES: usize = 255;

/// Lines of an index that go into a prompt.
///
/// From the descriptions of Claude Code's memory, and what that client does.
pub const INDEX_LINES: usize = 200;

/// Bytes of an index that go into a prompt; the `claude_code` preset counts the same number of UTF-16 units.
///
/// From the descriptions of Claude Code's memory, and what that client does.
pub const INDEX_BYTES: usize = 25_000;

/// Length over which an index line is called long, in Unicode scalar values.
///
/// The aim that prompt, save, warning and `check` all state: an index line is a pointer, detail belongs in the file.
pub const INDEX_LINE_CHARS: usize = 200;

/// Longest file name that [`name::file_name`](crate::name::file_name) makes, in bytes of UTF-8, ending included.
///
/// Ours: a name that still fits a terminal line, and far enough below [`MAX_NAME_BYTES`] for a suffix.
pub const FILE_NAME_BYTES: usize = 96;

/// Age from which a memory carries a caveat, in whole days.
///
/// What the client does on reading a file of its memory: none at 25 hours, one at 48.
pub const CAVEAT_DAYS: u64 = 2;

/// Longest text that is tried as a date, in bytes; the longest RFC 3339 form with nanoseconds and a zone name fits twice.
pub const MAX_DATE_BYTES: usize = 80;

/// Characters of a rejected name that an error message repeats, so that a message stays one readable line.
pub const SHOWN_NAME_CHARS: usize = 80;

/// Longest frontmatter block that is read, in bytes, fences included.
///
/// Ours: a hundred times what an agent writes, and little enough to be read in well under a millisecond.
pub const MAX_BLOCK_BYTES: usize = 64 * 1024;

/// Lines of a file that a scan reads at first; a longer block is read to its fence, with a note.
///
/// From the descriptions of Claude Code's memory.
pub const HEAD_LINES: usize = 30;

/// Depth to which brackets of one frontmatter value may nest.
///
/// Ours: no key of a memory needs more than one level.
pub const MAX_DEPTH: usize = 8;

/// Notes kept about one memory file; further ones are dropped.
///
/// Ours: a file with more faults than fit a screen needs a look as a whole.
pub const MAX_NOTES: usize = 32;

/// Characters of the first line left out that the warning under a cut index repeats.
///
/// Enough to find the line, as the client does with 80.
pub const WARNING_EXCERPT_CHARS: usize = 80;

/// Longest folder name of a project in the layout of Claude Code, in UTF-16 units, before a hash is appended.
///
/// What the client does.
pub const CLIENT_KEY_UNITS: usize = 200;

/// Longest folder name of a project in our own layout, in bytes of UTF-8.
///
/// Ours: readable in a terminal, and short enough for Windows, where a whole path may be limited to 260 characters.
pub const PROJECT_KEY_BYTES: usize = 64;

/// Longest path of a memory directory that a prompt repeats, in bytes before control characters are escaped.
///
/// `PATH_MAX` of Linux, the longest of the systems in use.
pub const DIRECTORY_BYTES: usize = 4_096;

/// Longest text of the memory instructions, in bytes, for a directory of up to 512 bytes.
///
/// Ours: about 2,000 tokens, paid in every conversation.
pub const INSTRUCTIONS_BYTES: usize = 8_192;

/// What [`prompt::memory_index`](crate::prompt::memory_index) adds to the index itself, in bytes, besides the directory
/// and the warning of a cut index.
///
/// Ours: room for the heading and one sentence.
pub const INDEX_FRAME_BYTES: usize = 256;

/// Memories that one call of [`prompt::framed`](crate::prompt::framed) renders.
///
/// Ours: four times what a recall returns.
pub const FRAMED_MEMORIES: usize = 20;

/// Text of one memory in its frame, in bytes before quoting.
///
/// Ours: what a recall may return in all by default; a recall cuts each to a quarter of it.
pub const FRAMED_BYTES: usize = 16_384;

/// Findings shown with one memory.
///
/// Ours: enough to distrust it.
pub const FRAMED_FINDINGS: usize = 8;

/// One reason, caveat or finding in a frame, in bytes.
///
/// Ours: a long sentence.
pub const FRAMED_REMARK_BYTES: usize = 400;
