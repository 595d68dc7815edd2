//! libFuzzer on [`memdir_fuzz::rules`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::rules::check(data));
