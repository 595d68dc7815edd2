//! libFuzzer on [`memdir_fuzz::frontmatter`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::frontmatter::check(data));
