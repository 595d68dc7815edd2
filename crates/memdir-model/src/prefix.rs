//! Going on from the request of another conversation.

use std::fmt;

use memdir_guard::Finding;
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

/// The body of a request that a host sent to its model, for a request that shares everything up to the end of its messages byte for byte.
///
/// Providers read such a beginning from what they kept of the first request, at a tenth of its price. So nothing in it is
/// reordered, reformatted or left out; only `stream` is, which no provider counts.
///
/// ```
/// use memdir_model::Prefix;
///
/// let parent = r#"{"model":"m","system":"s","messages":[{"role":"user","content":"hi"}],"max_tokens":9}"#;
/// let prefix = Prefix::parse(parent)?;
/// let fork = prefix.body([r#"{"role":"assistant","content":"ho"}"#]);
/// assert!(fork.starts_with(parent.trim_end_matches(r#"],"max_tokens":9}"#)));
/// # Ok::<(), memdir_model::PrefixFault>(())
/// ```
#[derive(Debug, Clone)]
pub struct Prefix {
    /// All fields but `stream`, in their order, with their text.
    fields: Vec<(String, Box<RawValue>)>,
    /// The text of `messages` without its closing bracket.
    messages: String,
    has_messages: bool,
    model: String,
    tools: Vec<String>,
    max_tokens: Option<u32>,
}

/// Why a text is not the body of a request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrefixFault {
    /// It is no JSON object.
    #[error("it is no JSON object")]
    NotJson(#[source] serde_json::Error),
    /// A field is absent or not what it must be.
    #[error("its field `{field}` is not {expected}")]
    Field {
        /// The field.
        field: &'static str,
        /// What it must be.
        expected: &'static str,
    },
}

impl Prefix {
    /// Reads the body of a request, of the Messages API or of chat completions.
    ///
    /// # Errors
    ///
    /// When it is no JSON object, or has no `model` and no array of `messages`.
    pub fn parse(body: &str) -> Result<Self, PrefixFault> {
        let Fields(mut fields) = serde_json::from_str(body).map_err(PrefixFault::NotJson)?;
        fields.retain(|(name, _)| name != "stream" && name != "stream_options");
        let text = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, raw)| raw);
        let fault = |field, expected| PrefixFault::Field { field, expected };
        let model = text("model")
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .ok_or_else(|| fault("model", "a text"))?;
        let messages = text("messages").ok_or_else(|| fault("messages", "there"))?.get();
        let parsed: Vec<&RawValue> =
            serde_json::from_str(messages).map_err(|_| fault("messages", "a list"))?;
        let messages = messages.strip_suffix(']').ok_or_else(|| fault("messages", "a list"))?;
        let tools = match text("tools") {
            Some(raw) => names(raw).ok_or_else(|| fault("tools", "a list of tools with names"))?,
            None => Vec::new(),
        };
        let cap = text("max_tokens").or_else(|| text("max_completion_tokens"));
        Ok(Self {
            max_tokens: cap.and_then(|raw| serde_json::from_str(raw.get()).ok()),
            has_messages: !parsed.is_empty(),
            messages: messages.to_owned(),
            model,
            tools,
            fields,
        })
    }

    /// Returns the model that the host asked.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Returns the names of the host's tools, in order.
    pub fn tools(&self) -> &[String] {
        &self.tools
    }

    /// Returns how many tokens the host allowed for an answer, which holds for this one too; `None` if it did not say.
    pub fn max_tokens(&self) -> Option<u32> {
        self.max_tokens
    }

    /// Returns the body of a request that goes on with more messages, each a JSON object.
    pub fn body<'a>(&self, more: impl IntoIterator<Item = &'a str>) -> String {
        let mut body = String::from("{");
        let mut more = Some(more);
        for (name, raw) in &self.fields {
            if body.len() > 1 {
                body.push(',');
            }
            body.push_str(&serde_json::Value::from(name.as_str()).to_string());
            body.push(':');
            match more.take_if(|_| name == "messages") {
                Some(more) => {
                    body.push_str(&self.messages);
                    let mut needs_comma = self.has_messages;
                    for message in more {
                        if needs_comma {
                            body.push(',');
                        }
                        body.push_str(message);
                        needs_comma = true;
                    }
                    body.push(']');
                }
                None => body.push_str(raw.get()),
            }
        }
        body.push('}');
        body
    }

    /// Tells the rule of the first secret in it, as far as [`memdir_guard::secrets`] knows, as a clause that does not hold the secret.
    pub fn secret(&self) -> Option<String> {
        let found =
            |raw: &RawValue| memdir_guard::secrets(raw.get()).first().map(Finding::to_string);
        self.fields.iter().find_map(|(_, raw)| found(raw))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.fields.iter().map(|(name, raw)| name.len() + raw.get().len()).sum()
    }
}

impl PartialEq for Prefix {
    fn eq(&self, other: &Self) -> bool {
        let text = |(name, raw): &(String, Box<RawValue>)| (name.clone(), raw.get().to_owned());
        self.fields.iter().map(text).eq(other.fields.iter().map(text))
    }
}

/// Names of tools: at the top in the Messages API, in `function` in chat completions.
fn names(tools: &RawValue) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    struct Named {
        name: Option<String>,
        function: Option<Box<Self>>,
    }
    let tools: Vec<Named> = serde_json::from_str(tools.get()).ok()?;
    tools.into_iter().map(|tool| tool.name.or_else(|| tool.function?.name)).collect()
}

/// The fields of an object in their order.
struct Fields(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(parent: &str, more: &[&str], expect: &str) {
        let prefix = Prefix::parse(parent).expect("because it is a request");
        assert_eq!(prefix.body(more.iter().copied()), expect);
    }

    #[test]
    fn everything_up_to_the_end_of_the_messages_is_the_same_bytes() {
        check(
            r#"{"model":"m","max_tokens":1,"messages":[],"x":{"b":1.50,"a":"\u00e9"}}"#,
            &["{}"],
            r#"{"model":"m","max_tokens":1,"messages":[{}],"x":{"b":1.50,"a":"\u00e9"}}"#,
        );
        check(
            r#"{"messages":[ {"role" : "user"} ],"stream":true,"model":"m"}"#,
            &["1", "2"],
            r#"{"messages":[ {"role" : "user"} ,1,2],"model":"m"}"#,
        );
    }

    #[test]
    fn tools_of_both_apis_are_known_by_name() {
        let body = r#"{"model":"m","messages":[],"tools":[{"name":"Read"},{"type":"function","function":{"name":"edit"}}]}"#;
        let prefix = Prefix::parse(body).expect("because it is a request");
        assert_eq!(prefix.tools(), ["Read", "edit"]);
    }

    #[test]
    fn what_is_no_request_is_told() {
        let told = |body| Prefix::parse(body).err().map(|fault| fault.to_string());
        let [list, model, messages, tools] = [
            told("[]"),
            told(r#"{"model":1,"messages":[]}"#),
            told(r#"{"model":"m","messages":"no"}"#),
            told(r#"{"model":"m","messages":[],"tools":[{}]}"#),
        ];
        assert_eq!(list.as_deref(), Some("it is no JSON object"));
        assert_eq!(model.as_deref(), Some("its field `model` is not a text"));
        assert_eq!(messages.as_deref(), Some("its field `messages` is not a list"));
        assert_eq!(tools.as_deref(), Some("its field `tools` is not a list of tools with names"));
    }
}
