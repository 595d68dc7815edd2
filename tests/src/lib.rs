//! End-to-end tests of the `memdir` command; the tests are in `it/`.
