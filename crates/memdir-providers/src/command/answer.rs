//! What the program printed.

use memdir_model::{Content, Error, Response, Stop, Usage};
use serde_json::Value;

use super::{Command, process::Ended};

pub(super) fn read(command: &Command, ended: &Ended) -> Result<Response, Error> {
    let Ok(answer @ Value::Object(_)) = serde_json::from_slice::<Value>(&ended.output) else {
        return Err(no_answer(command, ended));
    };
    let text = |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default();
    let said = text("result");
    if answer.get("is_error").and_then(Value::as_bool) != Some(false) {
        let status = answer.get("api_error_status").and_then(Value::as_u64);
        if let Some(status) = status.and_then(|status| u16::try_from(status).ok()) {
            return Err(Error::Status { status, message: command.told(said), retry_after: None });
        }
        let what = format!("{} {said}", text("subtype"));
        return Err(command.failed(format!("reports an error: {}", command.told(&what))));
    }
    let structured = answer.get("structured_output").filter(|value| !value.is_null()).cloned();
    let stop = match (text("stop_reason"), &structured) {
        ("max_tokens", _) => Stop::MaxTokens,
        ("model_context_window_exceeded", _) => Stop::ContextFull,
        ("refusal", _) => Stop::Refusal,
        (_, Some(_)) | ("end_turn" | "stop_sequence", _) => Stop::End,
        (other, None) => Stop::Other(command.told(other)),
    };
    let mut response = Response::new(vec![Content::Text(said.to_owned())]).usage(usage(&answer));
    response.structured = structured.filter(|_| stop == Stop::End);
    response.model = model(&answer);
    Ok(response.stop(stop))
}

fn no_answer(command: &Command, ended: &Ended) -> Error {
    let complaint = command.told(&ended.complaint);
    if ended.status.success() {
        let what = if ended.output.is_empty() { "it is empty" } else { "it is no JSON object" };
        return Error::Malformed { what: what.to_owned() };
    }
    let separator = if complaint.is_empty() { "" } else { ": " };
    command.failed(format!("ended with {}{separator}{complaint}", ended.status))
}

/// The one model that worked; `None` if there were several.
fn model(answer: &Value) -> Option<String> {
    let mut models = answer.get("modelUsage")?.as_object()?.keys();
    models.next().filter(|_| models.next().is_none()).cloned()
}

fn usage(answer: &Value) -> Usage {
    let count =
        |name: &str| answer.pointer(&format!("/usage/{name}")).and_then(Value::as_u64).unwrap_or(0);
    let mut usage = Usage::new(count("input_tokens"), count("output_tokens"));
    usage.cache_read = count("cache_read_input_tokens");
    usage.cache_write = count("cache_creation_input_tokens");
    usage.micros = answer.get("total_cost_usd").and_then(Value::as_f64).and_then(micros);
    usage
}

/// Dollars as millionths, rounded up; `None` for what is no price.
fn micros(dollars: f64) -> Option<u64> {
    // A price with more digits than millionths is made of tokens; the tenth that is taken off is the error of binary fractions.
    let micros = (dollars * 1e6 - 0.1).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is within bounds"
    )]
    (0.0..1e15).contains(&micros).then_some(micros as u64)
}

#[cfg(test)]
mod tests {
    use std::process::ExitStatus;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn dollars_are_rounded_up_to_millionths() {
        for (dollars, expect) in [
            (0.0, Some(0)),
            (0.002_492, Some(2_492)),
            (0.002_287_999_999_999_999_7, Some(2_288)),
            (0.000_000_3, Some(1)),
            (12.5, Some(12_500_000)),
            (-1.0, None),
            (f64::NAN, None),
            (f64::INFINITY, None),
        ] {
            assert_eq!(micros(dollars), expect, "{dollars}");
        }
    }

    proptest! {
        #[test]
        fn any_output_has_an_outcome(
            output in prop::collection::vec(any::<u8>(), 0..100),
            fields in prop::collection::vec((
                prop::sample::select(vec!["is_error", "result", "stop_reason", "usage", "total_cost_usd", "structured_output"]),
                prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), any::<f64>().prop_map(Value::from), "\\PC{0,9}".prop_map(Value::from)],
            ), 0..6),
        ) {
            let command = Command::new("fake", "empty");
            let json: Value = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            for output in [output, json.to_string().into_bytes()] {
                let ended = Ended { status: ExitStatus::default(), output, complaint: String::new() };
                let outcome = read(&command, &ended);
                let is_typed = matches!(outcome, Ok(_) | Err(Error::Malformed { .. } | Error::Program { .. }));
                prop_assert!(is_typed, "{outcome:?}");
            }
        }
    }
}
