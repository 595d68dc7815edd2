#![doc = include_str!("../README.md")]
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    reason = "the bench makes its inputs, starts the programs it measures and reads the clocks"
)]

pub mod input;
pub mod job;
pub mod measure;
pub mod ours;
pub mod probe;
pub mod recall;
pub mod reference;
pub mod run;
pub mod strace;
pub mod table;
