//! Judging a plan: each operation alone, then what depends on one another, then what the whole would take away.

mod check;
mod evidence;
mod groups;
mod prepare;

pub(crate) use check::check_file;

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use memdir_core::frontmatter::Origin;
use memdir_core::text::fold;
use memdir_core::{MemPath, MemoryType};
use memdir_guard::{Finding, Kind, hidden, instructions, secrets};
use memdir_store::IndexOp;

use crate::digest::{Digest, plain};
use crate::limits::INDEX_LINE_BYTES;
use crate::place::place;
use crate::shown::{shown, without_secrets};
use crate::snapshot::Snapshot;
use crate::tombstones::Forgotten;
use crate::verdict::{FileChange, Prepared};
use crate::{
    Change, Hold, Judged, Judgement, Mode, Operation, Plan, Policy, Rule, Tombstones, Verdict,
};

/// What a plan is judged by, besides the memories.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Terms<'a> {
    /// Dates what is written.
    pub now: SystemTime,
    /// What the run may do by itself.
    pub policy: &'a Policy,
    /// What was forgotten.
    pub tombstones: &'a Tombstones,
    /// The messages that the run was shown, by id.
    pub messages: &'a BTreeMap<String, Message>,
    /// The conversation that the run is about; a message may name another one.
    pub session: Option<&'a str>,
}

impl<'a> Terms<'a> {
    /// Puts them together, without a conversation.
    pub fn new(
        now: SystemTime,
        policy: &'a Policy,
        tombstones: &'a Tombstones,
        messages: &'a BTreeMap<String, Message>,
    ) -> Self {
        Self { now, policy, tombstones, messages, session: None }
    }

    /// Names the conversation that the run is about.
    #[must_use]
    pub fn session(self, session: &'a str) -> Self {
        Self { session: Some(session), ..self }
    }
}

/// A message that may be quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// Its text, as the run was shown it.
    pub text: String,
    /// Who said it; what a tool fetched from outside is external.
    pub origin: Origin,
    /// Its conversation; absent: the one that the run is about.
    pub session: Option<String>,
}

impl Message {
    /// A message of the conversation that the run is about.
    pub fn new(text: impl Into<String>, origin: Origin) -> Self {
        Self { text: text.into(), origin, session: None }
    }

    /// Names its conversation.
    #[must_use]
    pub fn session(self, session: impl Into<String>) -> Self {
        Self { session: Some(session.into()), ..self }
    }
}

/// A rule that an operation breaks, and how.
#[derive(Debug, Clone)]
pub(crate) struct Objection {
    pub(crate) rule: Rule,
    pub(crate) reason: String,
}

impl Objection {
    pub(crate) fn new(rule: Rule, reason: impl Into<String>) -> Self {
        Self { rule, reason: reason.into() }
    }
}

/// Why an operation is prepared no further.
enum Stop {
    Refused(Objection),
    Known(MemPath),
}

impl From<Objection> for Stop {
    fn from(objection: Objection) -> Self {
        Self::Refused(objection)
    }
}

/// Judges a plan: what may be done, what waits for a person, what is refused, by which rule and why.
///
/// A function over values; nothing is written. What is accepted keeps these rules on the memories of the snapshot: no
/// operation touches what is pinned, shared or a log; every memory has a name, a description, one of the four types and no
/// secret; nobody's words are made up and nothing that was forgotten comes back; operations of one group go together; and
/// no more is taken away than the [`Policy`] allows.
pub fn validate(plan: &Plan, snapshot: &Snapshot, terms: &Terms<'_>) -> Verdict {
    let judge = Judge::new(snapshot, terms);
    let (mut cases, owners) = judge.each(plan);
    judge.index_lines(plan, &mut cases, &owners);
    refuse_known_that_change(&mut cases, &owners);
    let groups = groups::of(plan, &cases, &owners);
    groups::settle(&mut cases, &groups);
    if groups::brake(&mut cases, snapshot.size(), terms.policy) {
        groups::settle(&mut cases, &groups);
    }
    let mut verdict = Verdict::default();
    for (number, (operation, case)) in plan.operations.iter().zip(cases).enumerate() {
        verdict.judged.push(Judged {
            operation: number,
            word: operation.change.word(),
            group: groups.get(number).copied().unwrap_or(number),
            judgement: case.judgement,
        });
        let asked = (!case.prepared.files.is_empty() || !case.prepared.index.is_empty())
            .then(|| operation.clone());
        verdict.prepared.push(Prepared { asked, ..case.prepared });
    }
    verdict
}

/// An operation on its way to a judgement.
#[derive(Debug)]
struct Case {
    judgement: Judgement,
    prepared: Prepared,
}

