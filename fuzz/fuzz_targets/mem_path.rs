//! libFuzzer on [`memdir_fuzz::mem_path`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::mem_path::check(data));
