//! libFuzzer on [`memdir_fuzz::guard`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::guard::check(data));
