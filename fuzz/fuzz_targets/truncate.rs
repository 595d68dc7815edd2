//! libFuzzer on [`memdir_fuzz::truncate`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::truncate::check(data));
