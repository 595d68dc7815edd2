//! Opening a file in a folder below in one step, where the system has it.

use std::os::fd::{AsFd, OwnedFd};

use rustix::{fs::OFlags, io::Errno};

/// Opens a file that is there and is reached without any link.
///
/// The kernel promises what opening folder after folder does: no component is a link and none leads out.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn open(root: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    use rustix::fs::{Mode, ResolveFlags, openat2};

    let no_way_out =
        ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(root, path, flags, Mode::empty(), no_way_out)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn open(_: impl AsFd, _: &str, _: OFlags) -> Result<OwnedFd, Errno> {
    Err(Errno::NOSYS)
}
