//! Patterns of paths, compiled within bounds.

use std::fmt;

use globset::{GlobBuilder, GlobMatcher};
use memdir_core::MemPath;

use crate::limits;

/// A pattern in the `paths` of a memory that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadPattern {
    /// The memory.
    pub path: MemPath,
    /// The pattern, or its beginning where it is too long.
    pub pattern: String,
    /// What is wrong with it.
    pub fault: PatternFault,
}

/// Why a pattern of paths cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternFault {
    /// It has more than [`limits::PATTERN_BYTES`].
    TooLong,
    /// It has more than [`limits::PATTERN_BRANCHES`] braces and `**`.
    TooManyBranches,
    /// It is not written as patterns are, for this reason.
    Malformed(String),
}

/// Displays as a clause about the pattern.
impl fmt::Display for PatternFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "it is longer than {} bytes", limits::PATTERN_BYTES),
            Self::TooManyBranches => {
                write!(f, "it has more than {} braces and `**`", limits::PATTERN_BRANCHES)
            }
            Self::Malformed(reason) => f.write_str(reason),
        }
    }
}

/// Displays as a clause that names the memory and the pattern.
impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}`: the path pattern `{}` is not used: {}",
            self.path, self.pattern, self.fault
        )
    }
}

/// Compiles a pattern: `*` stays within a folder, `**` does not, `{a,b}` is either.
pub(crate) fn compile(pattern: &str) -> Result<GlobMatcher, PatternFault> {
    if pattern.len() > limits::PATTERN_BYTES {
        return Err(PatternFault::TooLong);
    }
    let branches = pattern.matches('{').count() + pattern.matches("**").count();
    if branches > limits::PATTERN_BRANCHES {
        return Err(PatternFault::TooManyBranches);
    }
    let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
    // A folder stands for what is in it.
    let pattern = match pattern.strip_suffix('/') {
        Some(folder) => format!("{folder}/**"),
        None => pattern.to_owned(),
    };
    let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
    match glob {
        Ok(glob) => Ok(glob.compile_matcher()),
        Err(error) => Err(PatternFault::Malformed(error.kind().to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(pattern: &str, file: &str) -> String {
        match compile(pattern) {
            Ok(glob) => glob.is_match(file).to_string(),
            Err(fault) => fault.to_string(),
        }
    }

    #[test]
    fn patterns_are_those_of_rules() {
        let check = |pattern: &str, file: &str, expect: &str| {
            assert_eq!(outcome(pattern, file), expect, "`{pattern}` {file}");
        };
        check("src/**/*.rs", "src/a/b.rs", "true");
        check("src/**/*.rs", "src/b.rs", "true");
        check("src/*.rs", "src/a/b.rs", "false");
        check("*.{ts,tsx}", "a.tsx", "true");
        check("./src/", "src/a/b", "true");
        check("/src/lib.rs", "src/lib.rs", "true");
        check(
            "src/{a",
            "src/a",
            "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
        );
        check("[", "a", "unclosed character class; missing ']'");
        check("", "a", "false");
    }

    #[test]
    fn what_would_blow_up_is_refused_or_quick() {
        let nested = format!("{}x{}", "{a,".repeat(20), "}".repeat(20));
        assert_eq!(outcome(&nested, "x"), "it has more than 16 braces and `**`");
        assert_eq!(outcome(&"**/".repeat(200), "x"), "it is longer than 512 bytes");
        assert_eq!(outcome(&"a".repeat(1 << 20), "x"), "it is longer than 512 bytes");
        let nested = format!("{}x{}", "{a,".repeat(16), "}".repeat(16));
        assert_eq!(outcome(&nested, "x"), "true");
        assert_eq!(outcome(&"**/".repeat(16), "x"), "true");
    }
}
