//! One pattern without commas and braces: how it is read, and the two ways in which it is matched.

use super::PatternFault;

/// A pattern taken apart. Letters are folded, so that upper and lower case are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glob {
    segments: Vec<Segment>,
    /// It ends with a slash, so it names folders only.
    pub(super) folders_only: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    /// `**`: any number of folders; as the last segment, all that is within.
    Deep,
    Name(Vec<Piece>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Char(char),
    /// `?`
    One,
    /// `*`
    Many,
    /// `[a-z]`, bounds included.
    Class(Vec<(char, char)>),
}

/// Makes upper and lower case one.
pub(super) fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

impl Glob {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// It can match nothing, for this reason.
    pub(super) fn parse(pattern: &str) -> Result<Self, PatternFault> {
        match pattern.as_bytes() {
            [b'#', ..] => return Err(PatternFault::Comment),
            [b'!', ..] => return Err(PatternFault::Negated),
            _ => {}
        }
        let folders_only = pattern.len() > 1 && pattern.ends_with('/');
        let path =
            if folders_only { pattern.strip_suffix('/').unwrap_or(pattern) } else { pattern };
        // What is within a folder is named as the folder itself is, so at any depth if no other slash is left.
        let (path, in_any) = match path.strip_suffix("/**") {
            Some(folder) => (folder, !folders_only && !folder.contains('/')),
            None => (path, !path.contains('/')),
        };
        if matches!(path, "" | "**") {
            return Ok(Self { segments: vec![Segment::Deep], folders_only });
        }
        let mut segments = if in_any { vec![Segment::Deep] } else { Vec::new() };
        for name in path.strip_prefix('/').unwrap_or(path).split('/') {
            match name {
                "" => return Err(PatternFault::EmptyName),
                "." | ".." => return Err(PatternFault::Dots),
                "**" if segments.last() == Some(&Segment::Deep) => {}
                "**" => segments.push(Segment::Deep),
                name => segments.push(Segment::Name(pieces(name)?)),
            }
        }
        Ok(Self { segments, folders_only })
    }

    /// The same pattern as globset reads it; right for paths of ASCII, since globset takes `?` for one byte.
    pub(super) fn to_globset(&self) -> String {
        let mut text = String::new();
        for (at, segment) in self.segments.iter().enumerate() {
            if at > 0 {
                text.push('/');
            }
            match segment {
                Segment::Deep => text.push_str("**"),
                Segment::Name(pieces) => pieces.iter().for_each(|piece| piece.write(&mut text)),
            }
        }
        text
    }

    /// Whether globset looks it up as a path, a name or an ending, which costs nothing for each glob.
    pub(super) fn is_in_a_table(&self) -> bool {
        let is_text = |pieces: &[Piece]| pieces.iter().all(|it| matches!(it, Piece::Char(_)));
        match self.segments.as_slice() {
            [Segment::Deep, Segment::Name(pieces)] => match pieces.as_slice() {
                [Piece::Many, Piece::Char('.'), ending @ ..] => {
                    is_text(ending) && !ending.contains(&Piece::Char('.'))
                }
                name => is_text(name),
            },
            path => path
                .iter()
                .all(|segment| matches!(segment, Segment::Name(pieces) if is_text(pieces))),
        }
    }

    /// Whether globset may be wrong about a path that is not ASCII.
    pub(super) fn counts_characters(&self) -> bool {
        self.segments.iter().any(|segment| match segment {
            Segment::Deep => false,
            Segment::Name(pieces) => {
                pieces.iter().any(|piece| matches!(piece, Piece::One | Piece::Class(_)))
            }
        })
    }

    /// Whether it matches a folded path, character by character.
    pub(super) fn is_match(&self, path: &str) -> bool {
        let names: Vec<Vec<char>> = path.split('/').map(|name| name.chars().collect()).collect();
        // The places to which the segments so far may reach: how many names they have used up.
        let mut reached = vec![false; names.len() + 1];
        if let Some(start) = reached.first_mut() {
            *start = true;
        }
        for (at, segment) in self.segments.iter().enumerate() {
            let is_last = at + 1 == self.segments.len();
            reached = match segment {
                Segment::Deep => {
                    let first = reached.iter().position(|here| *here).unwrap_or(reached.len());
                    let first = if is_last { first + 1 } else { first };
                    (0..reached.len()).map(|place| place >= first).collect()
                }
                Segment::Name(pieces) => std::iter::once(false)
                    .chain(
                        reached.iter().zip(&names).map(|(here, name)| *here && fits(pieces, name)),
                    )
                    .collect(),
            };
        }
        reached.last() == Some(&true)
    }
}

