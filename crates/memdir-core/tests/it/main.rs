//! Integration tests of `memdir-core`.
