//! From a pattern as written to the patterns that its commas and braces stand for, within a budget.

use super::PatternFault;
use crate::limits;

/// How much the braces of one rule may still become.
#[derive(Debug)]
pub(super) struct Budget {
    patterns: usize,
    bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { patterns: limits::EXPANDED_PATTERNS, bytes: limits::EXPANDED_BYTES }
    }
}

#[derive(Debug)]
enum Node<'a> {
    Text(&'a str),
    Choice(Vec<Vec<Self>>),
}

/// How many patterns something stands for, and how many bytes they have together.
#[derive(Debug, Clone, Copy)]
struct Size {
    patterns: usize,
    bytes: usize,
}

/// Splits at commas that stand outside of braces; the pieces are trimmed, and none is empty.
pub(super) fn at_commas(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).into_iter().map(trim).filter(|piece| !piece.is_empty())
}

/// Writes out the braces of one pattern.
///
/// # Errors
///
/// They stand for more than the budget holds, or nest too deep; then the pattern is to be used as it stands.
pub(super) fn braces(pattern: &str, budget: &mut Budget) -> Result<Vec<String>, PatternFault> {
    if !pattern.contains('{') {
        return Ok(vec![pattern.to_owned()]);
    }
    let nodes = nodes(pattern, limits::BRACE_DEPTH)?;
    let size = size(&nodes);
    let left = (budget.patterns.checked_sub(size.patterns), budget.bytes.checked_sub(size.bytes));
    let (Some(patterns), Some(bytes)) = left else { return Err(PatternFault::TooManyBraces) };
    *budget = Budget { patterns, bytes };
    let mut expanded = Vec::with_capacity(size.patterns);
    write_out(&nodes, &mut expanded);
    Ok(expanded)
}

fn nodes(text: &str, depth: usize) -> Result<Vec<Node<'_>>, PatternFault> {
    let mut nodes = Vec::new();
    let mut rest = text;
    while let Some((before, inner, after)) = first_choice(rest) {
        let depth = depth.checked_sub(1).ok_or(PatternFault::BracesTooDeep)?;
        nodes.push(Node::Text(before));
        let choices = pieces(inner).into_iter().map(|choice| self::nodes(trim(choice), depth));
        nodes.push(Node::Choice(choices.collect::<Result<_, _>>()?));
        rest = after;
    }
    nodes.push(Node::Text(rest));
    Ok(nodes)
}

/// What stands before, in and after the first pair of braces with something in it.
fn first_choice(text: &str) -> Option<(&str, &str, &str)> {
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    for (at, sign) in signs(text) {
        match sign {
            '{' => open.push(at),
            '}' => {
                if let Some(start) = open.pop().filter(|start| start + 1 < at) {
                    pairs.push((start, at));
                }
            }
            _ => {}
        }
    }
    let (start, end) = pairs.into_iter().min()?;
    Some((text.get(..start)?, text.get(start + 1..end)?, text.get(end + 1..)?))
}

/// The characters that no backslash stands before, with their places.
fn signs(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut escaped = false;
    text.char_indices().filter(move |(_, sign)| {
        let is_plain = !escaped;
        escaped = is_plain && *sign == '\\';
        is_plain && *sign != '\\'
    })
}

fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut begin, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, sign) in signs(text) {
        match sign {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                pieces.extend(text.get(begin..at));
                begin = at + 1;
            }
            _ => {}
        }
    }
    pieces.extend(text.get(begin..));
    pieces
}

/// Cuts the blanks around a pattern, but not one that a backslash keeps.
fn trim(text: &str) -> &str {
    let cut = text.trim();
    let backslashes = cut.len() - cut.trim_end_matches('\\').len();
    if backslashes.is_multiple_of(2) {
        return cut;
    }
    let begin = text.trim_start();
    let blank = begin.get(cut.len()..).and_then(|rest| rest.chars().next());
    begin.get(..cut.len() + blank.map_or(0, char::len_utf8)).unwrap_or(cut)
}

