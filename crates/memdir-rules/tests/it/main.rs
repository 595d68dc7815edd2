//! Rules from outside.

mod patterns;
