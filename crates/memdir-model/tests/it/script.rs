//! The double itself.

use memdir_model::{Error, Message, Model, Request, Response, Scripted};

#[tokio::test]
async fn a_script_plays_in_order_and_ends_with_an_error() {
    let model = Scripted::new([
        Response::words("one").into(),
        Error::Malformed { what: "two".to_owned() }.into(),
    ]);
    let ask = |text: &str| Request::new("test", 1).message(Message::user(text));
    let mut answers = Vec::new();
    for text in ["a", "b", "c"] {
        let answer = model.complete(&ask(text)).await;
        answers.push(answer.map_or_else(|error| error.to_string(), |answer| answer.text()));
    }
    assert_eq!(
        answers,
        [
            "one",
            "the model's answer cannot be read: two",
            "the request cannot be sent: the script has no further turn",
        ]
    );
    assert_eq!(model.finish(), ["a", "b", "c"].map(ask));
}

#[test]
fn a_script_that_was_not_played_to_its_end_is_told() {
    let model = Scripted::new([Response::words("one").into()]);
    let told = std::panic::catch_unwind(|| model.finish()).unwrap_err();
    assert_eq!(
        told.downcast_ref::<String>().map(String::as_str),
        Some("1 turns of the script were not played")
    );
}
