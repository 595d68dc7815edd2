//! What a text says about the files of a project: rather too little than something that it does not say.

use memdir_store::project::{Limits, ProjectPath};

use super::{
    Claim, commands,
    words::{FOREIGN, PRODUCTS, is_elsewhen, is_negated},
};

/// A claim with what makes it one about the project.
pub(super) struct Claimed {
    pub(super) claim: Claim,
    /// The line of the text, from 1.
    pub(super) line: usize,
    /// The paths in its sentence, one of which has to be of the project; absent where the claim speaks for itself.
    pub(super) places: Option<Vec<ProjectPath>>,
}

/// The claims of a text in order.
pub(super) fn claims(text: &str) -> impl Iterator<Item = Claimed> {
    let mut is_fenced = false;
    let lines = text.lines().zip(1..);
    lines.flat_map(move |(text, line)| {
        let is_fence = text.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        let claims = match (is_fence, is_fenced) {
            (true, _) => Vec::new(),
            // A listing shows whatever it likes; only commands are there to be typed.
            (false, true) => {
                commands::claim(text.trim()).map(|claim| (claim, None)).into_iter().collect()
            }
            (false, false) => of_line(text),
        };
        claims.into_iter().map(move |(claim, places)| Claimed { claim, line, places })
    })
}

type WithPlaces = (Claim, Option<Vec<ProjectPath>>);

fn of_line(line: &str) -> Vec<WithPlaces> {
    let told = sentences(line).into_iter().filter(|sentence| !is_elsewhen(sentence));
    told.flat_map(of_sentence).collect()
}

fn of_sentence(sentence: &str) -> Vec<WithPlaces> {
    let mut said = Vec::new();
    for (place, piece) in sentence.split('`').enumerate() {
        // Between the first backtick and the second is code, and so on.
        if place % 2 == 1 {
            said.extend(of_code(piece));
        } else {
            said.extend(piece.split_whitespace().filter_map(path).map(Said::Claim));
        }
    }
    let path = |said: &Said| match said {
        Said::Claim(Claim::Path(path)) => Some(path.clone()),
        Said::Claim(_) | Said::Name(_) => None,
    };
    let places: Vec<_> = said.iter().filter_map(path).collect();
    let is_negated = is_negated(sentence);
    let claim = |said: Said| match said {
        Said::Claim(Claim::Symbol(_)) | Said::Name(_) if is_negated => None,
        Said::Claim(claim) => Some((claim, None)),
        Said::Name(_) if places.is_empty() => None,
        Said::Name(name) => Some((Claim::Symbol(name), Some(places.clone()))),
    };
    said.into_iter().filter_map(claim).collect()
}

/// What one piece of a sentence says.
enum Said {
    /// Something about the project, whatever stands beside it.
    Claim(Claim),
    /// A name of code, which may be one of a library.
    Name(String),
}

/// A line cut behind each full stop that ends a sentence, but not within code.
fn sentences(line: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut rest = line;
    let mut from = 0;
    while let Some(at) = rest.get(from..).and_then(|rest| rest.find(['.', ';', '。', '；'])) {
        let stop = from + at;
        let (Some(sentence), Some(after)) = (rest.get(..stop), rest.get(stop..)) else { break };
        let width = after.chars().next().map_or(1, char::len_utf8);
        let after = after.get(width..).unwrap_or_default();
        let is_end = width > 1 || after.starts_with(char::is_whitespace);
        if is_end && sentence.matches('`').count() % 2 == 0 {
            sentences.push(sentence);
            rest = after;
            from = 0;
        } else {
            from = stop + width;
        }
    }
    sentences.push(rest);
    sentences
}

fn of_code(code: &str) -> Option<Said> {
    let code = code.trim();
    if let Some(command) = commands::claim(code) {
        return Some(Said::Claim(command));
    }
    if let Some((keyword, rest)) = code.split_once(' ') {
        let name = rest.split(|c: char| !is_of_name(c)).next().unwrap_or_default();
        let is_definition =
            KEYWORDS.contains(&keyword) && name.len() > 2 && !FOREIGN.contains(&name);
        return is_definition.then(|| Said::Claim(Claim::Symbol(name.to_owned())));
    }
    path(code).map(Said::Claim).or_else(|| symbol(code).map(Said::Name))
}

