//! End-to-end tests of the `memdir` command.
