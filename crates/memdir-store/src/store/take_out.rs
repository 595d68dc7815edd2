//! Taking back a change from a file that another program has changed since: its change stays, ours goes.

use memdir_core::index::Editor;

use crate::{
    Error, LineChanged, Revision,
    disk::{Disk, Exchanged, Persist},
    merge,
    store::{
        commit::{Context, is_by_lines},
        files::Seen,
        images, index_lines,
        journal::{Replacement, Step},
        session::Session,
    },
};

/// How often that is tried when somebody writes again meanwhile. Ours: who writes that often will write again.
const TRIES: usize = 8;

impl<D: Disk> Session<'_, D> {
    /// Leaves in the file what somebody else wrote, without what the step added or changed, as far as that can be told.
    pub(crate) fn take_out(&mut self, context: Context<'_>, step: &Step) -> Result<(), Error> {
        for _ in 0..TRIES {
            let here = self.files.see(&step.raw)?;
            let Seen::File(revision, bytes) = &here else { return Ok(()) };
            if step.made(*revision) || step.displaced() == Some(*revision) {
                return Ok(());
            }
            let Some(theirs) = self.without_ours(context, step, bytes)? else {
                self.clashed.insert(step.path.clone());
                return Ok(());
            };
            if theirs == *bytes {
                return Ok(());
            }
            let temp = self.files.temp_beside(&step.raw)?;
            self.files.create(&temp, &theirs, Persist::Now)?;
            let replaced = match self.files.exchange(&temp, &step.raw)? {
                Exchanged::Done => {
                    let out = self.files.see(&temp)?;
                    let is_expected = out.is(Some(*revision));
                    if !is_expected {
                        // Somebody wrote again within this moment, which is newer.
                        let (before, after) = (Some(*revision), Some(Revision::of(&theirs)));
                        let replacement = Replacement { temp: &temp, before, after };
                        self.put_back(context, step, replacement, Some(&out))?;
                    }
                    is_expected
                }
                Exchanged::Absent => true,
                Exchanged::Unsupported => {
                    let is_expected = self.files.see(&step.raw)?.is(Some(*revision));
                    if is_expected {
                        self.files.rename(&temp, &step.raw)?;
                    }
                    is_expected
                }
            };
            self.leaves_rest |= self.files.remove(&temp).is_err();
            if replaced {
                return Ok(());
            }
        }
        self.clashed.insert(step.path.clone());
        Ok(())
    }

    fn without_ours(
        &self,
        context: Context<'_>,
        step: &Step,
        bytes: &[u8],
    ) -> Result<Option<Vec<u8>>, Error> {
        if is_by_lines(context, &step.path) {
            return Ok(std::str::from_utf8(bytes)
                .ok()
                .map(|text| without_lines(text, context.lines).into_bytes()));
        }
        if let Some(delta) = &step.images.delta {
            let added = delta.appended().unwrap_or_default().as_bytes();
            return Ok(Some(without_part(bytes, delta.head(), added)));
        }
        let after = images::after(self.files, step, &Seen::Nothing)?;
        let before = images::before(self.files, step, &Seen::Nothing)?;
        Ok(match (after, before) {
            (Some(after), Some(before)) => merge::clean(&after, bytes, &before),
            // Theirs is all that there ever was but ours.
            _ => None,
        })
    }
}

/// Puts back each line that still says what the operation made it say.
fn without_lines(text: &str, lines: &[LineChanged]) -> String {
    let mut theirs = Editor::new(text);
    let says = index_lines::of(text, lines);
    for line in lines.iter().rev() {
        let now = says.get(&line.path).map(|now| now.join("\n")).filter(|now| !now.is_empty());
        if now == line.after {
            theirs.restore_line(&line.path, line.before.as_deref());
        }
    }
    theirs.finish()
}

/// Returns the bytes without the first appearance of a part from `head` on.
fn without_part(bytes: &[u8], head: usize, part: &[u8]) -> Vec<u8> {
    let Some((before, rest)) = bytes.split_at_checked(head).filter(|_| !part.is_empty()) else {
        return bytes.to_vec();
    };
    match rest.windows(part.len()).position(|window| window == part) {
        Some(at) => {
            let (between, after) = rest.split_at_checked(at).unwrap_or_default();
            [before, between, after.strip_prefix(part).unwrap_or(after)].concat()
        }
        None => bytes.to_vec(),
    }
}
