//! What patterns match, against a table and against another matcher, and what they cost.

use ignore::gitignore::GitignoreBuilder;
use memdir_rules::limits;
use memdir_rules::pattern::{PatternFault, Patterns};
use proptest::prelude::*;

fn is_match(pattern: &str, path: &str) -> bool {
    !Patterns::new([[pattern]]).pass().hits(path).is_empty()
}

#[test]
fn the_table_holds() {
    let table = include_str!("../data/matching.tsv");
    let rows: Vec<_> = table.lines().filter(|line| !line.starts_with("# ")).collect();
    assert!(rows.len() >= 200, "{} rows", rows.len());
    let wrong: Vec<_> = rows
        .iter()
        .filter(|row| {
            let mut cells = row.split('\t');
            let (pattern, path) = (cells.next().unwrap(), cells.next().unwrap());
            is_match(pattern, path).to_string() != cells.next().unwrap()
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_group_is_told_with_its_first_pattern_that_matches() {
    let patterns = Patterns::new([
        vec!["*.md", "docs/**", "docs/a.md"],
        vec![],
        vec!["lib/"],
        vec!["nothing", "{x,docs}/*.md"],
    ]);
    let mut pass = patterns.pass();
    let mut check = |path: &str, expect: &[(usize, usize)]| {
        let hits: Vec<_> = pass.hits(path).iter().map(|hit| (hit.group, hit.pattern)).collect();
        assert_eq!(hits, expect, "{path}");
    };
    check("docs/a.md", &[(0, 0), (3, 1)]);
    check("docs/b.txt", &[(0, 1)]);
    check("docs/sub/b.txt", &[(0, 1)]);
    check("x/lib/y/z", &[(2, 0)]);
    check("x/lib", &[]);
    check("", &[]);
}

fn faults(patterns: &[&str]) -> Vec<String> {
    Patterns::new([patterns]).faults().iter().map(ToString::to_string).collect()
}

#[test]
fn what_can_match_nothing_is_told() {
    let check = |pattern: &str, expect: &str| assert_eq!(faults(&[pattern]), [expect], "{pattern}");
    check("!a", "the pattern `!a` matches nothing: `!` excludes nothing in a list of paths");
    check("#a", "the pattern `#a` matches nothing: `#` begins a comment");
    check("a/[b", "the pattern `a/[b` matches nothing: its `[` has no `]`");
    check("[z-a]", "the pattern `[z-a]` matches nothing: there is nothing between its brackets");
    check("a\\", "the pattern `a\\` matches nothing: it ends with a backslash");
    check("./a", "the pattern `./a` matches nothing: a component `.` or `..` stands for no name");
    check("a//b", "the pattern `a//b` matches nothing: it has a component without a name");
    assert_eq!(faults(&["*.rs", "src/**", "a,b"]), [""; 0]);
}

#[test]
fn threat_28_what_would_blow_up_is_bounded_and_told() {
    let nested = |depth| format!("{}x{}", "{a,".repeat(depth), "}".repeat(depth));
    assert_eq!(faults(&[&nested(20)]), [""; 0]);
    assert!(
        is_match(&nested(20), "x") && is_match(&nested(20), "a") && !is_match(&nested(20), "b")
    );
    assert!(is_match(&"**/".repeat(200), "a/b") && !is_match(&"**/".repeat(200), "a"));
    let told = |pattern: &str| Patterns::new([[pattern]]).faults().first().map(|bad| bad.fault);
    assert_eq!(told(&"a".repeat(1 << 20)), Some(PatternFault::TooLong));
    assert_eq!(told(&"{a,b}".repeat(20)), Some(PatternFault::TooManyBraces));
    assert_eq!(told(&nested(1_000)), Some(PatternFault::BracesTooDeep));
    assert!(is_match(&"{a,b}".repeat(20), &"{a,b}".repeat(20)), "it is used as it stands");
    let stars = "*a".repeat(limits::PATTERN_WILDCARDS);
    assert!(is_match(&stars, &"a".repeat(2_000)) && !is_match(&stars, &"b".repeat(2_000)));
    assert_eq!(told(&format!("{stars}*")), Some(PatternFault::TooManyWildcards));
    let rules = limits::SET_WILDCARDS / limits::PATTERN_WILDCARDS + 1;
    let set = Patterns::new(vec![[stars]; rules]);
    assert_eq!(set.faults().last().map(|bad| bad.fault), Some(PatternFault::TooManyInAll));
    assert_eq!(set.pass().hits(&"a".repeat(2_000)).len(), rules - 1);
    // A pattern of 4,096 bytes that stands for 1,000 of them, and more groups than a set takes.
    let most = format!("{}{}", "x".repeat(3_000), "{a,b,c,d,e,f,g,h,i,j}".repeat(3));
    assert_eq!(told(&most), None);
    let many = vec!["{a,b,c,d,e,f,g,h,i,j}".repeat(3); limits::SET_PATTERNS / 1_000 + 1];
    let groups: Vec<_> = many.iter().map(|pattern| [pattern]).collect();
    let set = Patterns::new(&groups);
    assert_eq!(
        set.faults().iter().map(|bad| bad.fault).collect::<Vec<_>>(),
        [PatternFault::TooMany]
    );
    assert_eq!(set.pass().hits("aaa").len(), limits::SET_PATTERNS / 1_000);
}

/// What a line of a `.gitignore` in the root says of a file.
fn ignored(pattern: &str, path: &str) -> bool {
    let mut builder = GitignoreBuilder::new("");
    builder.case_insensitive(true).unwrap();
    builder.add_line(None, pattern).unwrap();
    let line = builder.build().unwrap();
    // Its own way through the parents counts the root among them.
    let mut folders = path.match_indices('/').map(|(at, _)| path.split_at(at).0);
    line.matched(path, false).is_ignore() || folders.any(|it| line.matched(it, true).is_ignore())
}

/// Names and wildcards that both read alike: no braces, no commas, no negation, no `**` beside other signs.
fn shared_pattern() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        3 => "[abAB.]{1,3}",
        2 => "[ab]?\\*[ab.]{0,2}",
        1 => "[ab]\\?",
        1 => "\\[[a-c]-[c-e]\\]",
        2 => Just("**".to_owned()),
    ]
    .prop_filter("a name", |name| name != "." && name != "..");
    let names = prop::collection::vec(name, 1..4);
    (any::<bool>(), names, any::<bool>())
        .prop_map(|(rooted, names, folder)| {
            let (rooted, folder) = (if rooted { "/" } else { "" }, if folder { "/" } else { "" });
            format!("{rooted}{}{folder}", names.join("/"))
        })
        // At the end both `**` are read apart: here `a/**` is `a`, as for the client, and `**/` is any folder.
        .prop_filter("a name at the end", |pattern| !pattern.trim_end_matches('/').ends_with("**"))
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec("[abcAB.]{1,3}", 1..5)
        .prop_filter("names", |names| names.iter().all(|name| name != "." && name != ".."))
        .prop_map(|names| names.join("/"))
}

proptest! {
    #[test]
    fn patterns_match_what_a_gitignore_ignores(pattern in shared_pattern(), path in path()) {
        prop_assert_eq!(is_match(&pattern, &path), ignored(&pattern, &path), "`{}` {}", pattern, path);
    }

    #[test]
    fn characters_of_any_script_match_as_letters_do(pattern in shared_pattern(), path in path()) {
        let in_cyrillic = |text: &str| text.replace(['a', 'A'], "а").replace(['b', 'B'], "б");
        // Ranges are left out: they end at a letter.
        if pattern.contains('[') {
            return Ok(());
        }
        prop_assert_eq!(
            is_match(&in_cyrillic(&pattern), &in_cyrillic(&path)), is_match(&pattern, &path), "`{}` {}", pattern, path
        );
    }

    #[test]
    fn any_text_is_a_pattern_or_a_fault(pattern in "\\PC{0,40}|[\\[\\]{},*?!/\\\\a-]{0,24}", path in "\\PC{0,40}") {
        let set = Patterns::new([[&pattern]]);
        let hits = set.pass().hits(&path);
        prop_assert!(hits.len() <= 1);
    }
}