fn size(nodes: &[Node<'_>]) -> Size {
    nodes.iter().fold(Size { patterns: 1, bytes: 0 }, |all, node| {
        let each = match node {
            Node::Text(text) => Size { patterns: 1, bytes: text.len() },
            Node::Choice(choices) => {
                choices.iter().fold(Size { patterns: 0, bytes: 0 }, |sum, choice| {
                    let each = size(choice);
                    Size {
                        patterns: sum.patterns.saturating_add(each.patterns),
                        bytes: sum.bytes.saturating_add(each.bytes),
                    }
                })
            }
        };
        let bytes = all.bytes.saturating_mul(each.patterns);
        Size {
            patterns: all.patterns.saturating_mul(each.patterns),
            bytes: bytes.saturating_add(each.bytes.saturating_mul(all.patterns)),
        }
    })
}

fn write_out(nodes: &[Node<'_>], out: &mut Vec<String>) {
    let mut begun = vec![String::new()];
    for node in nodes {
        match node {
            Node::Text(text) => begun.iter_mut().for_each(|pattern| pattern.push_str(text)),
            Node::Choice(choices) => {
                let mut endings = Vec::new();
                for choice in choices {
                    write_out(choice, &mut endings);
                }
                begun = begun
                    .iter()
                    .flat_map(|pattern| {
                        endings.iter().map(move |ending| format!("{pattern}{ending}"))
                    })
                    .collect();
            }
        }
    }
    out.append(&mut begun);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, expect: &[&str]) {
        let expanded: Vec<_> = at_commas(pattern)
            .flat_map(|piece| braces(piece, &mut Budget::default()).unwrap())
            .collect();
        assert_eq!(expanded, expect, "{pattern}");
    }

    #[test]
    fn commas_and_braces_are_written_out() {
        check("a", &["a"]);
        check(" a , b,", &["a", "b"]);
        check("*.{ts, tsx}", &["*.ts", "*.tsx"]);
        check("{a,b}/{c,d}", &["a/c", "a/d", "b/c", "b/d"]);
        check("{a,b{c,d}}x", &["ax", "bcx", "bdx"]);
        check("x{,y}", &["x", "xy"]);
        check("{a}", &["a"]);
        check("a{}b", &["a{}b"]);
        check("a}b{c", &["a}b{c"]);
        check("{a,{b}", &["{a,b"]);
        check(r"\{a,b\}", &[r"\{a", r"b\}"]);
        check(r"a\,b", &[r"a\,b"]);
        check("a\\ , b", &["a\\ ", "b"]);
        check("", &[]);
        check("{a,b", &["{a,b"]);
    }

    #[test]
    fn what_exceeds_the_budget_is_refused_before_it_is_written_out() {
        let fault = |pattern: &str| braces(pattern, &mut Budget::default()).map(|all| all.len());
        assert_eq!(fault(&"{a,b}".repeat(10)), Err(PatternFault::TooManyBraces));
        assert_eq!(fault(&"{a,b}".repeat(9)), Ok(512));
        assert_eq!(fault(&"{a,b}".repeat(800)), Err(PatternFault::TooManyBraces));
        let nested = |depth| format!("{}x{}", "{a,".repeat(depth), "}".repeat(depth));
        assert_eq!(fault(&nested(20)), Ok(21));
        assert_eq!(fault(&nested(33)), Err(PatternFault::BracesTooDeep));
        let mut budget = Budget::default();
        assert_eq!(braces(&"{a,b}".repeat(9), &mut budget).map(|all| all.len()), Ok(512));
        assert_eq!(braces(&"{a,b}".repeat(9), &mut budget), Err(PatternFault::TooManyBraces));
        assert_eq!(braces("{a,b}", &mut budget).map(|all| all.len()), Ok(2));
    }
}
