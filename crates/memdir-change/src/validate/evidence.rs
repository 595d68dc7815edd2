//! Whether somebody said so, and who.

use std::collections::BTreeSet;

use memdir_core::MemPath;
use memdir_core::frontmatter::{Origin, decode};

use super::Judge;
use crate::digest::plain;
use crate::limits::QUOTE_CHARS;
use crate::shown::shown;
use crate::snapshot::Known;
use crate::{Evidence, Hold, Operation};

/// Who an operation comes from, as far as its evidence shows.
#[derive(Debug, Clone)]
pub(super) struct Support {
    pub(super) origin: Origin,
    pub(super) session: Option<String>,
    /// Why a person should look first.
    pub(super) hold: Option<Hold>,
}

impl Judge<'_> {
    /// Looks up what an operation quotes. Without a quote it may say only what stands in its `sources`, line by line.
    pub(super) fn support(
        &self,
        operation: &Operation,
        says: &[&str],
        sources: &[&Known],
    ) -> Support {
        let mut origin = operation.origin;
        let mut session = None;
        let mut unproven = None;
        for evidence in &operation.evidence {
            match self.look_up(evidence) {
                Ok((from, of)) => {
                    origin = further(origin, from);
                    session = session.or(of);
                }
                Err(why) => unproven = unproven.or(Some(why)),
            }
        }
        if operation.evidence.is_empty() {
            let own = sources.iter().filter_map(|known| known.fields.origin);
            origin = own.fold(origin, further);
            if !is_within(says, sources) {
                unproven = Some("it quotes nobody".to_owned());
            }
        }
        let hold = match unproven {
            Some(why) => Some(Hold::Unproven { why }),
            None if origin == Origin::External => Some(Hold::External),
            None => None,
        };
        let session = session.or_else(|| self.terms.session.map(str::to_owned));
        Support { origin, session, hold }
    }

    /// Who said what is quoted, and in which conversation; or what is wrong with the quote.
    fn look_up(&self, evidence: &Evidence) -> Result<(Origin, Option<String>), String> {
        let Evidence { session, message: id, quote } = evidence;
        let quote = plain(quote);
        let weight =
            |c: char| if is_cjk(c) { QUOTE_CHARS / 2 } else { usize::from(c.is_alphanumeric()) };
        if quote.chars().map(weight).sum::<usize>() < QUOTE_CHARS {
            return Err(format!("`{}` is too short a quote", shown(&quote)));
        }
        if let (Some(message), Some(text)) = (self.terms.messages.get(id), self.messages.get(&**id))
        {
            let of = message.session.as_deref().or(self.terms.session);
            if session.as_deref().is_some_and(|named| of.is_some_and(|of| of != named)) {
                return Err(format!("message `{}` is of another conversation", shown(id)));
            }
            return if text.contains(&quote) {
                Ok((message.origin, of.map(str::to_owned)))
            } else {
                Err(format!("message `{}` does not say so", shown(id)))
            };
        }
        let known = MemPath::parse(id).ok().and_then(|path| self.snapshot.memory(&path));
        match known {
            Some(known) if plain(&decode(&known.bytes).0).contains(&quote) => {
                let session = known.fields.origin_session.clone();
                Ok((known.fields.origin.unwrap_or(Origin::Agent), session))
            }
            Some(_) => Err(format!("memory `{}` does not say so", shown(id))),
            None => Err(format!("there is no message `{}`", shown(id))),
        }
    }
}

/// Whether each line stands in one of the sources.
fn is_within(says: &[&str], sources: &[&Known]) -> bool {
    let mut known = BTreeSet::new();
    for source in sources {
        let described = source.fields.description.iter().chain(&source.fields.name);
        known.extend(described.map(|text| plain(text)));
        known.extend(source.body().lines().map(plain));
    }
    let mut lines = says.iter().flat_map(|text| text.lines()).map(plain);
    lines.all(|line| line.is_empty() || known.contains(&line))
}

/// Of two origins the one that is trusted less.
pub(super) fn further(one: Origin, other: Origin) -> Origin {
    let distance = |origin| match origin {
        Origin::User => 0,
        Origin::Agent => 1,
        _ => 2,
    };
    if distance(other) > distance(one) { other } else { one }
}

/// Writing in which two characters are a word.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}
