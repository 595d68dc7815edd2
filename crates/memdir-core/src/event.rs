//! Where events of a policy go.

/// Takes what a policy wants to report: a decision and its reason, a finished step.
///
/// Emitting cannot fail and must not block; a sink that writes to a disk swallows its own trouble.
/// Any `Fn(E)` is a sink, so a test collects events with a closure:
///
/// ```
/// use std::cell::RefCell;
///
/// use memdir_core::EventSink;
///
/// fn decide(sink: &impl EventSink<&'static str>) {
///     sink.emit("skipped: too soon");
/// }
///
/// let seen = RefCell::new(Vec::new());
/// decide(&|event| seen.borrow_mut().push(event));
/// assert_eq!(seen.into_inner(), ["skipped: too soon"]);
/// decide(&memdir_core::Discard);
/// ```
pub trait EventSink<E> {
    /// Takes one event.
    fn emit(&self, event: E);
}

impl<E, F: Fn(E)> EventSink<E> for F {
    fn emit(&self, event: E) {
        self(event);
    }
}

/// A sink that drops every event, for callers who do not want to know.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "there is nothing to configure about dropping")]
pub struct Discard;

impl<E> EventSink<E> for Discard {
    fn emit(&self, _event: E) {}
}