fn pieces(name: &str) -> Result<Vec<Piece>, PatternFault> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while let Some(sign) = rest.chars().next() {
        rest = rest.get(sign.len_utf8()..).unwrap_or_default();
        match sign {
            '*' if pieces.last() == Some(&Piece::Many) => {}
            '*' => pieces.push(Piece::Many),
            '?' => pieces.push(Piece::One),
            '[' => {
                let (inner, after) = rest.split_once(']').ok_or(PatternFault::OpenClass)?;
                pieces.push(Piece::Class(class(inner)?));
                rest = after;
            }
            '\\' => {
                let escaped = rest.chars().next().ok_or(PatternFault::LoneBackslash)?;
                pieces.extend(escaped.to_lowercase().map(Piece::Char));
                rest = rest.get(escaped.len_utf8()..).unwrap_or_default();
            }
            sign => pieces.extend(sign.to_lowercase().map(Piece::Char)),
        }
    }
    Ok(pieces)
}

/// Reads what stands between `[` and `]`. A `!` or `^` is a character like any other: for the client it negates nothing.
fn class(inner: &str) -> Result<Vec<(char, char)>, PatternFault> {
    let chars: Vec<char> = inner.chars().filter(|sign| *sign != '\\').collect();
    let mut ranges = Vec::new();
    let mut rest = chars.as_slice();
    while let [first, after @ ..] = rest {
        let (last, after) = match after {
            ['-', last, after @ ..] => (last, after),
            after => (first, after),
        };
        push_range(&mut ranges, *first, *last);
        rest = after;
    }
    if ranges.is_empty() { Err(PatternFault::EmptyClass) } else { Ok(ranges) }
}

/// Adds a range as paths show it, which have no capitals.
fn push_range(ranges: &mut Vec<(char, char)>, first: char, last: char) {
    if first > last {
        return;
    }
    ranges.push((first, last));
    let (capital_first, capital_last) = (first.max('A'), last.min('Z'));
    if capital_first <= capital_last {
        ranges.push((capital_first.to_ascii_lowercase(), capital_last.to_ascii_lowercase()));
    } else if first == last {
        ranges.extend(first.to_lowercase().map(|lower| (lower, lower)));
    }
}

impl Piece {
    fn write(&self, text: &mut String) {
        match self {
            Self::One => text.push('?'),
            Self::Many => text.push('*'),
            Self::Char(char) => push_char(text, *char),
            Self::Class(ranges) => push_class(text, ranges),
        }
    }
}

fn push_char(text: &mut String, char: char) {
    if matches!(char, '?' | '*' | '[' | ']' | '{' | '}' | '\\') {
        text.push('\\');
    }
    text.push(char);
}

/// Writes a class so that no character of it means anything to globset.
fn push_class(text: &mut String, ranges: &[(char, char)]) {
    const SIGNS: [char; 5] = ['!', '^', '-', '[', ']'];
    let mut signs: Vec<char> = Vec::new();
    let mut plain = String::new();
    for &(first, last) in ranges {
        signs.extend(SIGNS.into_iter().filter(|sign| (first..=last).contains(sign)));
        let is_bound = |char: &char| SIGNS.contains(char);
        // Bounds that mean something fall away: they are among the signs.
        let mut inner = (first..=last).skip_while(is_bound);
        let Some(begin) = inner.next() else { continue };
        let end = (first..=last).rev().find(|char| !is_bound(char)).unwrap_or(begin);
        plain.push(begin);
        if end > begin {
            plain.push('-');
            plain.push(end);
        }
    }
    text.push('{');
    if !plain.is_empty() {
        text.push('[');
        text.push_str(&plain);
        text.push(']');
    }
    for sign in signs {
        if !text.ends_with('{') {
            text.push(',');
        }
        text.push('\\');
        text.push(sign);
    }
    text.push('}');
}

/// Whether the pieces fit a whole name; at most as many steps as both have characters, multiplied.
fn fits(pieces: &[Piece], name: &[char]) -> bool {
    let (mut piece, mut at) = (0, 0);
    // Where to go on when what follows the last `*` does not fit.
    let mut retry = None;
    while at < name.len() || piece < pieces.len() {
        let here = name.get(at).copied();
        let does_fit = match (pieces.get(piece), here) {
            (Some(Piece::Many), _) => {
                retry = Some((piece, at + 1));
                piece += 1;
                continue;
            }
            (Some(Piece::One), Some(_)) => true,
            (Some(Piece::Char(char)), Some(here)) => *char == here,
            (Some(Piece::Class(ranges)), Some(here)) => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&here))
            }
            (Some(_), None) | (None, _) => false,
        };
        if does_fit {
            (piece, at) = (piece + 1, at + 1);
            continue;
        }
        match retry {
            Some((many, next)) if next <= name.len() => (piece, at) = (many, next),
            _ => return false,
        }
    }
    true
}
