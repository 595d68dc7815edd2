//! Integration tests of `memdir-core`.

mod frontmatter;
mod index;
mod index_audit;
mod mem_path;
mod names;
mod truncate;
