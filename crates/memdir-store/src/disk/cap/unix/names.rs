//! The names in a folder, as the system lists them.

use std::{ffi::CStr, os::fd::OwnedFd};

use rustix::{fs::FileType, io::Errno};

use crate::Flow;

/// What is done with each name; an error ends the listing.
type Each<'a> = &'a mut dyn FnMut(&CStr, FileType) -> Result<Flow, Errno>;

/// Shows every name but `.` and `..`, until `each` breaks off or fails.
pub(super) fn each(folder: &OwnedFd, each: Each<'_>) -> Result<(), Errno> {
    sys::each(folder, &mut |name, kind| match name.to_bytes() {
        b"." | b".." => Ok(Flow::Continue(())),
        _ => each(name, kind),
    })
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod sys {
    use rustix::fs::RawDir;

    use super::{Each, Errno, OwnedFd};

    /// Bytes of names that one call takes, as many as glibc asks for.
    const BUFFER: usize = 32 * 1024;

    /// Without an allocation a name, as the portable listing needs.
    pub(super) fn each(folder: &OwnedFd, each: Each<'_>) -> Result<(), Errno> {
        let mut buffer = Box::<[u8]>::new_uninit_slice(BUFFER);
        let mut names = RawDir::new(folder, &mut buffer);
        while let Some(name) = names.next() {
            let name = name?;
            if each(name.file_name(), name.file_type())?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod sys {
    use rustix::fs::Dir;

    use super::{Each, Errno, OwnedFd};

    pub(super) fn each(folder: &OwnedFd, each: Each<'_>) -> Result<(), Errno> {
        for name in Dir::read_from(folder)? {
            let name = name?;
            if each(name.file_name(), name.file_type())?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