impl Case {
    fn refuse(&mut self, rule: Rule, reason: impl AsRef<str>) {
        // A reason repeats names and paths as a model wrote them.
        let reason = without_secrets(reason.as_ref());
        *self =
            Self { judgement: Judgement::Refused { rule, reason }, prepared: Prepared::default() };
    }

    fn refused(objection: Objection) -> Self {
        let mut case = Self { judgement: Judgement::Accepted, prepared: Prepared::default() };
        case.refuse(objection.rule, objection.reason);
        case
    }
}

/// The memories, looked up in every way that judging needs.
struct Judge<'a> {
    snapshot: &'a Snapshot,
    terms: &'a Terms<'a>,
    forgotten: Forgotten<'a>,
    index: String,
    /// By the spelling that some file system takes for the same.
    twins: BTreeMap<String, &'a MemPath>,
    /// By type and folded name.
    names: BTreeMap<(Option<MemoryType>, String), Vec<&'a MemPath>>,
    /// By what they say.
    texts: BTreeMap<Digest, &'a MemPath>,
    /// The messages, as quotes are compared.
    messages: BTreeMap<&'a str, String>,
}

impl<'a> Judge<'a> {
    fn new(snapshot: &'a Snapshot, terms: &'a Terms<'a>) -> Self {
        let mut names: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let (mut twins, mut texts) = (BTreeMap::new(), BTreeMap::new());
        for (path, known) in snapshot.memories() {
            twins.insert(path.twin_key(), path);
            if let Some(name) = &known.fields.name {
                names.entry((known.fields.kind, fold(name).into_owned())).or_default().push(path);
            }
            texts.extend(Digest::of(&known.body()).map(|text| (text, path)));
        }
        let messages = terms.messages.iter();
        Self {
            snapshot,
            terms,
            forgotten: terms.tombstones.forgotten(),
            index: snapshot.index_text(),
            twins,
            names,
            texts,
            messages: messages.map(|(id, message)| (&**id, plain(&message.text))).collect(),
        }
    }

    /// Judges each operation alone. A file goes to the first that is about it; a second one is refused.
    fn each(&self, plan: &Plan) -> (Vec<Case>, Owners) {
        let mut owners = Owners::new();
        let mut cases = Vec::new();
        for (number, operation) in plan.operations.iter().enumerate() {
            let twice = |owner: usize| {
                let reason = format!("operation {owner} is about the same memory");
                Case::refused(Objection::new(Rule::Twice, reason))
            };
            let owner = |key: String| owners.get(&key).copied();
            let key = |text: &str| Some(MemPath::parse(text).ok()?.twin_key());
            let named = operation.change.sources().into_iter();
            // Told without looking at the text: a plan may say the same ten thousand times.
            if let Some(owner) = named.filter_map(key).find_map(owner) {
                cases.push(twice(owner));
                continue;
            }
            let case = self.case(operation);
            let files = case.prepared.files.iter();
            let keys: Vec<_> = files.map(|file| file.path.twin_key()).collect();
            if let Some(owner) = keys.iter().cloned().find_map(owner) {
                cases.push(twice(owner));
                continue;
            }
            owners.extend(keys.into_iter().map(|key| (key, number)));
            cases.push(case);
        }
        (cases, owners)
    }

    /// Judges an operation alone.
    fn case(&self, operation: &Operation) -> Case {
        let made = match self.prepare(operation) {
            Ok(made) => made,
            Err(Stop::Refused(objection)) => return Case::refused(objection),
            Err(Stop::Known(path)) => {
                let judgement = Judgement::Known { path };
                return Case { judgement, prepared: Prepared::default() };
            }
        };
        let Some(word) = operation.change.word() else {
            return Case::refused(Objection::new(Rule::Shape, "it could not be understood"));
        };
        let rule = self.terms.policy.mode(word, made.types);
        if rule == Mode::Off {
            let reason = format!("the policy lets no run {word} such memories");
            return Case::refused(Objection::new(Rule::Off, reason));
        }
        let empties = made.files.iter().any(|file| file.is_emptied);
        let removal = self.terms.policy.mode(crate::OpWord::Delete, []);
        let hold = if rule == Mode::Review || (empties && removal != Mode::Auto) {
            Some(Hold::Review)
        } else {
            made.hold
        };
        Case {
            judgement: hold.map_or(Judgement::Accepted, Judgement::Held),
            prepared: Prepared { files: made.files, index: made.index, asked: None },
        }
    }

