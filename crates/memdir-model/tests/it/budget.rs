//! What may be spent.

use std::{
    sync::Mutex,
    time::{Duration, SystemTime},
};

use memdir_core::FixedClock;
use memdir_model::{
    Error, Metered, Model, Patience, Prefix, Request, Response, Retry, Scripted, Turn, Usage,
    budget::{Asked, Budget, Cost, Ledger, LedgerError, Price, Spent},
    limits,
};
use proptest::prelude::*;

const HOUR: u64 = 3_600;

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + seconds)
}

fn asked(input: u64, output: u64) -> Asked {
    Asked { purpose: "recall".to_owned(), input, output }
}

fn price() -> Price {
    Price { input: 3_000_000, output: 15_000_000, cache_read: 300_000, cache_write: 3_750_000 }
}

/// Reserves and settles calls one after the other; says what each came to.
fn run(budget: Budget, calls: &[(u64, Asked, Cost)]) -> Vec<String> {
    let mut spent = Spent::default();
    let step = |(second, asked, cost): &(u64, Asked, Cost)| {
        match budget.reserve(&mut spent, asked, at(*second)) {
            Ok(reservation) => {
                budget.settle(&mut spent, &reservation, cost);
                // A state that went through a file is the same state.
                spent = Spent::from_json(&spent.to_json()).expect("because it was written so");
                format!("{} tokens", spent.tokens_of_day(at(*second)))
            }
            Err(refusal) => {
                let again = refusal
                    .again
                    .map(|again| again.duration_since(at(0)).expect("because time goes on"));
                format!("{refusal}; again: {again:?}")
            }
        }
    };
    calls.iter().map(step).collect()
}

