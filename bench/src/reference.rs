//! Programs that do the least that a job needs, to measure against.
//!
//! They know one layout and trust their input; nothing but the bench should use them.

pub mod prefix;
pub mod save;
pub mod scan;
pub mod transcript;
