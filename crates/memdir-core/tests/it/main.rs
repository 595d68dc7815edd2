//! Integration tests of `memdir-core`.

mod frontmatter;
mod mem_path;
mod names;
mod truncate;