/// Words before a name that is defined.
const KEYWORDS: &[&str] = &[
    "fn",
    "struct",
    "enum",
    "trait",
    "mod",
    "const",
    "static",
    "type",
    "class",
    "interface",
    "def",
    "function",
    "func",
];

/// A path with a folder in it that a person could open, not one to fill in.
fn path(word: &str) -> Option<Claim> {
    let word = word.trim_start_matches(['"', '\'', '(', '“', '‘', '「']);
    let word = word.trim_end_matches(|c: char| "\"')”’」.,;:!?，。；：！？".contains(c));
    let word = without_line(word);
    if word.contains(|c: char| c.is_whitespace() || "*?<>{}[]()$%|=@#&+!\\\"'`…~^".contains(c))
        || word.contains("...")
    {
        return None;
    }
    let (folders, file) = word.trim_end_matches('/').rsplit_once('/')?;
    let first = folders.trim_start_matches("./").split('/').next()?;
    let is_made = Limits::default().skip.iter().any(|skipped| skipped == first);
    let is_placeholder = word.split(['/', '.']).any(|part| {
        matches!(part, "path" | "foo" | "bar" | "baz" | "example" | "xxx" | "your" | "some")
            || (part.len() > 1
                && part.chars().all(|c| c.is_ascii_uppercase())
                && !SHOUTED.contains(&part))
    });
    // `github.com/…` is elsewhere, `and/or` no file.
    let is_elsewhere = first.trim_start_matches('.').contains('.') || word.contains("//");
    if is_made || is_placeholder || is_elsewhere || !has_extension(file) {
        return None;
    }
    ProjectPath::parse(word).ok().map(Claim::Path)
}

/// Names of files that are written in capitals.
const SHOUTED: &[&str] = &[
    "README",
    "LICENSE",
    "CHANGELOG",
    "CONTRIBUTING",
    "SECURITY",
    "STABILITY",
    "MEMORY",
    "CLAUDE",
    "AGENTS",
    "TODO",
    "NOTES",
    "MIT",
    "APACHE",
];

/// The word without `:120`, `:120:4`, `:120-130` or `#L120` at its end.
fn without_line(word: &str) -> &str {
    let is_place = |text: &str| {
        let text = text.trim_start_matches('L');
        !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '-')
    };
    let mut word = word;
    while let Some((before, _)) = word.rsplit_once([':', '#']).filter(|(_, place)| is_place(place))
    {
        word = before;
    }
    word
}

fn has_extension(file: &str) -> bool {
    let Some((stem, extension)) = file.rsplit_once('.') else { return false };
    !stem.is_empty()
        && (1..=8).contains(&extension.len())
        && extension.starts_with(|c: char| c.is_ascii_alphabetic())
        && extension.chars().all(|c| c.is_ascii_alphanumeric())
}

/// A name that only code has: with humps, or words joined by `_`; of `Type::method` or `object.method()` the last.
fn symbol(code: &str) -> Option<String> {
    let code = code.strip_suffix("()").unwrap_or(code);
    let is_foreign = ["std::", "core::", "alloc::", "std."].iter().any(|of| code.starts_with(of));
    let name = code.rsplit([':', '.']).next()?;
    let is_path = code.split([':', '.']).all(|part| part.chars().all(is_of_name));
    let has_humps =
        name.chars().zip(name.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let is_joined =
        name.trim_matches('_').contains('_') && name.contains(|c: char| c.is_lowercase());
    let is_memory =
        ["user_", "feedback_", "project_", "reference_"].iter().any(|kind| name.starts_with(kind));
    let is_name = name.is_ascii()
        && name.len() > 3
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_file = code.contains('.')
        && !code.contains("::")
        && has_extension(code)
        && !has_humps
        && !is_joined;
    let is_symbol = is_path && is_name && (has_humps || is_joined) && !is_memory && !is_file;
    let is_foreign = is_foreign || FOREIGN.contains(&name) || PRODUCTS.contains(&name);
    (is_symbol && !is_foreign).then(|| name.to_owned())
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
