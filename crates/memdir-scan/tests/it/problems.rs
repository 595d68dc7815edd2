//! One bad neighbour does not hide the others.

use memdir_scan::limits;
use memdir_store::{FileKind, SkipReason};

use crate::shelf::{Shelf, day, paths, problems};

#[test]
fn what_cannot_be_read_is_named_beside_the_rest() {
    let shelf = Shelf::default()
        .file("good.md", day(3), "---\nname: g\n---\n")
        .denied("denied.md")
        .gone("gone.md")
        .skip("pipe.md", SkipReason::NotAFile(FileKind::Fifo))
        .skip("out.md", SkipReason::LinkOut)
        .skip("team/out.md", SkipReason::LinkOut)
        .skip("logs/out.md", SkipReason::LinkOut);
    let scan = shelf.scan();
    assert_eq!(paths(&scan), ["good.md"]);
    assert_eq!(
        problems(&scan),
        [
            "`pipe.md`: a named pipe, not a file",
            "`out.md`: a link that leads out of the memory directory",
            "no permission to read `denied.md`",
        ]
    );
}

#[test]
fn what_can_be_read_in_part_is_listed_and_named() {
    let check = |content: &[u8], name: Option<&str>, expect: &[&str]| {
        let scan = Shelf::default().file("a.md", day(1), content).scan();
        let names: Vec<_> = scan.headers.iter().map(|header| header.name.as_deref()).collect();
        assert_eq!(names, [name]);
        assert_eq!(problems(&scan), expect);
    };
    check(b"", None, &[]);
    check(b"no frontmatter", None, &[]);
    check(
        b"---\nname: open",
        None,
        &["`a.md`: line 1: frontmatter has no closing `---`; all is read as body"],
    );
    check(b"\0\0\0", None, &["`a.md`: holds NUL bytes, so it is no text"]);
    check(
        b"---\nname: caf\xe9\n---\n",
        Some("caf\u{fffd}"),
        &["`a.md`: line 2: not UTF-8; unreadable bytes are shown as `\u{fffd}`"],
    );
    check(
        b"---\nname: n\ntype: note\ncreated: soon\n---\n",
        Some("n"),
        &[
            "`a.md`: line 3: type `note` is none of the four",
            "`a.md`: line 4: `created` is no date: `soon`",
        ],
    );
    check(b"\xef\xbb\xbf---\r\nname: n\r\n---\r\nbody", Some("n"), &[]);
}

#[test]
fn advice_is_a_note_of_the_header_and_no_problem() {
    let many = format!("---\n{}name: n\n---\n", "tag: x\n".repeat(40));
    let scan = Shelf::default().file("a.md", day(1), many).scan();
    let notes: Vec<_> = scan.headers[0].notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["line 43: frontmatter of 43 lines (aim: 30)"]);
    assert_eq!(problems(&scan), [""; 0]);
}

#[test]
fn a_character_that_the_head_cuts_in_two_is_no_fault() {
    for shift in 0..4 {
        let text = format!("{}{}", "a".repeat(shift), "数据库".repeat(1_000));
        let scan = Shelf::default().file("a.md", day(1), text).scan();
        assert_eq!(problems(&scan), [""; 0], "{shift}");
    }
    let torn = "数据库".as_bytes();
    let scan = Shelf::default().file("a.md", day(1), &torn[..8]).scan();
    assert_eq!(problems(&scan).len(), 1, "here it is the file that ends within a character");
}

#[test]
fn a_byte_that_is_no_utf8_is_found_in_a_long_file_and_hides_nothing_behind_it() {
    let text = [b"---\nname: caf\xe9\ntype: user\n---\n".as_slice(), &b"x".repeat(5_000)].concat();
    let scan = Shelf::default().file("a.md", day(1), text).scan();
    assert_eq!(scan.headers[0].kind, Some(memdir_core::MemoryType::User));
    let expect = "`a.md`: line 2: not UTF-8; unreadable bytes are shown as `\u{fffd}`";
    assert_eq!(problems(&scan), [expect]);
}

#[test]
fn a_frontmatter_of_many_pages_is_read_to_its_end_and_one_without_end_is_not() {
    let long = format!("---\nnote: {}\nname: far\n---\nbody", "x".repeat(20_000));
    let shelf = Shelf::default().file("a.md", day(1), long);
    assert_eq!(shelf.scan().headers[0].name.as_deref(), Some("far"));
    assert_eq!(*shelf.asked.borrow(), [4_096, 65_537]);

    let endless = format!("---\nname: {}", "x".repeat(10_000_000));
    let shelf = Shelf::default().file("a.md", day(1), endless);
    let scan = shelf.scan();
    assert_eq!(scan.headers[0].name, None);
    assert_eq!(
        problems(&scan),
        [
            "`a.md`: too large: 10000010 bytes of at most 4194304",
            "`a.md`: line 1: frontmatter has no closing `---` within 65536 bytes; all is read as body",
        ]
    );
    assert_eq!(*shelf.asked.borrow(), [4_096, 65_537]);
}

#[test]
fn a_long_body_costs_one_page() {
    let shelf = Shelf::default().file(
        "a.md",
        day(1),
        format!("---\nname: n\n---\n{}", "x\n".repeat(50_000)),
    );
    shelf.scan();
    assert_eq!(*shelf.asked.borrow(), [4_096]);
}

#[test]
fn large_and_linked_files_are_listed_and_named() {
    let shelf = Shelf::default()
        .file("huge.md", day(2), "\0".repeat(4_096))
        .with_len(1 << 40)
        .file("linked.md", day(1), "---\nname: l\n---\n")
        .linked(2);
    let scan = shelf.scan();
    assert_eq!(paths(&scan), ["huge.md", "linked.md"]);
    assert_eq!(
        problems(&scan),
        [
            "`huge.md`: too large: 1099511627776 bytes of at most 4194304",
            "`linked.md`: has 2 names (hard links); one may lie outside",
        ]
    );
}

#[test]
fn problems_beyond_the_limit_are_counted() {
    let shelf = (0..limits::MAX_PROBLEMS + 7).fold(Shelf::default(), |shelf, at| {
        shelf.skip(&format!("{at}.md"), SkipReason::LinkDangling)
    });
    let scan = shelf.scan();
    assert_eq!((scan.problems.len(), scan.more_problems), (limits::MAX_PROBLEMS, 7));
}

#[test]
fn a_pinned_folder_pins_and_only_at_the_top() {
    let shelf = Shelf::default()
        .file("pinned/a.md", day(3), "")
        .file("sub/pinned/a.md", day(2), "")
        .file("b.md", day(1), "---\nmetadata:\n  pinned: true\n---\n");
    let pinned: Vec<_> = shelf.scan().headers.iter().map(|header| header.pinned).collect();
    assert_eq!(pinned, [true, false, true]);
}
