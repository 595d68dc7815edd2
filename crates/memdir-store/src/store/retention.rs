//! Letting the oldest part of the journal go.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

use crate::{
    Error, Revision,
    disk::{Details, Disk},
    store::{
        files::Files,
        journal::{self, Image, Operation, Position, Record, Step},
        layout::{OBJECTS, join},
        objects,
        session::Session,
    },
};

/// What decides whether a segment is kept.
#[derive(Default)]
struct Segment {
    bytes: u64,
    newest: Option<std::time::SystemTime>,
    /// Runs with an operation in it; one outside any run stands for itself.
    runs: BTreeSet<String>,
    objects: BTreeSet<Revision>,
}

impl<D: Disk> Session<'_, D> {
    /// Removes segments that are too old or too much, and the objects that only they need.
    ///
    /// The segment in use and the one before it stay whatever they weigh.
    pub(crate) fn drop_old(&mut self) -> Result<(), Error> {
        let all = journal::segments(self.files)?;
        let sizes = object_sizes(self.files)?;
        let oldest_wanted = self.options.clock.now().checked_sub(self.options.journal_age);
        let (mut bytes, mut runs) = (0u64, BTreeSet::new());
        let mut objects: BTreeSet<Revision> = BTreeSet::new();
        let mut kept = 0;
        for number in all.iter().rev() {
            let segment = weigh(self.files, *number)?;
            let new_objects = segment.objects.difference(&objects);
            let weight: u64 = new_objects.filter_map(|object| sizes.get(object)).sum();
            let is_recent = segment.newest >= oldest_wanted;
            let is_wanted = is_recent || runs.len() < self.options.journal_runs;
            let fits = bytes + segment.bytes + weight <= self.options.journal_bytes;
            if kept >= 2 && !(is_wanted && fits) {
                break;
            }
            kept += 1;
            bytes += segment.bytes + weight;
            runs.extend(segment.runs);
            objects.extend(segment.objects);
        }
        let dropped = all.len() - kept;
        for number in all.into_iter().take(dropped) {
            self.files.remove(&journal::path(number))?;
        }
        if dropped > 0 {
            for object in sizes.into_keys().filter(|object| !objects.contains(object)) {
                objects::remove(self.files, object)?;
            }
        }
        Ok(())
    }
}

fn weigh<D: Disk>(files: Files<'_, D>, number: u64) -> Result<Segment, Error> {
    let mut segment = Segment::default();
    let path = journal::path(number);
    segment.bytes = files.stat(&path)?.map_or(0, |stat| stat.len);
    for (_, record) in journal::records(files, Position { segment: number, offset: 0 })? {
        let Ok(record) = record else { continue };
        if let Record::Intent(operation) = &record {
            segment.newest = segment.newest.max(Some(operation.at));
            let run = operation.by.run.clone();
            segment.runs.insert(run.unwrap_or_else(|| operation.id.to_string()));
        }
        segment.objects.extend(objects_of(&record));
    }
    Ok(segment)
}

/// Returns the objects that a line refers to.
fn objects_of(record: &Record) -> Vec<Revision> {
    let object =
        |image: &Image, revision: Option<Revision>| revision.filter(|_| *image == Image::Object);
    match record {
        Record::Intent(Operation { steps, .. }) => {
            let whole = steps.iter().filter(|step| step.images.delta.is_none());
            let images = whole.map(|Step { images, before, after, .. }| {
                [object(&images.before, *before), object(&images.after, *after)]
            });
            images.flatten().flatten().collect()
        }
        Record::Amend(_, _, amend) => {
            let merged = object(&amend.merged, Some(amend.after));
            [merged, object(&amend.kept, Some(amend.seen))].into_iter().flatten().collect()
        }
        Record::Conflict(clash) => clash.kept.into_iter().collect(),
        Record::Observed(observed) => object(&observed.image, observed.after).into_iter().collect(),
        Record::Done(_) | Record::Abort(..) => Vec::new(),
    }
}

/// Returns every object with its size in bytes.
pub(crate) fn object_sizes<D: Disk>(files: Files<'_, D>) -> Result<BTreeMap<Revision, u64>, Error> {
    let mut names = Vec::new();
    files.list(OBJECTS, Details::Names, &mut |found| {
        names.extend(found.name.to_str().map(str::to_owned));
        ControlFlow::Continue(())
    })?;
    let mut sizes = BTreeMap::new();
    for name in names {
        if let Ok(revision) = name.parse() {
            sizes.insert(revision, files.stat(&join(OBJECTS, &name))?.map_or(0, |stat| stat.len));
        }
    }
    Ok(sizes)
}
