//! Integration tests of `memdir-core`.

mod age;
mod frontmatter;
mod index;
mod index_audit;
mod mem_path;
mod names;
mod prompt;
mod text;
mod truncate;
