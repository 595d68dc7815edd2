//! Which memories an answer is made of, before any is read.

use std::collections::BTreeSet;

use memdir_scan::Header;
use memdir_store::{ReadStore, Revision};

use crate::{
    BadPattern, Candidate, Cause, Document, Hit, Lexical, Omission, Query, Ranking, Silence,
    Surfaced, limits, summons::Bell, tools::is_manual_of,
};

/// What was looked at.
pub(crate) struct Selection {
    /// In the order in which it is attached, each with its place among the headers.
    pub(crate) candidates: Vec<(usize, Candidate)>,
    /// Why the ranking found nothing.
    pub(crate) silence: Option<Silence>,
    /// The share of the question that the best hit has.
    pub(crate) coverage: Option<f32>,
    pub(crate) bad_patterns: Vec<BadPattern>,
}

/// Selects what helps with a question, at most `max` memories: first what its triggers or files bring up, the newest
/// first, then what the ranking finds.
pub(crate) fn select<S: ReadStore + ?Sized>(
    store: &S,
    lexical: &Lexical,
    query: &Query<'_>,
    headers: &[Header],
    documents: &[Document<'_>],
    max: usize,
) -> Selection {
    let mut bell = Bell::of(query);
    let mut summoned = Vec::new();
    let mut candidates = Vec::new();
    let mut room = max;
    for (at, header) in headers.iter().enumerate() {
        let Some(summons) = bell.calls(header) else { continue };
        let omission = if is_surfaced(store, header, query.surfaced) {
            Some(Omission::Surfaced)
        } else if room == 0 {
            Some(Omission::TooMany)
        } else {
            room -= 1;
            None
        };
        summoned.push(at);
        let path = header.path.clone();
        let cause = Cause::Summons(summons);
        candidates.push((at, Candidate { path, cause, score: None, coverage: None, omission }));
    }
    let mut omitted = Vec::new();
    let ranking = lexical.rank_where(query, documents, |at| {
        let (Some(header), Some(document)) = (headers.get(at), documents.get(at)) else {
            return false;
        };
        if summoned.contains(&at) {
            return false;
        }
        let omission = if is_surfaced(store, header, query.surfaced) {
            Some(Omission::Surfaced)
        } else {
            is_manual_of(document, query.tools).map(|tool| Omission::ToolInUse(tool.to_owned()))
        };
        let is_wanted = omission.is_none();
        omitted.extend(omission.map(|omission| (at, omission)));
        is_wanted
    });
    let candidate = |hit: &Hit, omission| {
        let header = headers.get(hit.index)?;
        let found = Candidate {
            path: header.path.clone(),
            cause: Cause::Words(hit.why.clone()),
            score: Some(hit.score),
            coverage: Some(hit.coverage),
            omission,
        };
        Some((hit.index, found))
    };
    let near = ranking.best(max).len();
    for (place, hit) in ranking.hits.iter().enumerate() {
        let omission = match place {
            place if place >= room => Some(Omission::TooMany),
            place if place >= near => Some(Omission::FarBehind { percent: percent(hit, &ranking) }),
            _ => None,
        };
        candidates.extend(candidate(hit, omission));
    }
    for hit in ranking.passed_over.iter().filter(|hit| !summoned.contains(&hit.index)) {
        let omission = omitted.iter().find(|(at, _)| *at == hit.index);
        let omission = omission.map_or(Omission::TooLittle, |(_, omission)| omission.clone());
        candidates.extend(candidate(hit, Some(omission)));
    }
    Selection {
        candidates,
        silence: ranking.silence,
        coverage: ranking.hits.first().map(|best| best.coverage),
        bad_patterns: bell.bad_patterns,
    }
}

/// What a model may choose from, as places among the headers, in their order: what is left when the conversation, the triggers and the
/// files have had theirs. Of too many the best by words, and the newest.
pub(crate) fn open<S: ReadStore + ?Sized>(
    store: &S,
    query: &Query<'_>,
    headers: &[Header],
    documents: &[Document<'_>],
    found: &[(usize, Candidate)],
) -> Vec<usize> {
    let is_open = |at: usize, header: &Header, document: &Document<'_>| {
        let mut summoned = found.iter().filter(|(_, one)| matches!(one.cause, Cause::Summons(_)));
        summoned.all(|(place, _)| *place != at)
            && !is_surfaced(store, header, query.surfaced)
            && is_manual_of(document, query.tools).is_none()
    };
    let memories = headers.iter().zip(documents).enumerate();
    let open: Vec<usize> = memories
        .filter(|(at, (header, document))| is_open(*at, header, document))
        .map(|(at, _)| at)
        .collect();
    if open.len() <= limits::CHOOSABLE {
        return open;
    }
    let newest = open.iter().take(limits::CHOOSABLE_NEWEST);
    let by_words = found.iter().map(|(at, _)| at).filter(|at| open.contains(at));
    let others = open.iter().skip(limits::CHOOSABLE_NEWEST);
    let mut chosen = BTreeSet::new();
    for at in newest.chain(by_words).chain(others) {
        if chosen.len() == limits::CHOOSABLE {
            break;
        }
        chosen.insert(*at);
    }
    chosen.into_iter().collect()
}

/// Whether the conversation has this memory as it is now.
fn is_surfaced<S: ReadStore + ?Sized>(store: &S, header: &Header, surfaced: &[Surfaced]) -> bool {
    let mut shown = surfaced.iter().filter(|shown| shown.path == header.path).peekable();
    if shown.peek().is_none() {
        return false;
    }
    // Unreadable now counts as unchanged: there is nothing new to show.
    let now = store.read(&header.path).ok().flatten().map(|bytes| Revision::of(&bytes));
    shown.any(|shown| shown.revision.is_none() || now.is_none() || shown.revision == now)
}

fn percent(hit: &Hit, ranking: &Ranking) -> u8 {
    let best = ranking.hits.first().map_or(hit.score, |best| best.score);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
    let percent = (hit.score / best * 100.0) as u8;
    percent
}
