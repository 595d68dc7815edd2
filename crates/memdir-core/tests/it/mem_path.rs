//! Names that a model, a peer or a disk offers: threats 1 to 12.

mod properties;

use memdir_core::{MemPath, PathFault, limits};

/// One line a name: what it is taken as, or why it is refused.
fn check<T: AsRef<str>>(names: &[T]) -> String {
    let line = |name: &T| match MemPath::parse(name.as_ref()) {
        Ok(path) => format!("{:?} is {path}\n", name.as_ref()),
        Err(fault) => format!("{:?}: {fault}\n", name.as_ref()),
    };
    names.iter().map(line).collect()
}

#[test]
fn plain_names_in_any_script_are_taken_as_they_are() {
    insta::assert_snapshot!(check(&[
        "MEMORY.md",
        "user_role.md",
        "sub/folder/deep.md",
        "用户_角色.md",
        "备忘：数据库.md",
        "사용자.md",
        "роль пользователя.md",
        "ノート.md",
        "丿.md",
        "½ cup (draft) [x] #1 & more, ok!.md",
        "a~b.md",
        "50%.md",
        "100%25.md",
        "%E5%9B%BA.md",
        "no-ending",
        "console.md",
        "com10.md",
        "nul_values.md",
        "❤.md",
    ]), @r#"
    "MEMORY.md" is MEMORY.md
    "user_role.md" is user_role.md
    "sub/folder/deep.md" is sub/folder/deep.md
    "用户_角色.md" is 用户_角色.md
    "备忘：数据库.md" is 备忘：数据库.md
    "사용자.md" is 사용자.md
    "роль пользователя.md" is роль пользователя.md
    "ノート.md" is ノート.md
    "丿.md" is 丿.md
    "½ cup (draft) [x] #1 & more, ok!.md" is ½ cup (draft) [x] #1 & more, ok!.md
    "a~b.md" is a~b.md
    "50%.md" is 50%.md
    "100%25.md" is 100%25.md
    "%E5%9B%BA.md" is %E5%9B%BA.md
    "no-ending" is no-ending
    "console.md" is console.md
    "com10.md" is com10.md
    "nul_values.md" is nul_values.md
    "❤.md" is ❤.md
    "#);
}

#[test]
fn threat_01_parent_components_are_refused_in_every_position() {
    insta::assert_snapshot!(check(&[
        "..",
        "../x",
        "a/../../x",
        "a/..",
        "./..",
        "....//",
        "..;/",
        ".. /x",
        "a/.. /x",
        "a..b.md",
        "..\\x",
        &"../".repeat(64),
    ]), @r#"
    "..": path `..` holds `..`, and a memory is named without it
    "../x": path `../x` holds `..`, and a memory is named without it
    "a/../../x": path `a/../../x` holds `..`, and a memory is named without it
    "a/..": path `a/..` holds `..`, and a memory is named without it
    "./..": path `./..` has an empty or `.` component
    "....//": path `....//` holds `..`, and a memory is named without it
    "..;/": path `..;/` holds `..`, and a memory is named without it
    ".. /x": path `.. /x` holds `..`, and a memory is named without it
    "a/.. /x": path `a/.. /x` holds `..`, and a memory is named without it
    "a..b.md": path `a..b.md` holds `..`, and a memory is named without it
    "..\\x": path `..\x` holds a backslash (U+005C)
    "../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../": path `../../../../../../../../../../../../../../../../../../../../../../../../../../..…` holds `..`, and a memory is named without it
    "#);
}

#[test]
fn threat_02_absolute_home_and_url_paths_are_refused() {
    insta::assert_snapshot!(check(&[
        "/etc/passwd",
        "//etc/passwd",
        "~/x",
        "~root/x",
        "$HOME/x",
        "${HOME}/x",
        "%USERPROFILE%/x",
        "%APPDATA%/x",
        "file:///etc/passwd",
        "https://example.com/x.md",
    ]), @r#"
    "/etc/passwd": path `/etc/passwd` does not start in the memory directory: it is absolute
    "//etc/passwd": path `//etc/passwd` does not start in the memory directory: it is a network or device path
    "~/x": path `~/x` does not start in the memory directory: `~` stands for a home directory
    "~root/x": path `~root/x` does not start in the memory directory: `~` stands for a home directory
    "$HOME/x": path `$HOME/x` does not start in the memory directory: `$` begins a variable
    "${HOME}/x": path `${HOME}/x` does not start in the memory directory: `$` begins a variable
    "%USERPROFILE%/x": path `%USERPROFILE%/x` does not start in the memory directory: `%` begins a variable
    "%APPDATA%/x": path `%APPDATA%/x` does not start in the memory directory: `%` begins a variable
    "file:///etc/passwd": path `file:///etc/passwd` does not start in the memory directory: it is a URL
    "https://example.com/x.md": path `https://example.com/x.md` does not start in the memory directory: it is a URL
    "#);
}

#[test]
fn threat_03_a_sibling_with_the_same_prefix_cannot_be_named() {
    insta::assert_snapshot!(check(&["../mem-evil/x", "/home/u/mem-evil/x", "./../mem-evil/x"]), @r#"
    "../mem-evil/x": path `../mem-evil/x` holds `..`, and a memory is named without it
    "/home/u/mem-evil/x": path `/home/u/mem-evil/x` does not start in the memory directory: it is absolute
    "./../mem-evil/x": path `./../mem-evil/x` has an empty or `.` component
    "#);
}

#[test]
fn threat_04_every_control_character_is_refused_and_never_printed() {
    let controls = ('\0'..='\u{1f}').chain('\u{7f}'..='\u{9f}').chain(['\u{2028}', '\u{2029}']);
    for c in controls {
        for name in [format!("a{c}b.md"), format!("{c}"), format!("a.md{c}"), format!("x/{c}/y")] {
            let fault = MemPath::parse(&name).expect_err(&format!("{name:?} is refused"));
            assert!(matches!(fault, PathFault::Character { .. }), "{fault}");
            assert!(!fault.to_string().contains(c), "{fault:?}");
        }
    }
    insta::assert_snapshot!(check(&["a\0.md", "a\u{1b}[2J.md", "a\nb.md", "a\u{85}b.md"]), @r#"
    "a\0.md": path `a\u{0}.md` holds a control character (U+0000)
    "a\u{1b}[2J.md": path `a\u{1b}[2J.md` holds a control character (U+001B)
    "a\nb.md": path `a\nb.md` holds a control character (U+000A)
    "a\u{85}b.md": path `a\u{85}b.md` holds a control character (U+0085)
    "#);
}

#[test]
fn threat_05_and_06_windows_paths_are_refused_everywhere() {
    insta::assert_snapshot!(check(&[
        "..\\secret",
        "a\\b.md",
        "C:x",
        "C:\\x",
        "c:/x",
        "\\\\srv\\s",
        "\\\\?\\C:\\",
        "\\x",
        "//./pipe/x",
        "a.md:stream",
        "sub/a.md::$DATA",
    ]), @r#"
    "..\\secret": path `..\secret` holds a backslash (U+005C)
    "a\\b.md": path `a\b.md` holds a backslash (U+005C)
    "C:x": path `C:x` does not start in the memory directory: it names a drive
    "C:\\x": path `C:\x` does not start in the memory directory: it names a drive
    "c:/x": path `c:/x` does not start in the memory directory: it names a drive
    "\\\\srv\\s": path `\\srv\s` does not start in the memory directory: it is a network or device path
    "\\\\?\\C:\\": path `\\?\C:\` does not start in the memory directory: it is a network or device path
    "\\x": path `\x` does not start in the memory directory: it is absolute
    "//./pipe/x": path `//./pipe/x` does not start in the memory directory: it is a network or device path
    "a.md:stream": path `a.md:stream` holds a colon, which names a drive or a stream on Windows (U+003A)
    "sub/a.md::$DATA": path `sub/a.md::$DATA` holds a colon, which names a drive or a stream on Windows (U+003A)
    "#);
}

#[test]
fn threat_07_names_reserved_by_windows_are_refused_with_any_ending_and_case() {
    let devices = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "COM¹", "LPT³"]
        .map(str::to_owned)
        .into_iter()
        .chain((1..=9).flat_map(|n| [format!("COM{n}"), format!("LPT{n}")]));
    for device in devices {
        for base in
            [device.clone(), device.to_lowercase(), format!("{device} "), format!("{device}  ")]
        {
            for ending in ["", ".md", ".tar.md", ".", " "] {
                let name = format!("{base}{ending}");
                let outcome =
                    MemPath::parse(&format!("sub/{name}/x.md")).and(MemPath::parse(&name));
                assert!(outcome.is_err(), "{name:?} is {outcome:?}");
            }
        }
    }
    insta::assert_snapshot!(check(&["CON", "con.md", "Aux.tar.md", "nul .md", "com¹.md", "sub/LPT9.txt"]), @r#"
    "CON": name `CON` is reserved by Windows
    "con.md": name `con.md` is reserved by Windows
    "Aux.tar.md": name `Aux.tar.md` is reserved by Windows
    "nul .md": name `nul .md` is reserved by Windows
    "com¹.md": name `com¹.md` is reserved by Windows
    "sub/LPT9.txt": name `LPT9.txt` is reserved by Windows
    "#);
}

#[test]
fn threat_08_percent_encoding_is_never_decoded_and_refused_where_decoding_would_escape() {
    insta::assert_snapshot!(check(&[
        "%2e%2e/",
        "%2e%2e/x",
        "%2E%2E%2Fx",
        "..%2fx",
        "a%2fb.md",
        "a%5Cb.md",
        "%252e%252e%252fx",
        "%25252e%25252e",
        "%c0%ae%c0%ae/x",
        "%c0%af",
        "%e0%80%ae",
        "a%00.md",
        "a%0d%0ab.md",
        "%2ememdir/journal",
        "a%e2%80%ae.md",
        "a%e2%88%95b.md",
        "％2e％2e",
    ]), @r#"
    "%2e%2e/": path `%2e%2e/` has an empty or `.` component
    "%2e%2e/x": path `%2e%2e/x` is percent-encoded, and decoded it holds `..`
    "%2E%2E%2Fx": path `%2E%2E%2Fx` is percent-encoded, and decoded it holds a path separator
    "..%2fx": path `..%2fx` holds `..`, and a memory is named without it
    "a%2fb.md": path `a%2fb.md` is percent-encoded, and decoded it holds a path separator
    "a%5Cb.md": path `a%5Cb.md` is percent-encoded, and decoded it holds a path separator
    "%252e%252e%252fx": path `%252e%252e%252fx` is percent-encoded, and decoded it holds a path separator
    "%25252e%25252e": path `%25252e%25252e` is percent-encoded, and decoded it holds `..`
    "%c0%ae%c0%ae/x": path `%c0%ae%c0%ae/x` is percent-encoded, and decoded it is not UTF-8
    "%c0%af": path `%c0%af` is percent-encoded, and decoded it is not UTF-8
    "%e0%80%ae": path `%e0%80%ae` is percent-encoded, and decoded it is not UTF-8
    "a%00.md": path `a%00.md` is percent-encoded, and decoded it holds a control or invisible character
    "a%0d%0ab.md": path `a%0d%0ab.md` is percent-encoded, and decoded it holds a control or invisible character
    "%2ememdir/journal": path `%2ememdir/journal` is percent-encoded, and decoded it begins with a dot
    "a%e2%80%ae.md": path `a%e2%80%ae.md` is percent-encoded, and decoded it holds a control or invisible character
    "a%e2%88%95b.md": path `a%e2%88%95b.md` is percent-encoded, and decoded it holds a look-alike of a path separator
    "％2e％2e": path `％2e％2e` is percent-encoded, and decoded it holds `..`
    "#);
}

#[test]
fn threat_09_look_alikes_of_separators_and_dots_are_refused() {
    insta::assert_snapshot!(check(&[
        "．．／x",
        "‥/x",
        "a‥b",
        "wait….md",
        "a∕b",
        "a⧸b",
        "a＼b",
        "a／b",
        "a⁄b",
        "a﹨b",
        "a∖b",
        "․․/x",
        "．memdir/x",
        "︰/x",
    ]), @r#"
    "．．／x": path `．．／x` is disguised: in normal letters it holds a path separator
    "‥/x": path `‥/x` is disguised: in normal letters it holds `..`
    "a‥b": path `a‥b` is disguised: in normal letters it holds `..`
    "wait….md": path `wait….md` is disguised: in normal letters it holds `..`
    "a∕b": path `a∕b` holds a look-alike of a path separator (U+2215)
    "a⧸b": path `a⧸b` holds a look-alike of a path separator (U+29F8)
    "a＼b": path `a＼b` is disguised: in normal letters it holds a path separator
    "a／b": path `a／b` is disguised: in normal letters it holds a path separator
    "a⁄b": path `a⁄b` holds a look-alike of a path separator (U+2044)
    "a﹨b": path `a﹨b` is disguised: in normal letters it holds a path separator
    "a∖b": path `a∖b` holds a look-alike of a path separator (U+2216)
    "․․/x": path `․․/x` is disguised: in normal letters it holds `..`
    "．memdir/x": path `．memdir/x` is disguised: in normal letters it begins with a dot
    "︰/x": path `︰/x` is disguised: in normal letters it holds `..`
    "#);
}

#[test]
fn threat_10_two_normal_forms_are_one_name() {
    let composed = MemPath::parse("caf\u{e9}/내.md").expect("a name");
    let decomposed = MemPath::parse("cafe\u{301}/\u{1102}\u{1162}.md").expect("a name");
    assert_eq!(composed, decomposed);
    assert_eq!(decomposed.as_str(), "caf\u{e9}/내.md");
}

#[test]
fn threat_11_twins_by_case_share_a_key_and_other_names_do_not() {
    let key = |name: &str| MemPath::parse(name).expect("a name").twin_key();
    for (one, other) in [
        ("OK.md", "ok.md"),
        ("Größe.md", "GRÖSSE.MD"),
        ("Straße.md", "STRASSE.md"),
        ("STRAẞE.md", "strasse.md"),
        ("ΣΊΣΥΦΟΣ.md", "σίσυφος.md"),
        ("Кот.md", "кОТ.md"),
        ("\u{1fb3}.md", "\u{391}\u{345}.md"),
        ("É.md", "e\u{301}.md"),
        ("\u{1fb3}\u{323}.md", "\u{391}\u{323}\u{399}.md"),
        ("\u{1fb3}\u{308}.md", "\u{391}\u{308}\u{399}.md"),
    ] {
        assert_eq!(key(one), key(other), "{one} and {other}");
    }
    for (one, other) in
        [("é.md", "e.md"), ("ı.md", "i.md"), ("a-b.md", "a_b.md"), ("项.md", "项目.md")]
    {
        assert_ne!(key(one), key(other), "{one} and {other}");
    }
}

#[test]
fn threat_12_names_that_a_shell_or_a_system_reads_otherwise_are_refused() {
    insta::assert_snapshot!(check(&[
        "",
        ".",
        "./a.md",
        "a/./b.md",
        "a//b.md",
        "a/",
        "a.md.",
        "a.md ",
        " a.md",
        "a /b.md",
        "a\u{3000}/b.md",
        "-rf.md",
        "sub/-x.md",
        ".env",
        ".memdir",
        ".memdir/journal/00000001.jsonl",
        ".MemDir/x.md",
        "sub/.hidden.md",
        "MEMDIR~1",
        "memdir~1/lock",
        "LONGNA~2.MD",
        "notes~old.md",
    ]), @r#"
    "": a memory needs a name, and the path is empty
    ".": path `.` has an empty or `.` component
    "./a.md": path `./a.md` has an empty or `.` component
    "a/./b.md": path `a/./b.md` has an empty or `.` component
    "a//b.md": path `a//b.md` has an empty or `.` component
    "a/": path `a/` has an empty or `.` component
    "a.md.": name `a.md.` ends with a dot, which Windows drops
    "a.md ": name `a.md ` begins or ends with white space
    " a.md": name ` a.md` begins or ends with white space
    "a /b.md": name `a ` begins or ends with white space
    "a\u{3000}/b.md": name `a　` begins or ends with white space
    "-rf.md": name `-rf.md` begins with a dash, which commands take for an option
    "sub/-x.md": name `-x.md` begins with a dash, which commands take for an option
    ".env": name `.env` begins with a dot, which hides it
    ".memdir": name `.memdir` begins with a dot; `.memdir` is the private folder of memdir
    ".memdir/journal/00000001.jsonl": name `.memdir` begins with a dot; `.memdir` is the private folder of memdir
    ".MemDir/x.md": name `.MemDir` begins with a dot; `.memdir` is the private folder of memdir
    "sub/.hidden.md": name `.hidden.md` begins with a dot, which hides it
    "MEMDIR~1": name `MEMDIR~1` is a short alias by which Windows opens another file
    "memdir~1/lock": name `memdir~1` is a short alias by which Windows opens another file
    "LONGNA~2.MD": name `LONGNA~2.MD` is a short alias by which Windows opens another file
    "notes~old.md" is notes~old.md
    "#);
}

#[test]
fn threat_12_lengths_are_counted_in_bytes_with_the_limit_included() {
    let name = |bytes: usize| format!("{}.md", "x".repeat(bytes - 3));
    let path = |bytes: usize| {
        let full = format!("{}/", "y".repeat(199)).repeat(bytes / 200 - 1);
        format!("{full}{}", name(bytes - full.len()))
    };
    for accepted in [name(255), path(limits::MAX_PATH_BYTES), "固".repeat(85)] {
        assert_eq!(MemPath::parse(&accepted).map(|path| path.to_string()), Ok(accepted));
    }
    for refused in [
        name(256),
        "固".repeat(86),
        path(limits::MAX_PATH_BYTES + 1),
        path(4_096),
        "x".repeat(1 << 20),
    ] {
        let fault = MemPath::parse(&refused).expect_err("too long");
        assert!(
            matches!(fault, PathFault::NameTooLong { .. } | PathFault::PathTooLong { .. }),
            "{fault}"
        );
        assert!(fault.to_string().len() < 400, "{fault}");
    }
}

#[test]
fn invisible_and_reordering_characters_are_refused() {
    insta::assert_snapshot!(check(&[
        "a\u{200b}b.md",
        "a\u{202e}dm.exe",
        "a\u{2066}b\u{2069}.md",
        "\u{feff}a.md",
        "a\u{ad}b.md",
        "a\u{e0041}.md",
        "a\u{fe0f}.md",
        "a\u{3164}.md",
        ".mem\u{200d}dir/x",
    ]), @r#"
    "a\u{200b}b.md": path `a\u{200b}b.md` holds an invisible or text-reordering character (U+200B)
    "a\u{202e}dm.exe": path `a\u{202e}dm.exe` holds an invisible or text-reordering character (U+202E)
    "a\u{2066}b\u{2069}.md": path `a\u{2066}b\u{2069}.md` holds an invisible or text-reordering character (U+2066)
    "\u{feff}a.md": path `\u{feff}a.md` holds an invisible or text-reordering character (U+FEFF)
    "a\u{ad}b.md": path `a\u{ad}b.md` holds an invisible or text-reordering character (U+00AD)
    "a\u{e0041}.md": path `a\u{e0041}.md` holds an invisible or text-reordering character (U+E0041)
    "a\u{fe0f}.md": path `a\u{fe0f}.md` holds an invisible or text-reordering character (U+FE0F)
    "aㅤ.md": path `a\u{3164}.md` holds an invisible or text-reordering character (U+3164)
    ".mem\u{200d}dir/x": path `.mem\u{200d}dir/x` holds an invisible or text-reordering character (U+200D)
    "#);
}

#[test]
fn the_parts_of_a_path_are_what_stands_between_the_separators() {
    let parts = |text: &str| {
        let path = MemPath::parse(text).expect("a path");
        let (name, stem, parent) = (path.file_name(), path.stem(), path.parent());
        let components: Vec<_> = path.components().collect();
        format!("{name} | {stem} | {parent:?} | {components:?} | {}", path.is_markdown())
    };
    assert_eq!(parts("a/b/c.d.md"), r#"c.d.md | c.d | Some("a/b") | ["a", "b", "c.d.md"] | true"#);
    assert_eq!(parts("README.MD"), r#"README.MD | README | None | ["README.MD"] | true"#);
    assert_eq!(parts("md"), r#"md | md | None | ["md"] | false"#);
    assert_eq!(parts("x.txt"), r#"x.txt | x | None | ["x.txt"] | false"#);
    assert!(MemPath::index().is_index());
    assert_eq!(MemPath::parse("MEMORY.md"), Ok(MemPath::index()));
    assert!(!MemPath::parse("team/MEMORY.md").expect("a path").is_index());
}

#[test]
fn the_pinned_folder_is_told_as_the_coarsest_file_system_tells_it() {
    let is_in = |name: &str| MemPath::parse(name).expect("a name").is_in_pinned();
    for name in ["pinned/a.md", "PINNED/a.md", "Pinned/sub/a.md"] {
        assert!(is_in(name), "{name}");
    }
    for name in ["pinned.md", "pinned", "sub/pinned/a.md", "pinned-not/a.md", "pinnéd/a.md"] {
        assert!(!is_in(name), "{name}");
    }
}
