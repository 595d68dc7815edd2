//! Tests of the guard from outside.

mod orders;
mod samples;
