//! An answer before any memory is read for it, so that a model can be asked in between.

use memdir_model::{Error as ModelError, Request, Response};
use memdir_scan::{Header, Problem, scan_with};
use memdir_store::{Error, ReadStore};

use crate::{
    BadPattern, Basis, Candidate, Cause, Document, Lexical, Omission, Options, Query, Recall,
    Silence, Skip, When, limits, model,
    recall::Attach,
    select::{Selection, open, select},
};

/// An answer before any memory is read for it: what was found without a model, and what a model may choose from.
///
/// [`recall`](crate::recall()) makes one and attaches it at once. Whoever has a model asks it in between:
///
/// ```
/// # use std::time::SystemTime;
/// # use memdir_model::{Model, Response, Scripted};
/// # use memdir_recall::{Draft, Lexical, Options, Query, When};
/// # use memdir_core::MemPath;
/// # use memdir_store::{Actor, Attribution, Batch, Expect, InMemory, OpKind, WriteStore};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let memory = "---\ndescription: the car is in the garage\n---\n";
/// # let store = InMemory::new();
/// # let save = Batch::new(OpKind::Save).put(MemPath::parse("car.md")?, memory, Expect::Absent);
/// # store.apply(&save, &Attribution::new(Actor::User))?;
/// # let model = Scripted::new([Response::words(r#"{"selected_memories":["car.md"]}"#).into()]);
/// let query = Query::new("Where is our automobile?");
/// let options = Options::new(SystemTime::UNIX_EPOCH);
/// let mut draft = Draft::for_model(&store, &Lexical::new(), &query, &options)?;
/// if let Some(request) = draft.ask(&query, When::Always) {
///     draft.answer(model.complete(&request).await);
/// }
/// assert_eq!(draft.attach(&store).attachments[0].path.as_str(), "car.md");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Draft {
    options: Options,
    headers: Vec<Header>,
    /// In the order in which they are attached, each with its place in `headers`.
    looked_at: Vec<(usize, Candidate)>,
    /// Places in `headers` of what a model may choose, in their order.
    open: Vec<usize>,
    silence: Option<Silence>,
    /// The share of the question that the best hit has.
    coverage: Option<f32>,
    basis: Basis,
    problems: Vec<Problem>,
    bad_patterns: Vec<BadPattern>,
}

impl Draft {
    /// Scans a directory and ranks what is there.
    ///
    /// # Errors
    ///
    /// When the directory cannot be listed.
    pub fn new<S: ReadStore + ?Sized>(
        store: &S,
        lexical: &Lexical,
        query: &Query<'_>,
        options: &Options,
    ) -> Result<Self, Error> {
        Self::make(store, lexical, query, options, 0, |_, _, _| Vec::new())
    }

    /// The same, and notes what a model may choose from: what is neither in the conversation already, nor brought up by a trigger or
    /// a file, nor about how to use a tool that is in use. Of more than [`limits::CHOOSABLE`] memories it is the best by words and the newest.
    ///
    /// # Errors
    ///
    /// When the directory cannot be listed.
    pub fn for_model<S: ReadStore + ?Sized>(
        store: &S,
        lexical: &Lexical,
        query: &Query<'_>,
        options: &Options,
    ) -> Result<Self, Error> {
        let ranked = limits::CHOOSABLE - limits::CHOOSABLE_NEWEST;
        Self::make(store, lexical, query, options, ranked, |headers, documents, found| {
            open(store, query, headers, documents, found)
        })
    }

