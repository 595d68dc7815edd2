//! libFuzzer on [`memdir_fuzz::plan`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::plan::check(data));
