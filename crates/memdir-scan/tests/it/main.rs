//! Integration tests of `memdir-scan`.
