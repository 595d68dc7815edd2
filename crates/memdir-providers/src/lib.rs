#![doc = include_str!("../README.md")]

#[cfg(feature = "anthropic")]
mod anthropic;
#[cfg(feature = "command")]
mod command;
#[cfg(any(feature = "anthropic", feature = "openai"))]
mod conversation;
#[cfg(any(feature = "anthropic", feature = "openai"))]
mod form;
#[cfg(any(feature = "anthropic", feature = "openai"))]
mod http;
#[cfg(any(feature = "anthropic", feature = "openai", feature = "command"))]
mod key;
pub mod limits;
#[cfg(feature = "openai")]
mod openai;
#[cfg(any(feature = "anthropic", feature = "openai"))]
mod options;
#[cfg(any(feature = "anthropic", feature = "openai", feature = "command"))]
mod told;

#[cfg(feature = "anthropic")]
pub use anthropic::Anthropic;
#[cfg(feature = "command")]
pub use command::{Command, HOOK_DEPTH};
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub use form::Form;
#[cfg(any(feature = "anthropic", feature = "openai", feature = "command"))]
pub use key::Key;
#[cfg(feature = "openai")]
pub use openai::OpenAi;
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub use options::Options;
