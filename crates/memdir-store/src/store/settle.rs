//! What to do with content that another program wrote into a file at the same moment: merge it with ours, or leave the
//! file to that program and report a conflict.

use memdir_core::index::Editor;

use crate::{
    Conflict, Error, Revision,
    disk::{Disk, Exchanged, Persist, Renamed},
    limits, merge,
    store::{
        commit::{Context, Foreign, Found, Start, Swap, conflict, is_by_lines},
        files::Seen,
        images,
        journal::{Amend, Image, Record, Replacement, Step},
        objects,
        session::Session,
    },
};

/// How often a merge is made anew because somebody wrote again meanwhile. Ours: each round takes some milliseconds, and
/// who writes that often will write again.
const ROUNDS: usize = 16;

/// The same for an index or a log, where giving way would leave out what others wrote in earlier rounds. Ours: half a
/// second or so of somebody writing without a pause.
const LIST_ROUNDS: usize = 256;

/// How many bytes the rounds of one merge may write before it gives way, whatever their number. Ours: each round keeps both
/// sides in the journal, so this bounds how long the lock is held and how much history one save can push out.
const MERGED_BYTES: usize = 8 * 1024 * 1024;

/// The base of a merge and our version of it; absent: not kept any more.
type Sides = (Option<Vec<u8>>, Option<Vec<u8>>);

impl<D: Disk> Session<'_, D> {
    /// Merges what another program wrote with what the step wants and puts the result into the file, again and again if
    /// that program goes on writing; gives way where the two conflict or the rounds run out.
    pub(crate) fn settle(
        &mut self,
        context: Context<'_>,
        step: &mut Step,
        mut foreign: Foreign,
        mut found: Found,
    ) -> Result<Option<Conflict>, Error> {
        let (mut base, mut wanted) = self.sides(step, found)?;
        let is_list = is_by_lines(context, &step.path) || step.images.delta.is_some();
        let mut written = 0;
        for round in 0..if is_list { LIST_ROUNDS } else { ROUNDS } {
            if written > MERGED_BYTES {
                break;
            }
            let (revision, bytes) = foreign;
            let merged = if round == 0 && step.amends.is_empty() {
                let ours = Ours::first(context, found);
                combine(context, step, base.as_deref(), &bytes, wanted.as_deref(), ours)
            } else {
                combine_again(context, step, base.as_deref(), &bytes, wanted.as_deref())
            };
            let Some(merged) = merged else {
                return self.give_way(context, step, (revision, bytes), found);
            };
            let current = match found {
                Found::Displaced => step.result(),
                Found::InPlace => Some(revision),
            };
            let current_bytes = match found {
                Found::Displaced => wanted.take(),
                Found::InPlace => Some(bytes.clone()),
            };
            written += bytes.len() + merged.len();
            self.amend(context, step, current, (revision, bytes), merged.clone())?;
            match self.swap_in(context, step)? {
                Swap::Done => return Ok(None),
                Swap::Foreign(newer, place) => (foreign, found) = (newer, place),
                Swap::Conflict(conflict) => return Ok(Some(conflict)),
            }
            (base, wanted) = (current_bytes, Some(merged));
        }
        self.give_way(context, step, foreign, found)
    }

    /// Returns the base and our side for the next merge: content before and after the step, or before and after its last
    /// merge.
    fn sides(&self, step: &Step, found: Found) -> Result<Sides, Error> {
        let mut base = images::before(self.files, step, &Seen::Nothing)?;
        // Where the journal has only what differs, our own content in the file is where the rest is.
        let here = match found {
            Found::Displaced => self.files.see(&step.raw)?,
            Found::InPlace => Seen::Nothing,
        };
        let mut wanted = match here {
            Seen::File(revision, bytes) if step.result() == Some(revision) => Some(bytes),
            _ => images::after(self.files, step, &Seen::Nothing)?,
        };
        if let [earlier @ .., last] = step.amends.as_slice() {
            base = match earlier.last() {
                _ if last.before == Some(last.seen) => {
                    images::load(self.files, &last.kept, last.before)?
                }
                Some(earlier) => images::load(self.files, &earlier.merged, last.before)?,
                None => images::after(self.files, step, &Seen::Nothing)?,
            };
            wanted = images::load(self.files, &last.merged, Some(last.after))?;
        }
        Ok((base, wanted))
    }

    /// Writes a merge beside its file and says so in the journal, with what it was made from.
    fn amend(
        &mut self,
        context: Context<'_>,
        step: &mut Step,
        before: Option<Revision>,
        (seen, kept): Foreign,
        merged: Vec<u8>,
    ) -> Result<(), Error> {
        let amend = Amend {
            temp: self.files.temp_beside(&step.raw)?,
            before,
            after: Revision::of(&merged),
            merged: Image::Bytes(merged),
            seen,
            kept: Image::Bytes(kept),
        };
        for image in [&amend.merged, &amend.kept] {
            if let Image::Bytes(bytes) = image
                && !image.is_inline()
            {
                objects::keep(self.files, bytes)?;
            }
        }
        if let Image::Bytes(bytes) = &amend.merged {
            self.files.create(&amend.temp, bytes, Persist::Now)?;
        }
        let record = Record::Amend(context.id.clone(), step.path.clone(), amend.clone());
        // Noted first: the temporary file is known to the step, whatever becomes of the line.
        step.amends.push(amend);
        let written = self.journal.append(&[record], Persist::Now);
        if written.is_err() {
            self.forget_amend(step);
        }
        written.map(drop)
    }

    /// Takes back a merge that is not in the journal and so never counts.
    fn forget_amend(&mut self, step: &mut Step) {
        if let Some(amend) = step.amends.pop() {
            self.leaves_rest |= self.files.remove(&amend.temp).is_err();
        }
    }

    /// Leaves the file to whoever wrote it.
    fn give_way(
        &mut self,
        context: Context<'_>,
        step: &Step,
        (revision, bytes): Foreign,
        found: Found,
    ) -> Result<Option<Conflict>, Error> {
        let seen = Seen::File(revision, bytes);
        if found == Found::Displaced {
            self.put_back(context, step, step.replacement(), Some(&seen))?;
        }
        Ok(Some(conflict(step, &seen)))
    }

    /// Swaps back what a replacement swapped out, so that it stands under its name again.
    ///
    /// If somebody wrote in between, theirs is newer and stays, and what was swapped out is kept in the journal.
    pub(crate) fn put_back(
        &mut self,
        context: Context<'_>,
        step: &Step,
        replacement: Replacement<'_>,
        displaced: Option<&Seen>,
    ) -> Result<(), Error> {
        let Replacement { temp, after: mut expected, .. } = replacement;
        let mut older = displaced.cloned();
        for _ in 0..ROUNDS {
            match self.files.exchange(temp, &step.raw)? {
                Exchanged::Done => {}
                // Somebody took the name away; what was under it before must not be lost for that.
                Exchanged::Absent => match self.files.rename_new(temp, &step.raw)? {
                    Renamed::Done => return Ok(()),
                    Renamed::Exists => continue,
                },
                Exchanged::Unsupported => return Ok(()),
            }
            let newer = self.files.see(temp)?;
            if newer.is(expected) {
                return Ok(());
            }
            let newest = newer.revision();
            if let Some(older) = older.replace(newer) {
                self.keep(context, step, newest, &older)?;
                expected = older.revision();
            }
        }
        match older {
            Some(older) => {
                let found = self.files.see(&step.raw)?.revision();
                self.keep(context, step, found, &older)
            }
            None => Ok(()),
        }
    }
}

