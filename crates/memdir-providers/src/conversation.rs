//! Whether a request is one that a server takes.

use memdir_model::{Content, Error, Message, Request, Role};

/// Refuses what every server refuses, before it is paid for.
///
/// Calls are answered one and all by the next message, and the last word is not the model's. With a shared prefix the first
/// message may answer calls that stand in it.
pub(crate) fn check(request: &Request) -> Result<(), Error> {
    fault(request).map_or(Ok(()), |what| Err(Error::Invalid { what }))
}

/// Only a part that is not understood can be no object of JSON.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn unsent(error: serde_json::Error) -> Error {
    Error::Invalid { what: format!("a part of a message is no block: {error}") }
}

fn fault(request: &Request) -> Option<String> {
    if request.prefix.is_some() && !(request.system.is_empty() && request.tools.is_empty()) {
        return Some("a shared prefix has its own instructions and tools".to_owned());
    }
    match request.messages.last().map(|message| message.role) {
        None => return Some("it has no message".to_owned()),
        Some(Role::Assistant) => return Some("its last message is the model's".to_owned()),
        Some(Role::User) => {}
    }
    let mut open: Vec<&str> = Vec::new();
    for (at, message) in request.messages.iter().enumerate() {
        let results = results(message);
        if let Some(id) = open.iter().find(|id| !results.contains(id)) {
            return Some(format!("the call `{id}` has no result in the message after it"));
        }
        let is_first_of_fork = at == 0 && request.prefix.is_some();
        let stray = results.iter().find(|id| !open.contains(id));
        if let Some(id) = stray.filter(|_| !is_first_of_fork) {
            return Some(format!("the result `{id}` is of no call in the message before it"));
        }
        open = calls(message);
    }
    None
}

fn calls(message: &Message) -> Vec<&str> {
    let calls = message.content.iter().filter_map(|part| match part {
        Content::Call { id, .. } => Some(id.as_str()),
        _ => None,
    });
    calls.collect()
}

fn results(message: &Message) -> Vec<&str> {
    let results = message.content.iter().filter_map(|part| match part {
        Content::Result { id, .. } => Some(id.as_str()),
        _ => None,
    });
    results.collect()
}

#[cfg(test)]
mod tests {
    use memdir_model::Prefix;
    use serde_json::json;

    use super::*;

    fn call(id: &str) -> Content {
        Content::Call { id: id.to_owned(), tool: "look".to_owned(), input: json!({}) }
    }

    fn result(id: &str) -> Content {
        Content::Result { id: id.to_owned(), text: "seen".to_owned(), is_error: false }
    }

    #[track_caller]
    fn check_all(request: Request, messages: Vec<Message>, expect: &str) {
        let request = messages.into_iter().fold(request, Request::message);
        let said = check(&request).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(said.trim_start_matches("the request cannot be sent: "), expect);
    }

    #[test]
    fn every_call_has_its_result_in_the_next_message() {
        let request = || Request::new("t", 1);
        let user = |parts| Message::new(Role::User, parts);
        let model = |parts| Message::new(Role::Assistant, parts);
        let calls = || model(vec![call("a"), call("b")]);
        check_all(request(), vec![], "it has no message");
        check_all(request(), vec![calls()], "its last message is the model's");
        check_all(request(), vec![calls(), user(vec![result("b"), result("a")])], "");
        check_all(
            request(),
            vec![calls(), user(vec![result("a")]), user(vec![result("b")])],
            "the call `b` has no result in the message after it",
        );
        check_all(
            request(),
            vec![user(vec![result("c")])],
            "the result `c` is of no call in the message before it",
        );
    }

    #[test]
    fn a_fork_may_answer_the_calls_of_its_prefix_and_brings_nothing_of_its_own() {
        let prefix = Prefix::parse(r#"{"model":"m","messages":[]}"#).expect("because it is one");
        let fork = Request::new("t", 1).prefix(prefix.into());
        check_all(fork.clone(), vec![Message::new(Role::User, vec![result("c")])], "");
        check_all(
            fork.system("Be brief."),
            vec![Message::user("x")],
            "a shared prefix has its own instructions and tools",
        );
    }
}
