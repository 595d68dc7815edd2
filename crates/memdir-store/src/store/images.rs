//! The content of files before and after an operation, from wherever it is kept.

use crate::{
    Error, Revision,
    disk::Disk,
    store::{
        files::{Files, Seen},
        journal::{Image, Step},
        objects,
    },
};

/// Returns what an image stands for; `None` for no file, and for what is not kept any more.
pub(crate) fn load<D: Disk>(
    files: Files<'_, D>,
    image: &Image,
    revision: Option<Revision>,
) -> Result<Option<Vec<u8>>, Error> {
    match (image, revision) {
        (Image::NoFile, _) | (Image::Object, None) => Ok(None),
        (Image::Bytes(bytes), _) => Ok(Some(bytes.clone())),
        (Image::Object, Some(revision)) => objects::find(files, revision),
    }
}

/// Returns the content before a step, given the content after it if that is at hand.
pub(crate) fn before<D: Disk>(
    files: Files<'_, D>,
    step: &Step,
    after: &Seen,
) -> Result<Option<Vec<u8>>, Error> {
    if let (Some(delta), Seen::File(_, bytes)) = (&step.images.delta, after)
        && after.is(step.after)
    {
        return Ok(checked(delta.backward(bytes), step.before));
    }
    load(files, &step.images.before, step.before)
}

/// Returns the content after a step, given the content before it if that is at hand.
pub(crate) fn after<D: Disk>(
    files: Files<'_, D>,
    step: &Step,
    before: &Seen,
) -> Result<Option<Vec<u8>>, Error> {
    let bytes = match before {
        Seen::File(_, bytes) => bytes.as_slice(),
        Seen::Nothing | Seen::Special(_) | Seen::Huge => b"",
    };
    if let Some(delta) = &step.images.delta
        && before.is(step.before)
    {
        return Ok(checked(delta.forward(bytes), step.after));
    }
    load(files, &step.images.after, step.after)
}

/// Returns the content that a step leaves in the file, merges included, given the content before it if that is at hand.
pub(crate) fn result<D: Disk>(
    files: Files<'_, D>,
    step: &Step,
    before: &Seen,
) -> Result<Option<Vec<u8>>, Error> {
    match step.amends.last() {
        Some(amend) => load(files, &amend.merged, Some(amend.after)),
        None => after(files, step, before),
    }
}

fn checked(bytes: Option<Vec<u8>>, revision: Option<Revision>) -> Option<Vec<u8>> {
    bytes.filter(|bytes| Some(Revision::of(bytes)) == revision)
}
