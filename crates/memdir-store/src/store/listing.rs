//! Finding every memory below the directory.

use std::{borrow::Cow, collections::BTreeSet, ffi::OsStr, io, ops::ControlFlow};

use memdir_core::{MemPath, text::escape_control};

use crate::{
    Entry, Error, FileKind, Flow, Listed, SkipReason, Skipped,
    disk::{Details, Disk, Found, Stat, is_markdown},
    limits,
    store::{files::Files, layout, links},
};

/// Shows what is below the directory, breadth first and without recursion; at most `few` files, if there are no more, are
/// not looked at and returned.
pub(crate) fn visit<D: Disk>(
    files: Files<'_, D>,
    few: usize,
    each: &mut dyn FnMut(Listed) -> Flow,
) -> Result<Vec<MemPath>, Error> {
    let mut walk = Walk {
        files,
        each,
        folders: vec![String::new()],
        links: Vec::new(),
        unseen: Vec::new(),
        few,
        is_more: false,
        index: links::index_behind(files)?,
    };
    let mut depth = 0;
    while !walk.folders.is_empty() {
        for folder in std::mem::take(&mut walk.folders) {
            if walk.folder(&folder, depth)?.is_break() {
                return Ok(Vec::new());
            }
        }
        depth += 1;
    }
    if (walk.is_more || walk.unseen.len() > few) && walk.show_unseen()?.is_break() {
        return Ok(Vec::new());
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
    /// Files known by name only.
    unseen: Vec<MemPath>,
    /// As many as may be.
    few: usize,
    /// Files were shown beside them.
    is_more: bool,
    /// The file that is the index, where a link makes it that; it is no memory of its own.
    index: Option<String>,
}

impl<D: Disk> Walk<'_, '_, D> {
    fn folder(&mut self, folder: &str, depth: usize) -> Result<Flow, Error> {
        let mut flow = ControlFlow::Continue(());
        // Names in one folder that are decomposed on the disk; each may have its composed twin beside it.
        let mut decomposed: Vec<(String, MemPath)> = Vec::new();
        let mut inner = Vec::new();
        let details = Details::Stats { after: self.few.saturating_sub(self.unseen.len()) };
        let listed = self.files.0.list(folder, details, &mut |found| {
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
        for (raw, path) in decomposed {
            if flow.is_break() {
                return Ok(flow);
            }
            // The composed spelling is the one that is read.
            let has_twin = self.files.kind(path.as_str())?.is_some();
            flow = if has_twin {
                (self.each)(Listed::Skipped(Skipped::new(escape_control(&raw), SkipReason::Twin)))
            } else {
                self.is_more = true;
                self.show(path, &raw)?
            };
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
        decomposed: &mut Vec<(String, MemPath)>,
    ) -> Flow {
        let Some(name) = found.name.to_str() else {
            return self.skip(folder, found.name, SkipReason::NameNotUtf8);
        };
        let raw = match folder {
            "" => Cow::Borrowed(name),
            folder => Cow::Owned(layout::join(folder, name)),
        };
        if self.index.as_deref() == Some(&*raw) {
            return ControlFlow::Continue(());
        }
        match (MemPath::parse(&raw), found.stat) {
            (Ok(path), Some(stat)) if path.as_str() == raw => {
                self.is_more = true;
                (self.each)(Listed::Entry(stat.entry(path)))
            }
            (Ok(path), None) if path.as_str() == raw => {
                self.unseen.push(path);
                ControlFlow::Continue(())
            }
            (Ok(path), _) => {
                decomposed.push((raw.into_owned(), path));
                ControlFlow::Continue(())
            }
            (Err(fault), _) => self.skip(folder, found.name, SkipReason::Name(fault)),
        }
    }

    /// Shows files of which only the names are known, as they are by now.
    fn show_unseen(&mut self) -> Result<Flow, Error> {
        for path in std::mem::take(&mut self.unseen) {
            let raw = path.as_str().to_owned();
            if self.show(path, &raw)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Shows a file that stands on the disk under its name or another spelling of it; nothing if it vanished.
    fn show(&mut self, path: MemPath, raw: &str) -> Result<Flow, Error> {
        let listed = match self.files.stat(raw) {
            Ok(None) => return Ok(ControlFlow::Continue(())),
            Ok(Some(stat)) => match stat.kind {
                FileKind::File => Listed::Entry(stat.entry(path)),
                FileKind::Link => {
                    self.links.push(raw.to_owned());
                    return Ok(ControlFlow::Continue(()));
                }
                kind => {
                    Listed::Skipped(Skipped::new(escape_control(raw), SkipReason::NotAFile(kind)))
                }
            },
            Err(Error::Denied { .. }) => {
                Listed::Skipped(Skipped::new(escape_control(raw), SkipReason::Unreadable))
            }
            Err(error) => return Err(error),
        };
        Ok((self.each)(listed))
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
    fn show_links(mut self) -> Result<Vec<MemPath>, Error> {
        let mut shown: BTreeSet<(u64, u64)> = BTreeSet::new();
        for raw in std::mem::take(&mut self.links) {
            let listed = match self.link(&raw, &mut shown)? {
                Some(Ok(entry)) => entry,
                Some(Err(reason)) => Listed::Skipped(Skipped::new(escape_control(&raw), reason)),
                None => continue,
            };
            if (self.each)(listed).is_break() {
                return Ok(Vec::new());
            }
        }
        Ok(self.unseen)
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
        if self.index.as_ref() == Some(&target) && raw == MemPath::INDEX {
            return Ok(Some(Err(SkipReason::IndexLink)));
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
            Ok(path) => Ok(Listed::Entry(stat.entry(path))),
        }))
    }
}

impl Stat {
    /// What a listing says of the file at `path`.
    pub(crate) fn entry(self, path: MemPath) -> Entry {
        Entry::new(path, self.modified, self.len).links(self.links)
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}