/// Whether another program may have read our content before it wrote its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ours {
    NotIn,
    Perhaps,
}

impl Ours {
    /// What was in the file before ours was put there cannot know it; what is found after a crash may.
    fn first(context: Context<'_>, found: Found) -> Self {
        match (context.start, found) {
            (Start::Resumed, Found::InPlace) => Self::Perhaps,
            (Start::Fresh, _) | (Start::Resumed, Found::Displaced) => Self::NotIn,
        }
    }
}

/// Merges content that another program wrote with what the step wants; `None` if they conflict.
pub(crate) fn combine(
    context: Context<'_>,
    step: &Step,
    base: Option<&[u8]>,
    foreign: &[u8],
    wanted: Option<&[u8]>,
    ours: Ours,
) -> Option<Vec<u8>> {
    if is_by_lines(context, &step.path) {
        return with_lines(context, foreign);
    }
    let Some(delta) = &step.images.delta else {
        return merge::clean(base?, foreign, wanted?);
    };
    let added = delta.appended()?.as_bytes();
    let holds = ours == Ours::Perhaps && contains(foreign, added);
    let all = if holds { foreign.to_vec() } else { [foreign, added].concat() };
    (all.len() as u64 <= limits::MAX_FILE_BYTES).then_some(all)
}

/// Puts content that somebody wrote after a first merge together with that merge.
fn combine_again(
    context: Context<'_>,
    step: &Step,
    base: Option<&[u8]>,
    foreign: &[u8],
    wanted: Option<&[u8]>,
) -> Option<Vec<u8>> {
    let (Some(base), Some(wanted)) = (base, wanted) else {
        return combine(context, step, base, foreign, wanted, Ours::Perhaps);
    };
    let by_lines = is_by_lines(context, &step.path);
    merge::clean(base, foreign, wanted).or_else(|| {
        let is_list = by_lines || step.images.delta.is_some();
        let both = is_list.then(|| merge::union(base, foreign, wanted))??;
        if by_lines { with_lines(context, &both) } else { Some(both) }
    })
}

fn with_lines(context: Context<'_>, foreign: &[u8]) -> Option<Vec<u8>> {
    let mut index = Editor::new(std::str::from_utf8(foreign).ok()?);
    for line in context.lines {
        index.restore_line(&line.path, line.after.as_deref());
    }
    Some(index.finish().into_bytes()).filter(|bytes| bytes.len() as u64 <= limits::MAX_FILE_BYTES)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
}
