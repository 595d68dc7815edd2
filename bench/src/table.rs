//! One row a figure, with its goal and whether it was met.

use std::fmt;

use crate::measure::{Pairs, Spread};

/// One figure.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The number of the goal, such as `S1`.
    pub goal: &'static str,
    /// What was done.
    pub job: String,
    /// The figure of memdir.
    pub ours: String,
    /// The figure of the reference, and which one it is.
    pub theirs: String,
    /// The comparison that the goal is about.
    pub result: String,
    /// What the goal asks.
    pub wanted: String,
    /// The judgement.
    pub verdict: Verdict,
}

/// Whether a goal was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Within the goal.
    Met,
    /// Outside the goal.
    Missed,
    /// Shown for orientation; no goal names it.
    NoGoal,
    /// Could not be measured here; the row says why.
    Skipped,
}

impl Verdict {
    /// Judges a figure that must not exceed a limit.
    pub fn at_most(figure: f64, limit: f64) -> Self {
        if figure <= limit { Self::Met } else { Self::Missed }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Met => "met",
            Self::Missed => "MISSED",
            Self::NoGoal => "",
            Self::Skipped => "skipped",
        })
    }
}

impl Row {
    /// A row whose goal is a ratio of two times; without a limit it only informs.
    pub fn ratio(
        goal: &'static str,
        job: impl Into<String>,
        reference: &str,
        pairs: &Pairs,
        limit: Option<f64>,
    ) -> Self {
        let Spread { low, median, high } = pairs.ratio();
        Self {
            goal,
            job: job.into(),
            ours: seconds(pairs.ours().median),
            theirs: format!("{} {reference}", seconds(pairs.theirs().median)),
            result: format!("{median:.2} × ({low:.2} to {high:.2})"),
            wanted: limit.map_or_else(String::new, |limit| format!("≤ {limit} ×")),
            verdict: limit.map_or(Verdict::NoGoal, |limit| Verdict::at_most(median, limit)),
        }
    }

    /// A row for what could not be measured.
    pub fn skipped(goal: &'static str, job: impl Into<String>, why: &str) -> Self {
        Self {
            goal,
            job: job.into(),
            ours: String::new(),
            theirs: String::new(),
            result: why.to_owned(),
            wanted: String::new(),
            verdict: Verdict::Skipped,
        }
    }
}

/// A time in the unit that shows three digits.
pub fn seconds(seconds: f64) -> String {
    if seconds < 1e-3 {
        format!("{:.1} µs", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.2} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
}

/// A difference of two times, with its sign.
pub fn difference(seconds_over: f64) -> String {
    let sign = if seconds_over < 0.0 { '−' } else { '+' };
    format!("{sign} {}", seconds(seconds_over.abs()))
}

/// The rows as a Markdown table that also reads well on a terminal.
pub fn render(rows: &[Row]) -> String {
    let head = ["goal", "job", "memdir", "reference", "result", "wanted", ""].map(str::to_owned);
    let mut lines = vec![head];
    lines.extend(rows.iter().map(|row| {
        [
            row.goal.to_owned(),
            row.job.clone(),
            row.ours.clone(),
            row.theirs.clone(),
            row.result.clone(),
            row.wanted.clone(),
            row.verdict.to_string(),
        ]
    }));
    let mut widths = [0; 7];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let rule = widths.map(|width| "-".repeat(width.max(3)));
    lines.insert(1, rule);
    lines
        .iter()
        .map(|line| {
            let cells = line.iter().zip(widths).map(|(cell, width)| format!("| {cell:width$} "));
            cells.chain(["|\n".to_owned()]).collect::<String>()
        })
        .collect()
}
