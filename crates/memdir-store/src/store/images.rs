//! The content of files before and after an operation, from wherever it is kept.

use crate::{
    Error, Revision,
    disk::Disk,
    store::{
        files::{Files, Seen},
        journal::{Image, Images, Step},
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
    match (&step.images, after) {
        (Images::Whole { before, .. }, _) => load(files, before, step.before),
        (Images::Delta(delta), Seen::File(_, bytes)) if after.is(step.after) => {
            Ok(checked(delta.backward(bytes), step.before))
        }
        (Images::Delta(_), _) => Ok(None),
    }
}

/// Returns the content after a step, given the content before it if that is at hand.
pub(crate) fn after<D: Disk>(
    files: Files<'_, D>,
    step: &Step,
    before: &Seen,
) -> Result<Option<Vec<u8>>, Error> {
    match (&step.images, before) {
        (Images::Whole { after, .. }, _) => load(files, after, step.after),
        (Images::Delta(delta), Seen::File(_, bytes)) if before.is(step.before) => {
            Ok(checked(delta.forward(bytes), step.after))
        }
        (Images::Delta(delta), Seen::Nothing) if step.before.is_none() => {
            Ok(checked(delta.forward(b""), step.after))
        }
        (Images::Delta(_), _) => Ok(None),
    }
}

fn checked(bytes: Option<Vec<u8>>, revision: Option<Revision>) -> Option<Vec<u8>> {
    bytes.filter(|bytes| Some(Revision::of(bytes)) == revision)
}
