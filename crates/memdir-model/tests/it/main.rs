//! Tests of the port, its decorators and the budget.

mod budget;
mod decorators;
mod prefix;
mod redacted;
mod script;
