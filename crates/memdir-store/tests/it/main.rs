//! Integration tests of `memdir-store`.

mod location;
