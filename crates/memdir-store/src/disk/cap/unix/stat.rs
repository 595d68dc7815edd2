//! What the system says of a file, in the words of the port.

use std::time::{Duration, SystemTime};

use rustix::fs::FileType;

use crate::{FileKind, disk::Stat};

pub(super) fn kind_from(kind: FileType) -> FileKind {
    match kind {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Folder,
        FileType::Symlink => FileKind::Link,
        FileType::Fifo => FileKind::Fifo,
        FileType::Socket => FileKind::Socket,
        FileType::CharacterDevice | FileType::BlockDevice => FileKind::Device,
        FileType::Unknown => FileKind::Other,
    }
}

pub(super) fn stat_from(stat: &rustix::fs::Stat) -> Stat {
    Stat {
        kind: kind_from(FileType::from_raw_mode(stat.st_mode)),
        len: wide(stat.st_size),
        modified: time_from(stat),
        links: wide(stat.st_nlink),
        id: (wide(stat.st_dev), wide(stat.st_ino)),
    }
}

/// The fields have other widths on other systems.
fn wide<T: TryInto<u64>>(field: T) -> u64 {
    field.try_into().unwrap_or(u64::MAX)
}

fn time_from(stat: &rustix::fs::Stat) -> SystemTime {
    let epoch = SystemTime::UNIX_EPOCH;
    let nanos = Duration::from_nanos(wide(stat.st_mtime_nsec));
    let seconds = Duration::from_secs(stat.st_mtime.unsigned_abs());
    let whole =
        if stat.st_mtime < 0 { epoch.checked_sub(seconds) } else { epoch.checked_add(seconds) };
    whole.and_then(|whole| whole.checked_add(nanos)).unwrap_or(epoch)
}
