//! Tests of the guard from outside.

mod samples;
