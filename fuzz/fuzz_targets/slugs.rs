//! libFuzzer on [`memdir_fuzz::slugs`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::slugs::check(data));
