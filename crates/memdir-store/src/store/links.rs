//! Where symbolic links lead, found out without opening what they lead to.

use memdir_core::MemPath;

use crate::{
    Error, FileKind, SkipReason,
    disk::Disk,
    store::{files::Files, layout},
};

/// As many links in a row as Linux follows.
const MAX_LINKS: usize = 40;

/// Returns the path, free of links, of what `path` leads to.
///
/// A link that leads out of the directory or into the private folder leads nowhere, and so does an absolute one, even to
/// a place within: the directory may be reached under several names. Nor does one to the directory itself.
pub(crate) fn resolve<D: Disk>(
    files: Files<'_, D>,
    path: &str,
) -> Result<Result<String, SkipReason>, Error> {
    let mut todo: Vec<String> = path.rsplit('/').map(str::to_owned).collect();
    let mut resolved: Vec<String> = Vec::new();
    let mut links = 0;
    while let Some(name) = todo.pop() {
        match &*name {
            ".." if resolved.pop().is_none() => return Ok(Err(SkipReason::LinkOut)),
            "" | "." | ".." => continue,
            _ => resolved.push(name),
        }
        let here = resolved.join("/");
        match files.kind(&here)? {
            Some(FileKind::Link) if links == MAX_LINKS => return Ok(Err(SkipReason::LinkLoop)),
            Some(FileKind::Link) => {
                links += 1;
                resolved.pop();
                let Some(target) = files.read_link(&here)? else {
                    return Ok(Err(SkipReason::LinkOut));
                };
                todo.extend(target.rsplit('/').map(str::to_owned));
            }
            Some(FileKind::Folder) => {}
            Some(_) if todo.is_empty() => {}
            Some(_) | None => return Ok(Err(SkipReason::LinkDangling)),
        }
    }
    Ok(match resolved.first() {
        None => Err(SkipReason::LinkToAll),
        Some(first) if first.eq_ignore_ascii_case(layout::PRIVATE) => Err(SkipReason::LinkOut),
        Some(_) => Ok(resolved.join("/")),
    })
}

/// Returns the file that the index leads to, if it is a link to one.
pub(crate) fn index_behind<D: Disk>(files: Files<'_, D>) -> Result<Option<String>, Error> {
    if files.kind(MemPath::INDEX)? != Some(FileKind::Link) {
        return Ok(None);
    }
    let Ok(target) = resolve(files, MemPath::INDEX)? else { return Ok(None) };
    let is_file = files.kind(&target)? == Some(FileKind::File);
    Ok(Some(target).filter(|_| is_file))
}

/// Says why nothing is read at `path` if one of the folders on the way is a link.
pub(crate) fn behind_link<D: Disk>(
    files: Files<'_, D>,
    path: &str,
) -> Result<Option<SkipReason>, Error> {
    let mut folders: Vec<&str> = layout::folders_of(path).filter(|f| !f.is_empty()).collect();
    folders.reverse();
    for folder in folders {
        match files.kind(folder)? {
            Some(FileKind::Link) => {
                return Ok(Some(resolve(files, folder)?.err().unwrap_or(SkipReason::Alias)));
            }
            Some(FileKind::Folder) => {}
            _ => return Ok(None),
        }
    }
    Ok(None)
}
