//! Temporary files of writers that died before their operation counted.

use std::ops::ControlFlow;

use crate::{
    Error, FileKind,
    disk::{Details, Disk},
    limits,
    store::{
        files::Files,
        layout::{self, JOURNAL, OBJECTS, PRIVATE, STATE},
    },
};

/// What sweeping came to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Swept {
    pub(crate) removed: usize,
    /// Whether one could not be removed.
    pub(crate) failed: bool,
}

/// Removes every temporary file. Only a writer whose turn it is and whose predecessors' work is finished may do so.
pub(crate) fn sweep<D: Disk>(files: Files<'_, D>) -> Result<Swept, Error> {
    let mut swept = Swept::default();
    for temp in find(files)? {
        match files.remove(&temp) {
            Ok(()) => swept.removed += 1,
            Err(_) => swept.failed = true,
        }
    }
    Ok(swept)
}

/// Returns the path of every temporary file of this store.
///
/// A folder with a private folder of its own belongs to another store, which may be writing.
pub(crate) fn find<D: Disk>(files: Files<'_, D>) -> Result<Vec<String>, Error> {
    let mut temps = Vec::new();
    let mut folders = vec![(String::new(), 0)];
    folders
        .extend([PRIVATE, JOURNAL, OBJECTS, STATE].map(|private| (private.to_owned(), usize::MAX)));
    while let Some((folder, depth)) = folders.pop() {
        let (mut here, mut inner, mut is_other_store) = (Vec::new(), Vec::new(), false);
        let listed = files.list(&folder, Details::Names, &mut |found| {
            let Some(name) = found.name.to_str() else { return ControlFlow::Continue(()) };
            match found.kind {
                FileKind::File if layout::is_temp(name) => here.push(layout::join(&folder, name)),
                FileKind::Folder if name == PRIVATE => is_other_store = !folder.is_empty(),
                FileKind::Folder if depth < limits::MAX_DEPTH && !name.starts_with('.') => {
                    inner.push((layout::join(&folder, name), depth + 1));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        match listed {
            Err(error) if folder.is_empty() => return Err(error),
            // It vanished or may not be listed; then nothing was written there either.
            Err(_) => {}
            Ok(()) if is_other_store => {}
            Ok(()) => {
                temps.append(&mut here);
                folders.append(&mut inner);
            }
        }
    }
    Ok(temps)
}