    fn make<S: ReadStore + ?Sized>(
        store: &S,
        lexical: &Lexical,
        query: &Query<'_>,
        options: &Options,
        ranked: usize,
        open: impl FnOnce(&[Header], &[Document<'_>], &[(usize, Candidate)]) -> Vec<usize>,
    ) -> Result<Self, Error> {
        let mut scanning = memdir_scan::Options::new(options.now);
        scanning.max = options.considered;
        let (scan, bodies) = scan_with(store, &scanning, |_, head| head.body.to_owned())?;
        let memories = scan.headers.iter().zip(&bodies);
        let documents: Vec<_> = memories
            .map(|(header, body)| {
                let mut document = Document::of(header, body);
                document.uses = options.usage.get(&header.path).copied().unwrap_or_default();
                document
            })
            .collect();
        let told = options.max.max(query.most);
        let query = query.most(told.max(ranked));
        let Selection { mut candidates, silence, coverage, bad_patterns } =
            select(store, lexical, &query, &scan.headers, &documents, options.max);
        let open = open(&scan.headers, &documents, &candidates);
        let mut by_words = 0;
        candidates.retain(|(_, one)| {
            by_words += usize::from(one.score.is_some());
            one.score.is_none() || by_words <= told
        });
        Ok(Self {
            options: options.clone(),
            open,
            looked_at: candidates,
            silence,
            coverage,
            basis: Basis::Words,
            problems: scan.problems,
            bad_patterns,
            headers: scan.headers,
        })
    }

    /// Returns the request for a model to choose, or `None` where asking is of no use; then [`Recall::basis`] will say why.
    ///
    /// The memories come first and the question last, so that a provider's cache serves the former as long as they are the same.
    pub fn ask(&mut self, query: &Query<'_>, when: When) -> Option<Request> {
        match self.reason_not_to_ask(query, when) {
            Some(skip) => {
                self.basis = Basis::Skipped(skip);
                None
            }
            None => Some(model::request(&self.choosable(), query, self.room())),
        }
    }

    /// Takes a model's answer. Whatever it is, only memories that it could choose are chosen; where it is of no use, the ranking stands.
    pub fn answer(&mut self, answer: Result<Response, ModelError>) {
        let choice = match model::read(answer, &self.choosable(), self.room()) {
            Ok(choice) => choice,
            Err(failure) => return self.basis = Basis::Failed(failure),
        };
        let found = std::mem::take(&mut self.looked_at);
        let (mut looked_at, ranked): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|(_, one)| matches!(one.cause, Cause::Summons(_)));
        let chosen: Vec<usize> =
            choice.places.iter().filter_map(|at| self.open.get(*at).copied()).collect();
        looked_at.extend(chosen.iter().filter_map(|&at| {
            let path = self.headers.get(at)?.path.clone();
            let ranked = ranked.iter().find(|(ranked, _)| *ranked == at).map(|(_, one)| one);
            let (score, coverage) =
                (ranked.and_then(|one| one.score), ranked.and_then(|one| one.coverage));
            Some((at, Candidate { path, cause: Cause::Model, score, coverage, omission: None }))
        }));
        let others = ranked.into_iter().filter(|(at, _)| !chosen.contains(at));
        looked_at.extend(others.map(|(at, one)| {
            let omission = one.omission.or(Some(Omission::NotChosen));
            (at, Candidate { omission, ..one })
        }));
        self.silence = chosen.is_empty().then_some(Silence::NoneChosen);
        self.basis = Basis::Model { unknown: choice.unknown };
        self.looked_at = looked_at;
    }

    /// Reads what was selected.
    pub fn attach<S: ReadStore + ?Sized>(self, store: &S) -> Recall {
        let Self { options, headers, looked_at, silence, basis, problems, bad_patterns, .. } = self;
        let mut attach = Attach::new(store, &options, problems);
        let mut attachments = Vec::new();
        let mut candidates = Vec::new();
        for (at, mut candidate) in looked_at {
            if let (None, Some(header)) = (&candidate.omission, headers.get(at)) {
                let attachment = attach.read(header, &candidate.cause);
                candidate.omission = attachment.is_none().then_some(Omission::Unreadable);
                attachments.extend(attachment);
            }
            candidates.push(candidate);
        }
        Recall {
            silence: attachments.is_empty().then(|| silence.unwrap_or(Silence::Unreadable)),
            attachments,
            candidates,
            basis,
            problems: attach.problems,
            bad_patterns,
            considered: headers.len(),
        }
    }

    fn reason_not_to_ask(&self, query: &Query<'_>, when: When) -> Option<Skip> {
        if self.open.is_empty() {
            return Some(Skip::NothingToChoose);
        }
        if self.room() == 0 {
            return Some(Skip::NoRoom);
        }
        if query.text.trim().is_empty() || self.silence == Some(Silence::NoWords) {
            return Some(Skip::NoWords);
        }
        if when == When::Always {
            return None;
        }
        if self.silence == Some(Silence::OnlyCommonWords) {
            return Some(Skip::OnlyCommonWords);
        }
        if self.open.len() <= limits::FEW {
            return Some(Skip::Few);
        }
        let percent = percent(self.coverage.filter(|_| self.silence.is_none())?);
        (percent >= limits::CONFIDENT_PERCENT).then_some(Skip::Confident { percent })
    }

    /// How many memories may still be chosen.
    fn room(&self) -> usize {
        let summoned = self
            .looked_at
            .iter()
            .filter(|(_, one)| matches!(one.cause, Cause::Summons(_)) && one.omission.is_none());
        self.options.max.saturating_sub(summoned.count())
    }

    fn choosable(&self) -> Vec<Header> {
        self.open.iter().filter_map(|at| self.headers.get(*at).cloned()).collect()
    }
}

fn percent(share: f32) -> u8 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
    let percent = (share * 100.0) as u8;
    percent
}
