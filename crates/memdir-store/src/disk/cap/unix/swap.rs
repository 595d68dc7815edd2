//! Renames that take no name away from anything, where the system has them.

use std::os::fd::AsFd;

use rustix::io::Errno;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod sys {
    use rustix::fs::{RenameFlags, renameat_with};

    use super::{AsFd, Errno};

    pub(in super::super) fn rename_new(
        folder: impl AsFd,
        from: &str,
        to: &str,
    ) -> Result<(), Errno> {
        renameat_with(&folder, from, &folder, to, RenameFlags::NOREPLACE)
    }

    pub(in super::super) fn exchange(
        folder: impl AsFd,
        one: &str,
        other: &str,
    ) -> Result<(), Errno> {
        renameat_with(&folder, one, &folder, other, RenameFlags::EXCHANGE)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod sys {
    use super::{AsFd, Errno};

    pub(in super::super) fn rename_new(_: impl AsFd, _: &str, _: &str) -> Result<(), Errno> {
        Err(Errno::NOSYS)
    }

    pub(in super::super) fn exchange(_: impl AsFd, _: &str, _: &str) -> Result<(), Errno> {
        Err(Errno::NOSYS)
    }
}

pub(super) use sys::{exchange, rename_new};
