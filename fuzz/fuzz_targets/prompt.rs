//! libFuzzer on [`memdir_fuzz::prompt`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::prompt::check(data));