    /// Judges the changes of the index, which may be about memories that the plan makes.
    fn index_lines(&self, plan: &Plan, cases: &mut [Case], owners: &Owners) {
        let mut lines = BTreeSet::new();
        for (number, operation) in plan.operations.iter().enumerate() {
            let Change::Index { path, title, hook } = &operation.change else { continue };
            let judged = self.index_line(path, title, hook).and_then(|path| {
                let made = owners.get(&path.twin_key()).and_then(|owner| cases.get(*owner));
                let file =
                    made.and_then(|case| case.prepared.files.iter().find(|file| file.path == path));
                let exists = match file {
                    Some(file) => file.after.is_some(),
                    None => self.snapshot.memory(&path).is_some(),
                };
                if !exists {
                    let reason = format!("the line would lead to `{path}`, which is not there");
                    return Err(Objection::new(Rule::Missing, reason));
                }
                if !lines.insert(path.clone()) {
                    let reason = format!("another operation words the line of `{path}`");
                    return Err(Objection::new(Rule::Twice, reason));
                }
                Ok(path)
            });
            let Some(case) = cases.get_mut(number) else { continue };
            match judged {
                Err(objection) => case.refuse(objection.rule, objection.reason),
                Ok(path) => {
                    let (title, hook) = (title.clone(), hook.clone());
                    case.prepared.index.push(IndexOp::Upsert { path, title, hook });
                }
            }
        }
    }

    fn index_line(&self, path: &str, title: &str, hook: &str) -> Result<MemPath, Objection> {
        let path = place(path)?;
        if self.snapshot.memory(&path).is_some_and(|known| known.fields.pinned) {
            return Err(Objection::new(Rule::Pinned, format!("`{path}` is pinned")));
        }
        if title.trim().is_empty() {
            return Err(Objection::new(Rule::Frontmatter, "the title is empty"));
        }
        refuse_secrets("title", title)?;
        refuse_secrets("hook", hook)?;
        if title.len() + hook.len() > INDEX_LINE_BYTES {
            let reason = format!("title and hook have over {INDEX_LINE_BYTES} bytes");
            return Err(Objection::new(Rule::Size, reason));
        }
        match self.forgotten.forbids_text(&format!("{title}\n{hook}"), &BTreeSet::new()) {
            Some(why) => Err(Objection::new(Rule::Forgotten, why)),
            None => Ok(path),
        }
    }
}

/// Of the files, by the spelling that some file system takes for the same, the operation that is about it.
type Owners = BTreeMap<String, usize>;

/// A memory that another operation changes does not vouch for a text.
fn refuse_known_that_change(cases: &mut [Case], owners: &Owners) {
    for case in cases {
        let Judgement::Known { path } = &case.judgement else { continue };
        if let Some(owner) = owners.get(&path.twin_key()) {
            let reason = format!("`{path}` says so already, but operation {owner} changes that");
            case.refuse(Rule::Twice, reason);
        }
    }
}

fn refuse_secrets(what: &str, text: &str) -> Result<(), Objection> {
    match secrets(text).into_iter().next() {
        Some(found) => Err(Objection::new(Rule::Secret, format!("its {what} {}", found.kind))),
        None => Ok(()),
    }
}

/// Refuses a text with secrets that the one before did not have; told by rule and line alone.
fn refuse_new_secrets(text: &str, before: Option<&str>) -> Result<(), Objection> {
    match last_new(secrets, text, before) {
        Some(found) => Err(Objection::new(Rule::Secret, format!("its text, in {found}"))),
        None => Ok(()),
    }
}

/// What in a text a person should look at that the one before did not have.
fn suspicious(text: &str, before: Option<&str>) -> Option<Hold> {
    let found = last_new(|text| [hidden(text), instructions(text)].concat(), text, before)?;
    Some(Hold::Suspicious { what: shown(&found.to_string()) })
}

/// The last finding that the text before did not have, or not as often; a finding is known by its kind and what was found.
fn last_new(
    find: impl Fn(&str) -> Vec<Finding>,
    text: &str,
    before: Option<&str>,
) -> Option<Finding> {
    let mut known: BTreeMap<(Kind, &str), usize> = BTreeMap::new();
    let before = before.unwrap_or_default();
    for found in find(before) {
        let words = before.get(found.span).unwrap_or_default();
        *known.entry((found.kind, words)).or_default() += 1;
    }
    let is_new = |found: &Finding| {
        let words = text.get(found.span.clone()).unwrap_or_default();
        match known.get_mut(&(found.kind.clone(), words)) {
            Some(times) if *times > 0 => {
                *times -= 1;
                false
            }
            _ => true,
        }
    };
    find(text).into_iter().rfind(is_new)
}

/// What an operation comes to.
#[derive(Default)]
struct Made {
    files: Vec<FileChange>,
    index: Vec<IndexOp>,
    types: Vec<MemoryType>,
    hold: Option<Hold>,
}
