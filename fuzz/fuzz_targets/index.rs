//! libFuzzer on [`memdir_fuzz::index`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::index::check(data));
