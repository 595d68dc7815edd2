//! What each answer of a server comes to.

use std::thread;
use std::time::{Duration, Instant};

use super::server::{Reply, Server, chosen, error, reply, words};
use super::{KEY, ask, key_is_nowhere, noted, some, text, told};

/// Much more than the two seconds that an answer is waited for: only a guard against hanging.
const GUARD: Duration = Duration::from_secs(60);

/// A server's answers, what recall makes of them, how often it is asked, and what is noted.
type Case = (&'static str, Vec<Reply>, &'static str, usize, &'static str);

/// Statuses, and whether it is asked again.
fn statuses() -> Vec<Case> {
    vec![
        ("200", vec![chosen(&["m3.md"])], "model: m3.md: chosen by the model", 1, "asked "),
        ("nothing fits", vec![chosen(&[])], "model: : chosen by the model", 1, "asked "),
        (
            "400",
            vec![error(400, "no")],
            "words, as the model's server answered 400: no",
            1,
            "failed request_refused",
        ),
        (
            "401 with the key in it",
            vec![error(401, &format!("bad key {KEY}"))],
            "words, as the model's server answered 401: bad key ****",
            1,
            "failed key_refused",
        ),
        (
            "404",
            vec![error(404, "no such model")],
            "words, as the model's server answered 404: no such model",
            1,
            "failed request_refused",
        ),
        (
            "409",
            vec![error(409, "no"), chosen(&["m3.md"])],
            "model: m3.md: chosen by the model",
            2,
            "asked ",
        ),
        (
            "429, then 200",
            vec![error(429, "slow"), chosen(&["m3.md"])],
            "model: m3.md: chosen by the model",
            2,
            "asked ",
        ),
        (
            "429 with a wait that is longer than anybody waits",
            vec![reply(429, "retry-after: 3600\r\n", "{}")],
            "words, as the model's server answered 429: ",
            1,
            "failed rate_limited",
        ),
        (
            "529",
            vec![error(529, "busy")],
            "words, as gave up after 3 attempts: the model's server answered 529: busy",
            3,
            "failed server_failed",
        ),
        (
            "500, then 200",
            vec![error(500, "x"), chosen(&["m3.md"])],
            "model: m3.md: chosen by the model",
            2,
            "asked ",
        ),
    ]
}

/// Bodies that are none, and answers that are of no use.
fn bodies() -> Vec<Case> {
    let half = "HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{\"content\": [{\"type";
    vec![
        (
            "half a body",
            vec![Reply::Bytes(half.as_bytes().to_vec())],
            "words, as gave up after 3 attempts: the connection to the model's server broke",
            3,
            "failed connection",
        ),
        (
            "50 MB",
            vec![Reply::Long(50 << 20)],
            "words, as the model's answer has more than 4194304 bytes",
            1,
            "failed answer_too_large",
        ),
        (
            "never",
            vec![Reply::Never],
            "words, as no answer from the model within 2s",
            1,
            "failed timeout",
        ),
        (
            "wrong JSON",
            vec![reply(200, "", "{\"a\": 1}")],
            "words, as the model's answer",
            1,
            "failed malformed",
        ),
        (
            "prose",
            vec![words("I cannot say.", "end_turn")],
            "words, as the model's answer names no list of memories",
            1,
            "failed no_list",
        ),
        (
            "refusal",
            vec![words("", "refusal")],
            "words, as the model refused to answer",
            1,
            "failed refused",
        ),
        (
            "cut",
            vec![words("{\"selected", "max_tokens")],
            "words, as the model's answer was cut",
            1,
            "failed cut",
        ),
        (
            "invented",
            vec![chosen(&["../x", "ghost.md", "memory/m3.md"])],
            "words, as the model named 3 memories that it could not choose, and no other",
            1,
            "failed only_unknown",
        ),
    ]
}

#[test]
fn recall_01_and_whatever_a_server_does_words_answer_in_time_and_the_key_is_nowhere() {
    thread::scope(|scope| {
        for (name, replies, expect, requests, note) in statuses().into_iter().chain(bodies()) {
            scope.spawn(move || {
                let server = Server::new(replies);
                let sandbox = some(&server, 2, "");
                let start = Instant::now();
                let output = ask(&sandbox);
                assert!(start.elapsed() < GUARD, "{name}");
                let told = told(&output);
                let expect = match expect.strip_prefix("words, ") {
                    Some(why) => format!("lexical: m1.md: chosen by words, {why}"),
                    None => expect.to_owned(),
                };
                assert!(told.starts_with(&expect), "{name}: {told}");
                let silent = usize::from(told.starts_with("model: :"));
                assert_eq!(output.status.code(), Some(silent.try_into().unwrap()), "{name}");
                assert_eq!(server.seen().len(), requests, "{name}");
                assert!(server.seen().iter().all(|request| request.contains(KEY)), "{name}");
                let noted = noted(&sandbox);
                let found = format!("{} {}", text(&noted, "outcome"), text(&noted, "reason"));
                assert_eq!(found, note, "{name}");
                key_is_nowhere(&sandbox, &output);
            });
        }
    });
}
