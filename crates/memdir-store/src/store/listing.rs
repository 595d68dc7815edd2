//! Finding every memory below the directory.

use std::{borrow::Cow, collections::BTreeSet, ffi::OsStr, io, ops::ControlFlow};

use memdir_core::{MemPath, text::escape_control};

use crate::{
    Entry, Error, FileKind, Flow, Listed, SkipReason, Skipped,
    disk::{Details, Disk, Found, Stat},
    limits,
    store::{files::Files, layout, links},
};

/// Shows what is below the directory, breadth first and without recursion.
pub(crate) fn visit<D: Disk>(
    files: Files<'_, D>,
    each: &mut dyn FnMut(Listed) -> Flow,
) -> Result<(), Error> {
    let mut walk = Walk { files, each, folders: vec![String::new()], links: Vec::new() };
    let mut depth = 0;
    while !walk.folders.is_empty() {
        for folder in std::mem::take(&mut walk.folders) {
            if walk.folder(&folder, depth)?.is_break() {
                return Ok(());
            }
        }
        depth += 1;
    }
    walk.show_links()
}

struct Walk<'a, 'd, D> {
    files: Files<'d, D>,
    each: &'a mut dyn FnMut(Listed) -> Flow,
    /// Folders still to be listed, all of one depth.
    folders: Vec<String>,
    /// Links are judged last.
    links: Vec<String>,
}

impl<D: Disk> Walk<'_, '_, D> {
    fn folder(&mut self, folder: &str, depth: usize) -> Result<Flow, Error> {
        let mut flow = ControlFlow::Continue(());
        // Names in one folder that are decomposed on the disk; each may have its composed twin beside it.
        let mut decomposed: Vec<(String, Entry)> = Vec::new();
        let mut inner = Vec::new();
        let listed = self.files.0.list(folder, Details::Stats, &mut |found| {
            if is_hidden(found.name) {
                return ControlFlow::Continue(());
            }
            flow = match found.kind {
                FileKind::Folder => {
                    inner.push(found.name.to_owned());
                    ControlFlow::Continue(())
                }
                FileKind::Link => {
                    match found.name.to_str() {
                        Some(name) => self.links.push(layout::join(folder, name)),
                        None => return self.skip(folder, found.name, SkipReason::NameNotUtf8),
                    }
                    ControlFlow::Continue(())
                }
                _ if !is_markdown(found.name) => ControlFlow::Continue(()),
                FileKind::File => self.file(folder, &found, &mut decomposed),
                kind => self.skip(folder, found.name, SkipReason::NotAFile(kind)),
            };
            flow
        });
        match listed {
            Ok(()) => {}
            Err(error) if folder.is_empty() => return Err(Error::io("list", folder, error)),
            // It vanished, or was replaced by something else, which the next listing shows.
            Err(e)
                if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(_) => {
                flow = (self.each)(Listed::Skipped(Skipped::new(
                    escape_control(folder),
                    SkipReason::Unreadable,
                )));
            }
        }
        for (raw, entry) in decomposed {
            if flow.is_break() {
                return Ok(flow);
            }
            // The composed spelling is the one that is read.
            let has_twin = self.files.kind(entry.path.as_str())?.is_some();
            flow = (self.each)(if has_twin {
                Listed::Skipped(Skipped::new(escape_control(&raw), SkipReason::Alias))
            } else {
                Listed::Entry(entry)
            });
        }
        for name in inner {
            if flow.is_break() {
                return Ok(flow);
            }
            flow = self.inner_folder(folder, &name, depth + 1);
        }
        Ok(flow)
    }

    fn file(
        &mut self,
        folder: &str,
        found: &Found<'_>,
        decomposed: &mut Vec<(String, Entry)>,
    ) -> Flow {
        let Some(name) = found.name.to_str() else {
            return self.skip(folder, found.name, SkipReason::NameNotUtf8);
        };
        let raw = match folder {
            "" => Cow::Borrowed(name),
            folder => Cow::Owned(layout::join(folder, name)),
        };
        match (MemPath::parse(&raw), found.stat) {
            (Ok(path), Some(stat)) if path.as_str() == raw => (self.each)(entry(path, stat)),
            (Ok(path), Some(stat)) => {
                let entry = Entry::new(path, stat.modified, stat.len).links(stat.links);
                decomposed.push((raw.into_owned(), entry));
                ControlFlow::Continue(())
            }
            // A disk that gives no details has nothing to show.
            (Ok(_), None) => ControlFlow::Continue(()),
            (Err(fault), _) => self.skip(folder, found.name, SkipReason::Name(fault)),
        }
    }

    fn inner_folder(&mut self, folder: &str, name: &OsStr, depth: usize) -> Flow {
        let Some(text) = name.to_str() else {
            return self.skip(folder, name, SkipReason::NameNotUtf8);
        };
        let path = layout::join(folder, text);
        if let Err(fault) = MemPath::parse(&path) {
            return self.skip(folder, name, SkipReason::Name(fault));
        }
        if depth > limits::MAX_DEPTH {
            return self.skip(folder, name, SkipReason::TooDeep);
        }
        self.folders.push(path);
        ControlFlow::Continue(())
    }

    fn skip(&mut self, folder: &str, name: &OsStr, reason: SkipReason) -> Flow {
        let raw = layout::join(folder, &name.to_string_lossy());
        (self.each)(Listed::Skipped(Skipped::new(escape_control(&raw), reason)))
    }

    /// Shows links that are memories under no other name; the rest as skipped.
    fn show_links(mut self) -> Result<(), Error> {
        let mut shown: BTreeSet<(u64, u64)> = BTreeSet::new();
        for raw in std::mem::take(&mut self.links) {
            let listed = match self.link(&raw, &mut shown)? {
                Some(Ok(entry)) => entry,
                Some(Err(reason)) => Listed::Skipped(Skipped::new(escape_control(&raw), reason)),
                None => continue,
            };
            if (self.each)(listed).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Judges one link; `None`: it is nothing that anybody would take for a memory.
    fn link(
        &self,
        raw: &str,
        shown: &mut BTreeSet<(u64, u64)>,
    ) -> Result<Option<Result<Listed, SkipReason>>, Error> {
        let target = match links::resolve(self.files, raw)? {
            Ok(target) => target,
            Err(reason) => return Ok(Some(Err(reason))),
        };
        let Some(stat) = self.files.stat(&target)? else {
            return Ok(Some(Err(SkipReason::LinkDangling)));
        };
        if stat.kind == FileKind::Folder {
            return Ok(Some(Err(SkipReason::Alias)));
        }
        if !is_markdown(OsStr::new(raw)) {
            return Ok(None);
        }
        let listed_itself = |path: MemPath| path.is_markdown();
        Ok(Some(match MemPath::parse(raw) {
            _ if stat.kind != FileKind::File => Err(SkipReason::NotAFile(stat.kind)),
            Err(fault) => Err(SkipReason::Name(fault)),
            Ok(_) if MemPath::parse(&target).is_ok_and(listed_itself) => Err(SkipReason::Alias),
            Ok(_) if stat.id != (0, 0) && !shown.insert(stat.id) => Err(SkipReason::Alias),
            Ok(path) => Ok(entry(path, stat)),
        }))
    }
}

fn entry(path: MemPath, stat: Stat) -> Listed {
    Listed::Entry(Entry::new(path, stat.modified, stat.len).links(stat.links))
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}

fn is_markdown(name: &OsStr) -> bool {
    let end: Option<&[u8; 3]> = name.as_encoded_bytes().last_chunk();
    end.is_some_and(|end| end.eq_ignore_ascii_case(b".md"))
}
