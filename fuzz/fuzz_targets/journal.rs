//! libFuzzer on [`memdir_fuzz::journal`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::journal::check(data));
