//! libFuzzer on [`memdir_fuzz::transcript_tree`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::transcript_tree::check(data));
