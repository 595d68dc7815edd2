//! Integration tests of `memdir-recall`.
