//! Who holds a lock, as far as the lock file says.

use std::{fmt, time::SystemTime};

use memdir_core::age::{format_rfc3339, parse_date};
use memdir_core::text::escape_control;
use serde::{Deserialize, Serialize};

/// Who holds a lock, as they wrote into the lock file; it informs, the kernel decides.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holder {
    /// The process, as its own system counts.
    pub pid: u32,
    /// Since when.
    pub since: Option<SystemTime>,
    /// What for, in a word or two.
    pub what: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    pid: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    what: Option<String>,
}

impl Holder {
    /// Describes this process.
    pub(crate) fn this_process(since: SystemTime, what: &str) -> Self {
        Self { pid: std::process::id(), since: Some(since), what: Some(what.to_owned()) }
    }

    /// Returns the line for the lock file, its line end included.
    pub(crate) fn to_line(&self) -> String {
        let line =
            Line { pid: self.pid, since: self.since.map(format_rfc3339), what: self.what.clone() };
        let mut text = serde_json::to_string(&line).expect("numbers and texts are always JSON");
        text.push('\n');
        text
    }

    /// Reads a lock file; `None` if it is empty or says something else.
    pub(crate) fn from_line(bytes: &[u8]) -> Option<Self> {
        let line: Line = serde_json::from_slice(bytes.trim_ascii()).ok()?;
        let since = line.since.as_deref().and_then(parse_date);
        Some(Self { pid: line.pid, since, what: line.what })
    }
}

/// Displays as `process 4711 (save) since 2026-11-30T09:12:33Z`.
impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}", self.pid)?;
        if let Some(what) = &self.what {
            write!(f, " ({})", escape_control(what))?;
        }
        if let Some(since) = self.since {
            write!(f, " since {}", format_rfc3339(since))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn survives_its_own_line_and_reads_nothing_else() {
        let since = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_029_953);
        let holder = Holder { pid: 4711, since: Some(since), what: Some("save\n".into()) };
        assert_eq!(Holder::from_line(holder.to_line().as_bytes()), Some(holder.clone()));
        assert_eq!(holder.to_string(), "process 4711 (save\\n) since 2026-11-30T09:12:33Z");
        for bad in ["", "4711", "{}", "\0\0\0"] {
            assert_eq!(Holder::from_line(bad.as_bytes()), None, "{bad:?}");
        }
    }
}
