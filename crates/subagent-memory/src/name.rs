//! Names of agents, and the folders that they get.

use std::{borrow::Cow, fmt, fmt::Write as _};

use memdir_core::{
    MemPath, PathFault,
    text::{escape_control, fold, prefix},
};
use memdir_store::Revision;
use unicode_normalization::UnicodeNormalization;

use crate::limits;

/// Ends the part of a folder name that was kept of a longer one. No escape is spelled so.
const SHORTENED: &str = "%-";

/// Hexadecimal digits behind [`SHORTENED`]: 128 bits, so that nobody makes up a name with the same.
const HASH_DIGITS: usize = 32;

/// The name of an agent, such as `reviewer` or `plugin:reviewer`, in Unicode normal form C.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentName(Box<str>);

impl AgentName {
    /// Takes a name as a definition, a client or a person wrote it.
    ///
    /// # Errors
    ///
    /// [`NameFault`] for what names no agent, or could be meant to name another folder than one of its own.
    pub fn parse(text: &str) -> Result<Self, NameFault> {
        if text.len() > limits::NAME_BYTES {
            return Err(NameFault::TooLong);
        }
        if text.contains(['/', '\\']) {
            return Err(NameFault::Separator);
        }
        if matches!(escape_control(text), Cow::Owned(_)) {
            return Err(NameFault::Character);
        }
        if text.trim().is_empty() {
            return Err(NameFault::Empty);
        }
        if text.chars().all(|c| c == '.' || c.is_whitespace()) {
            return Err(NameFault::Dots);
        }
        Ok(Self(text.nfc().collect::<String>().into_boxed_str()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name of the agent's folder, one component of at most [`limits::FOLDER_BYTES`].
    ///
    /// Letters, digits, `-` and `_` stay, in any script; so do single dots and blanks within. Everything else is written
    /// `%xx`, a byte each: capital letters too, since some disks do not tell them from small ones. Two names never share a
    /// folder, on any disk, and it is a legal name on every system. Of a name that is too long the beginning is kept, and a hash.
    pub fn folder(&self) -> String {
        let mut folder = encoded(&self.0, is_own_fold);
        if fold(&folder) != folder {
            folder = encoded(&self.0, |c| c.is_ascii() && is_own_fold(c));
        }
        if matches!(MemPath::parse(&folder), Err(PathFault::Reserved { .. })) {
            let mut rest = folder.chars();
            let first = rest.next().map_or(0, u32::from);
            folder = format!("%{first:02x}{}", rest.as_str());
        }
        if folder.len() <= limits::FOLDER_BYTES {
            return folder;
        }
        let kept = prefix(&folder, limits::FOLDER_BYTES - SHORTENED.len() - HASH_DIGITS);
        // Half an escape would read as another.
        let end = kept.rfind('%').filter(|at| kept.len() - at < 3).unwrap_or(kept.len());
        let kept = prefix(kept, end);
        let hash = Revision::of(self.0.as_bytes()).to_string();
        format!("{kept}{SHORTENED}{}", prefix(&hash, HASH_DIGITS))
    }

    /// Returns the name whose folder is called so; `None` for a shortened one, and for what this crate never calls a folder.
    pub fn of_folder(folder: &str) -> Option<Self> {
        let mut bytes = Vec::with_capacity(folder.len());
        let mut rest = folder.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'%' => {
                    let mut digit = || char::from(rest.next()?).to_digit(16);
                    u8::try_from(digit()? * 16 + digit()?).ok()?
                }
                byte => byte,
            });
        }
        let name = Self::parse(std::str::from_utf8(&bytes).ok()?).ok()?;
        (name.folder() == folder).then_some(name)
    }

    /// Returns the folder name that Claude Code gives to the agent, which several agents may share.
    pub fn client_folder(&self) -> String {
        let unit = |unit: u16| match u8::try_from(unit).map(char::from) {
            Ok(c) if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') => c,
            _ => '-',
        };
        self.0.encode_utf16().map(unit).collect()
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Why a text is no name of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// There is nothing, or blanks only.
    #[error("it is empty")]
    Empty,
    /// It consists of dots.
    #[error("it consists of dots, which name this folder or the one above")]
    Dots,
    /// It holds `/` or `\`.
    #[error("it holds a path separator")]
    Separator,
    /// It holds a control character, or one that is invisible or turns text around.
    #[error("it holds a control or invisible character")]
    Character,
    /// It is longer than [`limits::NAME_BYTES`].
    #[error("it is longer than {} bytes", limits::NAME_BYTES)]
    TooLong,
}

/// A letter or digit that no system takes for another one.
fn is_own_fold(c: char) -> bool {
    match c {
        c if c.is_ascii() => c.is_ascii_lowercase() || c.is_ascii_digit(),
        c => c.is_alphanumeric() && fold(c.encode_utf8(&mut [0; 4])) == *c.encode_utf8(&mut [0; 4]),
    }
}

fn encoded(name: &str, keep: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(name.len());
    let mut chars = name.chars().peekable();
    let mut before = None;
    while let Some(c) = chars.next() {
        let is_within = |c: Option<char>| c.is_some_and(|c| !matches!(c, '.' | ' '));
        let stays = match c {
            '_' => true,
            '-' => before.is_some(),
            '.' | ' ' => is_within(before) && is_within(chars.peek().copied()),
            c => keep(c),
        };
        if stays {
            out.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                write!(out, "%{byte:02x}").expect("a String takes every write");
            }
        }
        before = Some(c);
    }
    out
}
