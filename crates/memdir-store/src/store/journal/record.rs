//! The lines of the journal, as they are written and read; see `docs/formats.md`.

use memdir_core::{
    MemPath,
    age::{format_rfc3339, parse_date},
};

use super::operation::{Amend, Image, Images, Operation, Step};
use crate::{
    Actor, Attribution, LineChanged, OpId, OpKind, PartUndone, Revision,
    store::layout::{self, VERSION},
};

mod line;

use line::{
    AmendLine, ClashLine, FileLine, IndexLine, IntentLine, Line, ObservedLine, PartLine, Stamp,
};

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Record {
    /// An operation is about to happen; from here on it counts.
    Intent(Operation),
    /// What somebody else wrote meanwhile was merged into a file of the operation.
    Amend(OpId, MemPath, Amend),
    /// The operation happened.
    Done(OpId),
    /// The operation was taken back.
    Abort(OpId, String),
    /// Two contents of a file could not be put together; `kept` is the one that is not in the file.
    Conflict(Clash),
    /// Somebody else had changed a file.
    Observed(Observed),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clash {
    pub(crate) id: OpId,
    pub(crate) path: MemPath,
    pub(crate) expected: Option<Revision>,
    pub(crate) found: Option<Revision>,
    pub(crate) kept: Option<Revision>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Observed {
    pub(crate) id: OpId,
    pub(crate) at: std::time::SystemTime,
    pub(crate) path: MemPath,
    pub(crate) before: Option<Revision>,
    pub(crate) after: Option<Revision>,
    /// The content found; an object also where the next operation holds it as its image before.
    pub(crate) image: Image,
}

impl Observed {
    /// Returns it in the form of an operation, to be shown and undone like one.
    pub(crate) fn into_operation(self) -> Operation {
        let nobody = Attribution::new(Actor::Worker(String::new()));
        let mut operation = Operation::new(self.id, self.at, OpKind::Observed, nobody);
        let before = self.before.map_or(Image::NoFile, |_| Image::Object);
        operation.steps.push(Step {
            raw: self.path.to_string(),
            temp: String::new(),
            path: self.path,
            before: self.before,
            after: self.after,
            images: Images { before, after: self.image, delta: None },
            amends: Vec::new(),
        });
        operation
    }
}

/// Why a line is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// Torn, or never a line of a journal.
    Garbage,
    /// Written by a newer version.
    Newer(u64),
}

impl Record {
    /// Returns the line, its line end included.
    pub(crate) fn to_line(&self) -> String {
        let line = serde_json::to_string(&Line::from(self));
        let mut line = line.expect("numbers, texts and lists are always JSON");
        line.push('\n');
        line
    }

    /// Reads a line without its line end.
    pub(crate) fn from_line(line: &[u8]) -> Result<Self, Unread> {
        let parsed: Result<Line, _> = serde_json::from_slice(line);
        let record = parsed.ok().and_then(|line| Self::try_from(line).ok());
        record.ok_or_else(|| match serde_json::from_slice(line) {
            Ok(Stamp { v }) if v > VERSION => Unread::Newer(v),
            _ => Unread::Garbage,
        })
    }

    /// Returns the operation that the line belongs to.
    pub(crate) fn id(&self) -> &OpId {
        match self {
            Self::Intent(operation) => &operation.id,
            Self::Amend(id, ..) | Self::Done(id) | Self::Abort(id, _) => id,
            Self::Conflict(clash) => &clash.id,
            Self::Observed(observed) => &observed.id,
        }
    }
}

impl From<&Record> for Line {
    fn from(record: &Record) -> Self {
        let v = VERSION;
        match record {
            Record::Intent(operation) => Self::Intent(operation.into()),
            Record::Amend(id, path, amend) => Self::Amend(AmendLine {
                v,
                id: id.to_string(),
                path: path.to_string(),
                temp: name_of(&amend.temp),
                before: amend.before.map(|r| r.to_string()),
                after: amend.after.to_string(),
                post: inline(&amend.merged),
                seen: amend.seen.to_string(),
                kept: inline(&amend.kept),
            }),
            Record::Done(id) => Self::Done { v, id: id.to_string() },
            Record::Abort(id, why) => Self::Abort { v, id: id.to_string(), why: why.clone() },
            Record::Conflict(clash) => Self::Conflict(ClashLine {
                v,
                id: clash.id.to_string(),
                path: clash.path.to_string(),
                expected: clash.expected.map(|r| r.to_string()),
                found: clash.found.map(|r| r.to_string()),
                kept: clash.kept.map(|r| r.to_string()),
            }),
            Record::Observed(observed) => Self::Observed(ObservedLine {
                v,
                id: observed.id.to_string(),
                at: format_rfc3339(observed.at),
                path: observed.path.to_string(),
                before: observed.before.map(|r| r.to_string()),
                after: observed.after.map(|r| r.to_string()),
                post: inline(&observed.image),
            }),
        }
    }
}

impl From<&Operation> for IntentLine {
    fn from(operation: &Operation) -> Self {
        let Attribution { actor, run, session, reason } = &operation.by;
        let index = operation.lines.iter().map(|line| IndexLine {
            path: line.path.to_string(),
            before: line.before.clone(),
            after: line.after.clone(),
        });
        Self {
            v: VERSION,
            id: operation.id.to_string(),
            at: format_rfc3339(operation.at),
            kind: operation.kind.to_string(),
            actor: actor.as_text(),
            run: run.clone(),
            session: session.clone(),
            reason: reason.clone(),
            files: operation.steps.iter().map(FileLine::from).collect(),
            index: index.collect(),
            folders: operation.folders.clone(),
            undoes: operation.undoes.iter().map(OpId::to_string).collect(),
            undoes_part: operation.undoes_part.iter().map(PartLine::from).collect(),
        }
    }
}

impl From<&PartUndone> for PartLine {
    fn from(part: &PartUndone) -> Self {
        let files = part.files.iter().map(MemPath::to_string).collect();
        Self { id: part.op.to_string(), files }
    }
}

impl From<&Step> for FileLine {
    fn from(step: &Step) -> Self {
        let Images { before, after, delta } = &step.images;
        let written = |image| inline(image).filter(|_| delta.is_none());
        let (pre, post, delta) = (written(before), written(after), delta.clone());
        Self {
            path: step.path.to_string(),
            raw: Some(step.raw.clone()).filter(|raw| raw != step.path.as_str()),
            temp: name_of(&step.temp),
            before: step.before.map(|r| r.to_string()),
            after: step.after.map(|r| r.to_string()),
            pre,
            post,
            delta,
        }
    }
}

/// A line that is JSON and yet says nothing that could be done.
struct Nonsense;

impl TryFrom<Line> for Record {
    type Error = Nonsense;

    fn try_from(line: Line) -> Result<Self, Nonsense> {
        Ok(match line {
            Line::Intent(line) => Self::Intent(line.try_into()?),
            Line::Amend(line) => {
                check(line.v)?;
                let (after, seen) = (revision(&line.after)?, revision(&line.seen)?);
                let path = path(&line.path)?;
                let amend = Amend {
                    temp: temp_beside(path.as_str(), &line.temp)?,
                    before: optional(line.before.as_deref())?,
                    after,
                    merged: image(Some(after), line.post),
                    seen,
                    kept: image(Some(seen), line.kept),
                };
                Self::Amend(id(&line.id)?, path, amend)
            }
            Line::Done { v, id: text } => check(v).and_then(|()| id(&text)).map(Self::Done)?,
            Line::Abort { v, id: text, why } => {
                check(v)?;
                Self::Abort(id(&text)?, why)
            }
            Line::Conflict(line) => {
                check(line.v)?;
                Self::Conflict(Clash {
                    id: id(&line.id)?,
                    path: path(&line.path)?,
                    expected: optional(line.expected.as_deref())?,
                    found: optional(line.found.as_deref())?,
                    kept: optional(line.kept.as_deref())?,
                })
            }
            Line::Observed(line) => {
                check(line.v)?;
                let after = optional(line.after.as_deref())?;
                Self::Observed(Observed {
                    id: id(&line.id)?,
                    at: parse_date(&line.at).ok_or(Nonsense)?,
                    path: path(&line.path)?,
                    before: optional(line.before.as_deref())?,
                    after,
                    image: image(after, line.post),
                })
            }
        })
    }
}

impl TryFrom<IntentLine> for Operation {
    type Error = Nonsense;

    fn try_from(line: IntentLine) -> Result<Self, Nonsense> {
        check(line.v)?;
        for folder in &line.folders {
            path(folder)?;
        }
        let lines = line
            .index
            .into_iter()
            .map(|index| Ok(LineChanged::new(path(&index.path)?, index.before, index.after)));
        Ok(Self {
            id: id(&line.id)?,
            at: parse_date(&line.at).ok_or(Nonsense)?,
            kind: OpKind::parse(&line.kind),
            by: Attribution {
                actor: Actor::from_text(&line.actor),
                run: line.run,
                session: line.session,
                reason: line.reason,
            },
            steps: line.files.into_iter().map(Step::try_from).collect::<Result<_, _>>()?,
            lines: lines.collect::<Result<_, _>>()?,
            folders: line.folders,
            undoes: line.undoes.iter().map(|text| id(text)).collect::<Result<_, _>>()?,
            undoes_part: line.undoes_part.iter().map(part).collect::<Result<_, _>>()?,
        })
    }
}

fn part(line: &PartLine) -> Result<PartUndone, Nonsense> {
    let files = line.files.iter().map(|file| path(file)).collect::<Result<_, _>>()?;
    Ok(PartUndone::new(id(&line.id)?, files))
}

impl TryFrom<FileLine> for Step {
    type Error = Nonsense;

    fn try_from(line: FileLine) -> Result<Self, Nonsense> {
        let path = path(&line.path)?;
        let raw = line.raw.unwrap_or_else(|| path.to_string());
        // Whatever a journal says, a memory is written under a name that means that memory.
        if MemPath::parse(&raw).ok().as_ref() != Some(&path) {
            return Err(Nonsense);
        }
        let (before, after) = (optional(line.before.as_deref())?, optional(line.after.as_deref())?);
        let images = Images {
            before: image(before, line.pre),
            after: image(after, line.post),
            delta: line.delta,
        };
        let temp = temp_beside(&raw, &line.temp)?;
        Ok(Self { path, raw, temp, before, after, images, amends: Vec::new() })
    }
}

fn check(version: u64) -> Result<(), Nonsense> {
    (version == VERSION).then_some(()).ok_or(Nonsense)
}

fn id(text: &str) -> Result<OpId, Nonsense> {
    text.parse().map_err(|_| Nonsense)
}

fn path(text: &str) -> Result<MemPath, Nonsense> {
    MemPath::parse(text).map_err(|_| Nonsense)
}

fn revision(text: &str) -> Result<Revision, Nonsense> {
    text.parse().map_err(|_| Nonsense)
}

fn optional(text: Option<&str>) -> Result<Option<Revision>, Nonsense> {
    text.map(revision).transpose()
}

fn name_of(temp: &str) -> String {
    temp.rsplit_once('/').map_or(temp, |(_, name)| name).to_owned()
}

fn temp_beside(raw: &str, name: &str) -> Result<String, Nonsense> {
    let fits = layout::is_temp(name);
    fits.then(|| layout::join(layout::folder_of(raw), name)).ok_or(Nonsense)
}

fn inline(image: &Image) -> Option<String> {
    match image {
        Image::Bytes(bytes) if image.is_inline() => String::from_utf8(bytes.clone()).ok(),
        Image::NoFile | Image::Bytes(_) | Image::Object => None,
    }
}

fn image(revision: Option<Revision>, text: Option<String>) -> Image {
    match (revision, text) {
        (None, _) => Image::NoFile,
        (Some(_), None) => Image::Object,
        (Some(_), Some(text)) => Image::Bytes(text.into_bytes()),
    }
}
