//! Other programs.
