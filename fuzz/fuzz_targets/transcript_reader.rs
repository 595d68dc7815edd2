//! libFuzzer on [`memdir_fuzz::transcript_reader`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| memdir_fuzz::transcript_reader::check(data));
