//! One value of `config.toml` as what it should be, or an error that says what it should be and never what it is.

use std::path::Path;

use toml::{Table, Value};

use crate::error::CliError;

/// Dollars that a setting may name at most; more is a slip of the keyboard.
const MAX_DOLLARS: u64 = 1_000_000;
const MICROS: u64 = 1_000_000;

/// A value with the key that people know it by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) key: &'a str,
    pub(super) value: &'a Value,
    /// The file that it stands in.
    pub(super) path: &'a Path,
}

impl<'a> Item<'a> {
    pub(super) fn wrong(self, expected: &str) -> CliError {
        self.fault(format!("must be {expected}, not {}", self.value.type_str()))
    }

    /// An error about a value that is of the right kind and still none that can be used.
    pub(super) fn fault(self, clause: impl AsRef<str>) -> CliError {
        CliError::usage(format!("`{}` {}", self.key, clause.as_ref()))
            .at(self.path.display().to_string())
    }

    pub(super) fn text(self) -> Result<String, CliError> {
        self.value.as_str().map(str::to_owned).ok_or_else(|| self.wrong("a string"))
    }

    /// A text that is not blank.
    pub(super) fn name(self) -> Result<String, CliError> {
        let text = self.text()?;
        if text.trim().is_empty() { Err(self.fault("is empty")) } else { Ok(text) }
    }

    pub(super) fn flag(self) -> Result<bool, CliError> {
        self.value.as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    pub(super) fn list(self) -> Result<Vec<String>, CliError> {
        let wrong = || self.wrong("a list of strings");
        let items = self.value.as_array().ok_or_else(wrong)?;
        items
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect::<Option<_>>()
            .ok_or_else(wrong)
    }

    /// One of several words; `expected` names them.
    pub(super) fn word<T>(
        self,
        parse: impl Fn(&str) -> Option<T>,
        expected: &str,
    ) -> Result<T, CliError> {
        self.value.as_str().and_then(parse).ok_or_else(|| self.wrong(expected))
    }

    pub(super) fn count(self) -> Result<u64, CliError> {
        let count = self.value.as_integer().ok_or_else(|| self.wrong("a whole number"))?;
        u64::try_from(count).map_err(|_| self.fault("must not be negative"))
    }

    /// Dollars, in millionths.
    pub(super) fn dollars(self) -> Result<u64, CliError> {
        let out_of_range = || self.fault(format!("must be between 0 and {MAX_DOLLARS}"));
        if let Some(whole) = self.value.as_integer() {
            let dollars = u64::try_from(whole).ok().filter(|dollars| *dollars <= MAX_DOLLARS);
            return Ok(dollars.ok_or_else(out_of_range)? * MICROS);
        }
        let dollars = self.value.as_float().ok_or_else(|| self.wrong("a number of dollars"))?;
        if !(0.0..=1e6).contains(&dollars) {
            return Err(out_of_range());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 10^12")]
        let micros = (dollars * 1e6).round() as u64;
        Ok(micros)
    }

    pub(super) fn table(self) -> Result<&'a Table, CliError> {
        self.value.as_table().ok_or_else(|| self.wrong("a table"))
    }

    /// The warning about a key that nobody reads; `known` are those that somebody does.
    pub(super) fn unknown<'k>(self, known: impl IntoIterator<Item = &'k str>) -> CliError {
        let known: Vec<_> = known.into_iter().collect();
        CliError::warning(format!("the key `{}` is unknown and was ignored", self.key))
            .at(self.path.display().to_string())
            .hint(format!("known keys: {}", known.join(", ")))
    }
}
