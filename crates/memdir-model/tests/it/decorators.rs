//! Trying again, and giving up in time.

use std::time::Duration;

use memdir_model::{
    Deadline, Error, Model, Patience, Request, Response, Retry, Scripted, Turn, limits,
};
use tokio::time::{Instant, sleep};

fn status(status: u16, retry_after: Option<u64>) -> Error {
    let retry_after = retry_after.map(Duration::from_secs);
    Error::Status { status, message: "no".to_owned(), retry_after }
}

fn told(error: &Error) -> String {
    let source = std::error::Error::source(error);
    source.map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
}

/// Plays a script and says what came of it, and after how many whole seconds.
async fn retried(turns: Vec<Turn>) -> (String, u64) {
    let start = Instant::now();
    let model = Scripted::new(turns);
    let answer =
        Retry::new(&model, Patience::default(), sleep).complete(&Request::new("t", 1)).await;
    let said = answer.map_or_else(|error| told(&error), |answer| answer.text());
    model.finish();
    (said, start.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn only_what_may_pass_is_tried_again() {
    for code in [408, 409, 429, 500, 503, 504, 529] {
        let turns = vec![status(code, Some(1)).into(), Response::words("ok").into()];
        assert_eq!(retried(turns).await, ("ok".to_owned(), 1), "{code}");
    }
    for code in [400, 401, 402, 403, 404, 413, 418, 422] {
        let told = format!("the model's server answered {code}: no");
        assert_eq!(retried(vec![status(code, Some(1)).into()]).await, (told, 0));
    }
    let broken = Error::Connection { source: "reset".into() };
    assert_eq!(retried(vec![broken.into(), Response::words("ok").into()]).await.0, "ok");
    let malformed = Error::Malformed { what: "x".to_owned() };
    assert_eq!(
        retried(vec![malformed.into()]).await,
        ("the model's answer cannot be read: x".to_owned(), 0)
    );
}

#[tokio::test(start_paused = true)]
async fn a_plainer_form_is_tried_at_once_and_not_for_ever() {
    let unsupported =
        || Error::Unsupported { form: "a schema".to_owned(), message: "no".to_owned() }.into();
    let forms = limits::PLAINER_FORMS as usize;
    let mut turns: Vec<Turn> = (0..forms).map(|_| unsupported()).collect();
    turns.push(Response::words("ok").into());
    assert_eq!(retried(turns).await, ("ok".to_owned(), 0));
    let attempts = limits::ATTEMPTS as usize;
    let (said, _) = retried((0..forms + attempts).map(|_| unsupported()).collect()).await;
    assert_eq!(said, "gave up after 7 attempts: the model's server does not take a schema: no");
}

#[tokio::test(start_paused = true)]
async fn a_storm_ends_after_three_attempts() {
    let turns = (0..3).map(|_| status(429, None).into()).collect();
    let (said, seconds) = retried(turns).await;
    assert_eq!(said, "gave up after 3 attempts: the model's server answered 429: no");
    // 0.5 and 1 second, and up to as much again at random.
    assert!((1..=3).contains(&seconds), "{seconds}");
}

#[tokio::test(start_paused = true)]
async fn the_server_is_waited_for_as_long_as_it_asks_within_bounds() {
    let longest = limits::LONGEST_WAIT.as_secs();
    let turns = vec![status(529, Some(longest)).into(), Response::words("ok").into()];
    assert_eq!(retried(turns).await, ("ok".to_owned(), longest));
    assert_eq!(
        retried(vec![status(429, Some(longest + 1)).into()]).await,
        ("the model's server answered 429: no".to_owned(), 0)
    );
}

#[tokio::test(start_paused = true)]
async fn a_deadline_bounds_all_attempts_together() {
    let start = Instant::now();
    let model = Scripted::new([status(500, Some(4)).into(), Turn::Silence]);
    let patient = Retry::new(&model, Patience::default(), sleep);
    let timely = Deadline::new(patient, Duration::from_secs(10), sleep);
    let error = timely.complete(&Request::new("t", 1)).await.unwrap_err();
    assert_eq!(error.to_string(), "no answer from the model within 10s");
    assert_eq!((start.elapsed().as_secs(), model.finish().len()), (10, 2));
}