#[test]
fn calls_are_counted_in_a_window_that_slides() {
    let call = |second| (second, asked(1, 1), Cost::Nothing);
    let calls = [call(0), call(1800), call(1900), call(3599), call(3600), call(3601)];
    insta::assert_snapshot!(run(Budget::none().calls_per_hour(2), &calls).join("\n"), @r"
    0 tokens
    0 tokens
    2 of 2 calls an hour are used; again: Some(3600s)
    2 of 2 calls an hour are used; again: Some(3600s)
    0 tokens
    2 of 2 calls an hour are used; again: Some(5400s)
    ");
}

#[test]
fn the_worst_is_reserved_and_the_rest_given_back() {
    let known = Cost::Known(Usage::new(100, 20));
    let calls = [
        (0, asked(900, 100), known),
        (1, asked(900, 100), Cost::Unknown),
        (2, asked(900, 100), known),
        (3, asked(5_000, 0), known),
        (24 * HOUR, asked(900, 100), Cost::Nothing),
        (24 * HOUR + 1, asked(900, 100), known),
    ];
    insta::assert_snapshot!(run(Budget::none().tokens_per_day(2_000), &calls).join("\n"), @r"
    120 tokens
    1120 tokens
    1120 of 2000 tokens a day are used, and this call may need 1000; again: Some(86400s)
    1120 of 2000 tokens a day are used, and this call may need 5000; again: None
    1000 tokens
    120 tokens
    ");
}

#[test]
fn money_is_counted_at_the_price_or_as_the_provider_says() {
    let mut usage = Usage::new(1_000, 100);
    usage.cache_read = 10_000;
    let mut told = usage;
    told.micros = Some(9_000_000);
    let calls = [
        (0, asked(100_000, 1_000), Cost::Known(usage)),
        (1, asked(100_000, 1_000), Cost::Known(told)),
        (2, asked(400_000, 0), Cost::Nothing),
    ];
    let budget = Budget::none().micros_per_day(10_000_000, price());
    insta::assert_snapshot!(run(budget, &calls).join("\n"), @r"
    11100 tokens
    22200 tokens
    $9.01 of $10.00 a day are used, and this call may need $1.50; again: Some(86401s)
    ");
    let mut unpriced = Budget::none();
    unpriced.micros_per_day = Some(10_000_000);
    assert_eq!(
        run(unpriced, &[(0, asked(1, 1), Cost::Nothing)]),
        ["$10.00 a day are allowed, and no price is set; again: None"]
    );
}

#[test]
fn a_clock_that_was_wrong_blocks_for_a_day_at_most() {
    let mut spent = Spent::default();
    let budget = Budget::none().tokens_per_day(10);
    let reservation = budget.reserve(&mut spent, &asked(10, 0), at(1_000 * HOUR)).unwrap();
    budget.settle(&mut spent, &reservation, &Cost::Unknown);
    // The refusal alone mends nothing; the next call that fits does.
    assert!(budget.reserve(&mut spent, &asked(1, 0), at(0)).is_err());
    assert!(budget.reserve(&mut spent, &asked(0, 0), at(0)).is_ok());
    assert!(budget.reserve(&mut spent, &asked(10, 0), at(24 * HOUR)).is_ok());
}

#[test]
fn a_state_that_is_damaged_or_newer_is_not_taken_for_an_empty_one() {
    let told = |text| {
        let fault = Spent::from_json(text).unwrap_err();
        fault.to_string()
    };
    assert_eq!(told(""), "it is not what a ledger holds");
    assert_eq!(told("{}"), "it is not what a ledger holds");
    assert_eq!(
        told(r#"{"version":2,"next":0,"entries":[]}"#),
        "it is of version 2, and version 1 is known"
    );
}

#[test]
fn a_ledger_is_bounded_and_forgets_no_call() {
    let mut spent = Spent::default();
    let calls = limits::LEDGER_ENTRIES as u64 + 500;
    for _ in 0..calls {
        let reservation = Budget::none().reserve(&mut spent, &asked(1, 1), at(0)).unwrap();
        Budget::none().settle(&mut spent, &reservation, &Cost::Known(Usage::new(1, 1)));
    }
    assert_eq!(spent.calls_of_hour(at(0)), calls);
    assert_eq!(spent.tokens_of_day(at(0)), 2 * calls);
    assert_eq!(spent.to_json().matches("\"id\"").count(), limits::LEDGER_ENTRIES);
    let [(_, recent, _), ("", old, _)] = spent.purposes_of_day(at(0))[..] else {
        panic!("{:?}", spent.purposes_of_day(at(0)));
    };
    assert_eq!(recent + old, calls);
}

proptest! {
    /// Reserved and spent together stay within the limit, whatever is asked and whatever comes of it.
    #[test]
    fn no_limit_is_ever_exceeded(
        calls in prop::collection::vec((0..100_000_u64, 0..500_u64, 0..100_u64, 0..3_u8), 1..60),
    ) {
        let budget = Budget::none().calls_per_hour(5).tokens_per_day(1_000);
        let mut spent = Spent::default();
        let mut now = 0;
        for (later, input, output, what) in calls {
            now += later;
            let Ok(reservation) = budget.reserve(&mut spent, &asked(input, output), at(now)) else {
                continue;
            };
            prop_assert!(spent.tokens_of_day(at(now)) <= 1_000);
            prop_assert!(spent.calls_of_hour(at(now)) <= 5);
            let cost = match what {
                0 => Cost::Known(Usage::new(input / 2, output)),
                1 => Cost::Nothing,
                _ => Cost::Unknown,
            };
            budget.settle(&mut spent, &reservation, &cost);
            prop_assert!(spent.tokens_of_day(at(now)) <= 1_000);
        }
    }

    #[test]
    fn any_text_is_a_state_or_refused(text in "\\PC*") {
        drop(Spent::from_json(&text));
    }
}

struct Broken;

impl Ledger for Broken {
    fn update(&self, _: &mut dyn FnMut(&mut Spent)) -> Result<(), LedgerError> {
        Err(LedgerError::new("the disk is full", None))
    }
}

fn metered<M: Model, L: Ledger>(model: M, budget: Budget, ledger: L) -> Metered<M, L, FixedClock> {
    Metered::new(model, budget, ledger, FixedClock(at(0)))
}

#[tokio::test]
async fn when_it_is_spent_or_not_known_nothing_is_asked() {
    let ledger = Mutex::new(Spent::default());
    let model = Scripted::new([Response::words("one").into()]);
    let meter = metered(&model, Budget::none().calls_per_hour(1), &ledger);
    let request = Request::new("recall", 10);
    assert!(meter.complete(&request).await.is_ok());
    let spent = meter.complete(&request).await.unwrap_err();
    assert_eq!(spent.to_string(), "the budget for models is spent: 1 of 1 calls an hour are used");
    let lost = metered(&model, Budget::none(), Broken).complete(&request).await.unwrap_err();
    assert_eq!(lost.to_string(), "what was spent on models cannot be looked up");
    assert_eq!(model.finish().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_was_given_up_counts_in_full_and_what_was_refused_counts_as_a_call() {
    let ledger = Mutex::new(Spent::default());
    let refused = Error::Status { status: 400, message: String::new(), retry_after: None };
    let model = Scripted::new([Turn::Silence, refused.into()]);
    let meter = metered(&model, Budget::none(), &ledger);
    let request = Request::new("recall", 10).system("12345");
    let waited = tokio::time::timeout(Duration::from_secs(1), meter.complete(&request)).await;
    assert!(waited.is_err());
    assert!(meter.complete(&request).await.is_err());
    let spent = ledger.lock().unwrap();
    assert_eq!((spent.calls_of_hour(at(0)), spent.tokens_of_day(at(0))), (2, 15));
    assert_eq!(spent.purposes_of_day(at(0)), [("recall", 2, 15)]);
}

#[tokio::test]
async fn every_plainer_form_that_is_tried_counts_as_a_call() {
    let ledger = Mutex::new(Spent::default());
    let unsupported =
        || Error::Unsupported { form: "a schema".to_owned(), message: String::new() }.into();
    let told = Response::words("ok").usage(Usage::new(3, 1));
    let model = Scripted::new([unsupported(), unsupported(), told.into()]);
    let meter = metered(&model, Budget::none(), &ledger);
    let patient = Retry::new(meter, Patience::default(), tokio::time::sleep);
    assert!(patient.complete(&Request::new("recall", 10)).await.is_ok());
    let spent = ledger.lock().unwrap();
    assert_eq!(spent.purposes_of_day(at(0)), [("recall", 3, 4)]);
}

#[tokio::test]
async fn an_answer_without_a_count_costs_what_was_reserved_for_it() {
    let ledger = Mutex::new(Spent::default());
    let model = Scripted::new([Response::words("ok").into(), Response::words("ok").into()]);
    let meter = metered(&model, Budget::none(), &ledger);
    assert!(meter.complete(&Request::new("recall", 10).system("12345")).await.is_ok());
    let parent = r#"{"model":"m","messages":[],"max_tokens":500}"#;
    let prefix = Prefix::parse(parent).expect("because it is a request");
    let fork = Request::new("dream", 10).prefix(prefix.into());
    let bytes = fork.bytes();
    assert!(meter.complete(&fork).await.is_ok());
    let spent = ledger.lock().unwrap();
    // The cap of the prefix is the one that the server reads.
    assert_eq!(spent.purposes_of_day(at(0)), [("dream", 1, bytes + 500), ("recall", 1, 15)]);
}
