//! Tests of the guard from outside.

mod orders;
mod properties;
mod samples;
mod workspace;
