//! The input of a call, which may be anything.

use serde_json::{Map, Value};

use crate::Denial;

/// The fields of an input; `null` counts as absent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'a>(&'a Map<String, Value>);

impl<'a> Input<'a> {
    pub(crate) fn new(input: &'a Value) -> Result<Self, Denial> {
        let fields = input.as_object();
        fields.map(Self).ok_or(Denial::Input { field: "input", expected: "an object" })
    }

    pub(crate) fn text(self, field: &'static str) -> Result<&'a str, Denial> {
        self.optional(field)?.ok_or(Denial::Input { field, expected: "a text" })
    }

    pub(crate) fn optional(self, field: &'static str) -> Result<Option<&'a str>, Denial> {
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Denial::Input { field, expected: "a text" }),
        }
    }

    pub(crate) fn number(self, field: &'static str) -> Result<Option<usize>, Denial> {
        let expected = "a number from 0 up";
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
                number.map(Some).ok_or(Denial::Input { field, expected })
            }
        }
    }

    pub(crate) fn flag(self, field: &'static str) -> Result<bool, Denial> {
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(false),
            Some(value) => {
                value.as_bool().ok_or(Denial::Input { field, expected: "true or false" })
            }
        }
    }
}
