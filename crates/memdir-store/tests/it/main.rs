//! Integration tests of `memdir-store`.
