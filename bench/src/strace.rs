//! Counts system calls of a program, where `strace` is installed.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::{Command, Stdio};

/// What a program asked of the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Calls {
    /// Opened memories: files named `*.md` except `MEMORY.md`, without folders and failures.
    pub opens: u64,
    /// Bytes that reads returned, whatever the file.
    pub bytes: u64,
    /// `fsync` and `fdatasync`.
    pub fsyncs: u64,
}

const WATCHED: &str = "trace=openat,openat2,open,read,pread64,readv,preadv,fsync,fdatasync";

/// Runs a program under `strace`; `None` where `strace` is absent or may not trace.
pub fn trace<A: AsRef<OsStr>>(
    program: &Path,
    arguments: &[A],
    environment: &[(&str, &OsStr)],
    log: &Path,
) -> io::Result<Option<Calls>> {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", WATCHED, "-o"]).arg(log).arg(program).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.envs(environment.iter().copied());
    match command.status() {
        Ok(status) if status.success() => Ok(Some(read(&std::fs::read_to_string(log)?))),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn read(log: &str) -> Calls {
    let mut calls = Calls::default();
    for line in log.lines() {
        let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        let (Some((call, _)), Some((_, result))) = (line.split_once('('), line.rsplit_once(" = "))
        else {
            continue;
        };
        let Some(result) = result.split(' ').next().and_then(|text| text.parse::<u64>().ok())
        else {
            continue;
        };
        match call {
            "open" | "openat" | "openat2" if is_memory(line) => calls.opens += 1,
            "read" | "pread64" | "readv" | "preadv" => calls.bytes += result,
            "fsync" | "fdatasync" => calls.fsyncs += 1,
            _ => {}
        }
    }
    calls
}

fn is_memory(line: &str) -> bool {
    line.contains(".md\"") && !line.contains("MEMORY.md\"") && !line.contains("O_DIRECTORY")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_succeeded() {
        let log = r#"7 openat(AT_FDCWD, "/m", O_RDONLY|O_DIRECTORY|O_CLOEXEC) = 3
7 openat(3, "a.md", O_RDONLY|O_NOFOLLOW|O_CLOEXEC) = 4
7 read(4, "---\nname: (x) = 9"..., 4096) = 210
7 openat2(3, "gone.md", {flags=O_RDONLY, resolve=RESOLVE_BENEATH}, 24) = -1 ENOENT (No such file or directory)
7 openat(3, "MEMORY.md", O_RDONLY) = 5
7 fsync(4) = 0
7 fdatasync(4) = -1 EIO (Input/output error)
7 +++ exited with 0 +++
"#;
        assert_eq!(read(log), Calls { opens: 1, bytes: 210, fsyncs: 1 });
    }
}
