//! Ending a run at every step leaves nothing behind.
#![cfg(test)]

use std::{
    future::{pending, poll_fn},
    pin::pin,
    task::{Context, Poll, Waker},
    time::SystemTime,
};

use async_trait::async_trait;
use memdir_agent::{Calling, Desk, Halt, Session, Step, fork};
use memdir_core::Discard;
use memdir_model::{Error, Model, Request, Response, Scripted, Turn};
use memdir_store::{InMemory, OpKind, overlay::Overlay};
use serde_json::json;

use crate::stage::{answer, contents, nothing, options, project, store};

fn script() -> [Response; 3] {
    let read = ("read", json!({"path": "feedback_no-mocks.md"}));
    let writes = [
        ("edit", json!({"path": "feedback_no-mocks.md", "old": ", not even once", "new": ""})),
        ("write", json!({"path": "user_new.md", "text": "New.\n"})),
        ("index", json!({"path": "user_new.md", "title": "New", "hook": "new"})),
    ];
    [answer(Calling::Tools, &[read]), answer(Calling::Tools, &writes), nothing(Calling::Tools)]
}

fn desk(store: &InMemory) -> Desk<&InMemory, impl memdir_store::project::ProjectFiles + use<>> {
    let overlay = Overlay::new(store, OpKind::Save, SystemTime::UNIX_EPOCH);
    Desk::new(overlay, project(), &options())
}

/// A model that is waited for once before each answer.
struct Slow(Scripted);

#[async_trait]
impl Model for Slow {
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        let mut waited = false;
        poll_fn(|_| {
            let ready = waited;
            waited = true;
            if ready { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        self.0.complete(request).await
    }
}

#[test]
fn a_future_that_is_dropped_at_any_await_leaves_the_store_as_it_was() {
    let store = store();
    let before = contents(&store);
    let mut polls_needed = None;
    for polls in 0.. {
        let model = Slow(Scripted::new(script().map(Turn::from)));
        let run = fork(options(), &model, desk(&store), pending(), &Discard, |_| {});
        let mut run = pin!(run);
        let mut context = Context::from_waker(Waker::noop());
        let over = (0..polls).any(|_| run.as_mut().poll(&mut context).is_ready());
        assert_eq!(contents(&store), before);
        if over {
            polls_needed = Some(polls);
            break;
        }
    }
    // Once for each answer, and once to get the last one.
    assert_eq!(polls_needed, Some(4));
}

/// A host may run it on any thread.
#[test]
fn a_run_can_be_sent_to_another_thread() {
    fn sent<T: Send>(run: T) -> T {
        run
    }
    let store = store();
    let model = Scripted::new([]);
    drop(sent(fork(options(), &model, desk(&store), pending(), &Discard, |_| {})));
}

#[tokio::test]
async fn a_run_that_is_ended_at_any_look_is_over_and_leaves_the_store_as_it_was() {
    let store = store();
    let before = contents(&store);
    for (looks, why) in (0..5_usize).flat_map(|n| [(n, Halt::Cancelled), (n, Halt::OutOfTime)]) {
        let model = Scripted::new([]);
        let model = if looks == 0 { model } else { Scripted::new(script().map(Turn::from)) };
        let mut looked = 0;
        let halt = poll_fn(|_| {
            looked += 1;
            if looked > looks { Poll::Ready(why) } else { Poll::Pending }
        });
        let outcome = fork(options(), &model, desk(&store), halt, &Discard, |_| {}).await;
        let expect = if why == Halt::Cancelled { "cancelled" } else { "out_of_time" };
        assert_eq!(outcome.report.end.as_str(), expect, "{looks}");
        assert_eq!(model.requests().len(), looks.div_ceil(2));
        assert_eq!(contents(&store), before);
    }
}

#[test]
fn a_step_machine_that_is_left_at_any_step_leaves_the_store_as_it_was() {
    let store = store();
    let before = contents(&store);
    for steps in 0..8 {
        let mut desk = desk(&store);
        let mut session = Session::new(options());
        let mut answers = script().into_iter();
        for _ in 0..steps {
            match session.step() {
                Step::Ask(_) => {
                    let answer = answers.next().ok_or(Error::ToolsUnsupported);
                    session.answered(answer);
                }
                Step::Run(jobs) => {
                    let ran = desk.run(jobs);
                    session.ran(ran);
                }
                Step::Done => {}
            }
        }
        let end = session.into_report().end;
        assert_eq!(end.as_str(), if steps < 5 { "cancelled" } else { "done" }, "{steps}");
        drop(desk);
        assert_eq!(contents(&store), before);
    }
}

#[test]
fn what_was_not_asked_for_is_passed_over() {
    let store = store();
    let mut session = Session::new(options());
    session.ran(vec![Ok("never run".to_owned())]);
    assert!(matches!(session.step(), Step::Ask(_)));
    let [read, ..] = script();
    session.answered(Ok(read));
    session.answered(Err(Error::ToolsUnsupported));
    let mut forgotten = Session::new(options());
    let [read, ..] = script();
    forgotten.answered(Ok(read));
    forgotten.ran(Vec::new());
    assert_eq!(forgotten.into_report().account.denied, 1);
    let Step::Run(jobs) = session.step() else { panic!("{session:?}") };
    assert_eq!(jobs.len(), 1);
    let ran = desk(&store).run(jobs);
    session.halt(Halt::Cancelled);
    session.ran(ran);
    session.answered(Ok(nothing(Calling::Tools)));
    session.halt(Halt::OutOfTime);
    assert!(matches!(session.step(), Step::Done));
    assert_eq!(session.into_report().end.as_str(), "cancelled");
}
