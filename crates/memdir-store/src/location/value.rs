//! A configured directory as text: what it may look like, on any platform, without touching one.

use std::path::{Path, PathBuf};

use super::{inputs::Platform, refusal::Reason};

/// What a value names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// The memory directory itself.
    Directory,
    /// A folder below which memory directories lie; it may be the home folder.
    Base,
}

/// The rules that a value is read by.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) home: Option<&'a Path>,
    pub(super) platform: Platform,
}

impl Rules<'_> {
    /// Reads a value; empty is `None`.
    pub(super) fn read(self, text: &str, names: Names) -> Result<Option<PathBuf>, Reason> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        if text.contains('\0') {
            return Err(Reason::Nul);
        }
        if text.chars().any(char::is_control) {
            return Err(Reason::Control);
        }
        let path = match text.strip_prefix('~') {
            Some(rest) => self.below_home(rest)?,
            None => self.absolute(text)?,
        };
        if names == Names::Directory {
            self.check_directory(&path)?;
        }
        Ok(Some(path.join()))
    }

    /// Refuses what must not be a memory directory; asked again once links are resolved.
    pub(super) fn check(self, directory: &Path) -> Result<(), Reason> {
        match directory.to_str() {
            Some(text) => self.check_directory(&self.absolute(text)?),
            None => self.check_by_bytes(directory),
        }
    }

    /// For a directory or a home that is not text, which no platform's rules can be read by.
    fn check_by_bytes(self, directory: &Path) -> Result<(), Reason> {
        match self.home {
            Some(home) if home == directory => Err(Reason::Home),
            Some(home) if home.starts_with(directory) => Err(Reason::AboveHome),
            Some(_) | None => Ok(()),
        }
    }

    fn check_directory(self, path: &Absolute) -> Result<(), Reason> {
        if path.names.is_empty() {
            return Err(Reason::Root);
        }
        if self.home.is_some_and(|home| home.to_str().is_none()) {
            return self.check_by_bytes(&path.join());
        }
        let home = self.home.and_then(Path::to_str).and_then(|home| self.absolute(home).ok());
        match home.filter(|home| self.holds(path, home)) {
            Some(home) if home.names.len() == path.names.len() => Err(Reason::Home),
            Some(_) => Err(Reason::AboveHome),
            None => Ok(()),
        }
    }

    /// Whether `inner` is `outer` or lies below it.
    fn holds(self, outer: &Absolute, inner: &Absolute) -> bool {
        let same = |a: &str, b: &str| match self.platform {
            Platform::Unix => a == b,
            Platform::MacOs | Platform::Windows => a.to_lowercase() == b.to_lowercase(),
        };
        outer.names.len() <= inner.names.len()
            && same(&outer.prefix, &inner.prefix)
            && outer.names.iter().zip(&inner.names).all(|(a, b)| same(a, b))
    }

    fn below_home(self, rest: &str) -> Result<Absolute, Reason> {
        if !rest.is_empty() && !rest.starts_with(|c| self.is_separator(c)) {
            return Err(Reason::OtherUser);
        }
        // A home that is itself no usable path is as good as none.
        let home = self.home.and_then(Path::to_str).ok_or(Reason::NoHome)?;
        let mut path = self.absolute(home).map_err(|_| Reason::NoHome)?;
        path.names.extend(self.names(rest)?);
        Ok(path)
    }

    fn absolute(self, text: &str) -> Result<Absolute, Reason> {
        if text.starts_with("//") || text.starts_with(r"\\") {
            return Err(Reason::Unc);
        }
        let mut chars = text.chars();
        let drive = match (chars.next(), chars.next()) {
            (Some(letter), Some(':')) if letter.is_ascii_alphabetic() => Some(letter),
            _ => None,
        };
        match (self.platform, drive) {
            (Platform::Windows, Some(letter)) if chars.as_str().starts_with(['/', '\\']) => {
                Ok(Absolute {
                    prefix: format!("{}:\\", letter.to_ascii_uppercase()),
                    names: self.names(chars.as_str())?,
                    separator: "\\",
                })
            }
            (Platform::Unix | Platform::MacOs, Some(_)) => Err(Reason::Drive),
            (Platform::Unix | Platform::MacOs, None) if text.starts_with('/') => {
                Ok(Absolute { prefix: "/".into(), names: self.names(text)?, separator: "/" })
            }
            // On Windows `C:mem` is relative to the current folder of that drive, `/mem` to the current drive.
            (Platform::Windows | Platform::Unix | Platform::MacOs, _) => Err(Reason::Relative),
        }
    }

    fn names(self, text: &str) -> Result<Vec<String>, Reason> {
        let names = text.split(|c| self.is_separator(c)).filter(|name| !matches!(*name, "" | "."));
        names
            .map(|name| match self.platform {
                Platform::Unix | Platform::MacOs if name == ".." => Err(Reason::Climbs),
                // Windows drops trailing dots and spaces, so `.. ` and `...` climb or stay, too.
                Platform::Windows if name.trim_end_matches(['.', ' ']).is_empty() => {
                    Err(Reason::Climbs)
                }
                _ => Ok(name.to_owned()),
            })
            .collect()
    }

    fn is_separator(self, c: char) -> bool {
        c == '/' || (c == '\\' && self.platform == Platform::Windows)
    }
}

/// Whether a folder that the system names is absolute; an empty or relative one would be read by the current folder.
pub(super) fn is_rooted(folder: &Path, platform: Platform) -> bool {
    folder.is_absolute()
        || folder.to_str().is_some_and(|text| Rules { home: None, platform }.absolute(text).is_ok())
}

/// A single folder name, for what stands in place of a project's key; empty is `None`.
pub(super) fn single_name(text: &str) -> Result<Option<&str>, Reason> {
    if text.is_empty() {
        return Ok(None);
    }
    let plain = text.chars().all(|c| !c.is_control() && !matches!(c, '/' | '\\' | ':'));
    let blank = text.trim_end_matches(['.', ' ']).is_empty();
    if plain && !blank { Ok(Some(text)) } else { Err(Reason::NotAName) }
}

struct Absolute {
    prefix: String,
    names: Vec<String>,
    separator: &'static str,
}

impl Absolute {
    fn join(&self) -> PathBuf {
        PathBuf::from(format!("{}{}", self.prefix, self.names.join(self.separator)))
    }
}
