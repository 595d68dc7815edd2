//! What a check found, and the table of all of them.

use std::time::Duration;

/// The result of one check.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// How many things were looked at: tests run, crates built, rules applied.
    pub(crate) ran: usize,
    /// What those things are, for the table.
    pub(crate) unit: &'static str,
    /// One entry for each thing that is wrong.
    pub(crate) failures: Vec<String>,
    pub(crate) skips: Vec<Skip>,
    /// Worth saying, not wrong.
    pub(crate) notes: Vec<String>,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Skip {
    pub(crate) what: String,
    pub(crate) reason: String,
    /// Whether this machine really cannot do it; an unexpected skip fails the check.
    pub(crate) expected: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Passed,
    Failed,
    /// Nothing could be run, for a reason that holds on this machine.
    Skipped,
}

impl Outcome {
    pub(crate) fn of(unit: &'static str) -> Self {
        Self { unit, ..Self::default() }
    }

    /// A check that is one step: it holds, or `failure` says what does not.
    pub(crate) fn step(unit: &'static str, holds: bool, failure: &str) -> Self {
        let mut outcome = Self::of(unit);
        outcome.record(holds, failure);
        outcome
    }

    pub(crate) fn record(&mut self, holds: bool, failure: &str) {
        self.ran += 1;
        if !holds {
            self.failures.push(failure.to_owned());
        }
    }

    pub(crate) fn skip(&mut self, what: impl Into<String>, reason: impl Into<String>) {
        self.skips.push(Skip { what: what.into(), reason: reason.into(), expected: true });
    }

    /// A check that ran nothing and cannot say why has failed.
    pub(crate) fn verdict(&self) -> Verdict {
        if !self.failures.is_empty() || self.skips.iter().any(|skip| !skip.expected) {
            Verdict::Failed
        } else if self.ran > 0 {
            Verdict::Passed
        } else if self.skips.is_empty() {
            Verdict::Failed
        } else {
            Verdict::Skipped
        }
    }

    /// Everything the check has to say, for a person who ran only this one.
    pub(crate) fn describe(&self, name: &str) -> String {
        let mut lines: Vec<String> = Vec::new();
        for note in &self.notes {
            lines.push(format!("{name}: note: {note}"));
        }
        for skip in &self.skips {
            lines.push(format!("{name}: {skip}"));
        }
        for failure in &self.failures {
            lines.push(format!("{name}: error: {failure}"));
        }
        lines.push(format!(
            "{name}: {} {}, {} failed, {} skipped: {}",
            self.ran,
            self.unit,
            self.failures.len(),
            self.skips.len(),
            self.verdict().word(),
        ));
        lines.join("\n") + "\n"
    }
}

impl Verdict {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "FAILED",
            Self::Skipped => "skipped",
        }
    }
}

impl std::fmt::Display for Skip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = if self.expected { "skipped" } else { "skipped UNEXPECTEDLY" };
        write!(f, "{word}: {}: {}", self.what, self.reason)
    }
}

/// One row of the closing table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
}

/// The closing table, what it could not hold, and the closing line.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut lines: Vec<String> = Vec::new();
    lines.push(format!(
        "{:<10} {:<8} {:>6} {:<10} {:>6} {:>7} {:>8}",
        "check", "result", "ran", "", "failed", "skipped", "seconds"
    ));
    for Row { name, outcome, took } in rows {
        lines.push(format!(
            "{name:<10} {:<8} {:>6} {:<10} {:>6} {:>7} {:>8.1}",
            outcome.verdict().word(),
            outcome.ran,
            outcome.unit,
            outcome.failures.len(),
            outcome.skips.len(),
            took.as_secs_f64(),
        ));
    }
    for Row { name, outcome, .. } in rows {
        for skip in &outcome.skips {
            lines.push(format!("{name}: {skip}"));
        }
    }
    for Row { name, outcome, .. } in rows {
        for failure in &outcome.failures {
            lines.push(format!("{name}: error: {failure}"));
        }
        if outcome.ran == 0 && outcome.skips.is_empty() && outcome.failures.is_empty() {
            lines.push(format!("{name}: error: ran nothing"));
        }
    }
    let count = |verdict| rows.iter().filter(|row| row.outcome.verdict() == verdict).count();
    lines.push(format!(
        "ci: {} passed, {} failed, {} skipped",
        count(Verdict::Passed),
        count(Verdict::Failed),
        count(Verdict::Skipped),
    ));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_ran_nothing_and_says_nothing_has_failed() {
        assert_eq!(Outcome::of("tests").verdict(), Verdict::Failed);
    }

    #[test]
    fn an_unexpected_skip_fails_and_an_expected_one_does_not() {
        let mut outcome = Outcome::of("tests");
        outcome.skip("deny", "cargo-deny is not installed");
        assert_eq!(outcome.verdict(), Verdict::Skipped);
        outcome.ran = 3;
        assert_eq!(outcome.verdict(), Verdict::Passed);
        outcome.skips.push(Skip { what: "a".into(), reason: "b".into(), expected: false });
        assert_eq!(outcome.verdict(), Verdict::Failed);
    }

    #[test]
    fn the_table_ends_with_the_plain_closing_line_and_says_why() {
        let mut skipped = Outcome::of("tools");
        skipped.skip("cargo-deny", "not installed");
        let rows = [
            Row {
                name: "fmt",
                outcome: Outcome::step("steps", true, ""),
                took: Duration::from_millis(1_250),
            },
            Row { name: "deny", outcome: skipped, took: Duration::ZERO },
            Row {
                name: "tidy",
                outcome: Outcome::step("rules", false, "a.rs: no docs"),
                took: Duration::ZERO,
            },
        ];
        assert_eq!(
            table(&rows),
            "\
check      result      ran            failed skipped  seconds
fmt        passed        1 steps           0       0      1.2
deny       skipped       0 tools           0       1      0.0
tidy       FAILED        1 rules           1       0      0.0
deny: skipped: cargo-deny: not installed
tidy: error: a.rs: no docs
ci: 1 passed, 1 failed, 1 skipped
"
        );
    }
}
