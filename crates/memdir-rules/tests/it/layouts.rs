//! Which files are loaded, in which order, and when.

use memdir_rules::{
    AddedRules, AgentsMd, Client, External, Loaded, NoteKind, Session, Setup, check as check_rules,
    render,
};
use memdir_store::files::{Call, InMemoryFiles, Recording};

use crate::{check, files, setup, shown, steps};

#[test]
fn levels_merge_from_the_widest_to_the_most_specific() {
    let mut given = setup();
    given.cwd = "/w/p/in".into();
    given.managed = Some("/etc/m/CLAUDE.md".into());
    given.managed_text = Some(("/etc/m/settings.json".into(), "TEXT".into()));
    let all = [
        ("/etc/m/CLAUDE.md", "MANAGED"),
        ("/h/.claude/CLAUDE.md", "USER @more.md"),
        ("/h/.claude/more.md", "MORE"),
        ("/h/.claude/rules/b.md", "RULE-B"),
        ("/h/.claude/rules/a/x.md", "RULE-A"),
        ("/CLAUDE.md", "TOP"),
        ("/w/p/CLAUDE.md", "PROJECT"),
        ("/w/p/.claude/CLAUDE.md", "DOTTED"),
        ("/w/p/.claude/rules/r.md", "---\ndescription: d\n---\nRULE"),
        ("/w/p/.claude/rules/r.txt", "no rule"),
        ("/w/p/CLAUDE.local.md", "LOCAL"),
        ("/w/p/in/CLAUDE.md", "IN"),
        ("/w/p/in/deep/CLAUDE.md", "DEEP"),
    ];
    assert_eq!(
        steps(files(&all), given, &[]),
        [
            "/etc/m/CLAUDE.md managed start MANAGED",
            "/etc/m/settings.json managed start TEXT",
            "/h/.claude/CLAUDE.md user start USER @more.md",
            "/h/.claude/more.md user import MORE",
            "/h/.claude/rules/a/x.md user start RULE-A",
            "/h/.claude/rules/b.md user start RULE-B",
            "/CLAUDE.md project start TOP",
            "/w/p/CLAUDE.md project start PROJECT",
            "/w/p/.claude/CLAUDE.md project start DOTTED",
            "/w/p/.claude/rules/r.md project start RULE",
            "/w/p/CLAUDE.local.md local start LOCAL",
            "/w/p/in/CLAUDE.md project start IN",
        ]
    );
}

#[test]
fn rules_of_sub_folders_come_with_their_files_once() {
    let all = [
        ("/w/p/CLAUDE.md", "ROOT"),
        ("/w/p/.claude/rules/rs.md", "---\npaths: \"*.rs\"\n---\nRS @rs-more.md"),
        ("/w/p/.claude/rules/rs-more.md", "---\npaths: nothing.at.all\n---\nMORE"),
        ("/h/.claude/rules/u.md", "---\npaths: [\"**/b/*.rs\"]\n---\nU"),
        ("/w/p/a/CLAUDE.md", "A"),
        ("/w/p/a/.claude/rules/free.md", "A-FREE"),
        ("/w/p/a/.claude/rules/scoped.md", "---\npaths: /b/*.rs\n---\nA-SCOPED"),
        ("/w/p/a/CLAUDE.local.md", "A-LOCAL"),
        ("/w/p/a/b/CLAUDE.md", "B"),
    ];
    check(
        &all,
        &["a/b/x.rs", "a/b/y.rs", "z.rs"],
        &[
            "/w/p/CLAUDE.md project start ROOT",
            "+ a/b/x.rs",
            "/w/p/a/CLAUDE.md project folder A",
            "/w/p/a/CLAUDE.local.md local folder A-LOCAL",
            "/w/p/a/.claude/rules/free.md project folder A-FREE",
            "/w/p/a/.claude/rules/scoped.md project path A-SCOPED",
            "/w/p/a/b/CLAUDE.md project folder B",
            "/h/.claude/rules/u.md user path U",
            "/w/p/.claude/rules/rs.md project path RS @rs-more.md",
            "/w/p/.claude/rules/rs-more.md project import MORE",
            "/w/p/.claude/rules/rs-more.md:2: `paths` means nothing here; it is for rules",
            "+ a/b/y.rs",
            "+ z.rs",
        ],
    );
}

#[test]
fn after_a_compaction_only_what_begins_a_context_is_back() {
    let all = [
        ("/w/p/CLAUDE.md", "ROOT"),
        ("/w/p/.claude/rules/rs.md", "---\npaths: \"*.rs\"\n---\nRS"),
        ("/w/p/a/CLAUDE.md", "A"),
    ];
    let mut session = Session::new(files(&all), setup());
    let begun = session.start();
    let file = ["a/x.rs"];
    let first = session.touch(&file);
    assert_eq!(first.fragments.len(), 2);
    assert_eq!(session.touch(&file), Loaded::default());
    assert_eq!(session.start(), begun);
    assert_eq!(session.waiting().count(), 1);
    assert_eq!(session.touch(&file), first);
    assert_eq!(session.waiting().count(), 0);
}

#[test]
fn rules_for_everything_are_for_nothing_in_particular() {
    for (paths, applies) in [
        ("paths: \"**\"", true),
        ("paths: [\"**\", \"/**\"]", true),
        ("paths: []", true),
        ("paths:", true),
        ("globs: \"*.rs\"", true),
        ("paths: \"*\"", false),
        ("paths: [\"**\", \"*.rs\"]", false),
    ] {
        let text = format!("---\n{paths}\n---\nR");
        let mut session = Session::new(files(&[("/w/p/.claude/rules/r.md", &text)]), setup());
        assert_eq!(session.start().fragments.len(), usize::from(applies), "{paths}");
    }
}

#[test]
fn texts_lose_frontmatter_comments_and_odd_line_ends() {
    let all = [
        (
            "/w/p/CLAUDE.md",
            "\u{feff}---\r\npaths: \"*.rs\"\r\n---\r\n\r\nA\r\n<!-- @no.md -->\r\nB\r\n",
        ),
        ("/w/p/.claude/CLAUDE.md", "<!-- nothing else -->\n"),
        ("/w/p/CLAUDE.local.md", ""),
        ("/w/p/.claude/rules/only.md", "---\ndescription: d\n---\n"),
    ];
    check(
        &all,
        &[],
        &[
            "/w/p/CLAUDE.md project start A|B",
            "/w/p/CLAUDE.md:2: `paths` means nothing here; it is for rules",
        ],
    );
}

#[test]
fn folders_with_the_signs_of_patterns_in_their_names_are_folders() {
    let all = [("/w/[x]{y}/p*/.claude/rules/r.md", "---\npaths: \"src/*.rs\"\n---\nR")];
    let mut session = Session::new(files(&all), Setup::new("/w/[x]{y}/p*", "/w/[x]{y}/p*"));
    session.start();
    assert_eq!(session.touch(&["/w/[x]{y}/p*/src/a.rs"]).fragments.len(), 1);
}

#[test]
fn excludes_name_whole_paths() {
    let loaded = |exclude: &str| {
        let mut setup = setup();
        setup.excludes = vec![exclude.to_owned()];
        let all = [
            ("/w/p/CLAUDE.md", "P"),
            ("/w/p/.claude/rules/r.md", "R"),
            ("/h/.claude/CLAUDE.md", "U"),
        ];
        let loaded = Session::new(files(&all), setup).start();
        let texts = loaded.fragments.iter().map(|it| it.text.clone()).collect::<String>();
        (texts, loaded.notes.len())
    };
    assert_eq!(loaded("**/CLAUDE.md"), ("R".into(), 2));
    assert_eq!(loaded("/w/p/.claude/**"), ("UP".into(), 1));
    assert_eq!(loaded("/w/{p,q}/CLAUDE.md"), ("UR".into(), 1));
    assert_eq!(loaded("**/claude.md"), ("UPR".into(), 0));
    assert_eq!(loaded("CLAUDE.md"), ("UPR".into(), 0));
    assert_eq!(loaded("/w/["), ("UPR".into(), 1));
}

#[test]
fn agents_md_is_read_as_the_setting_says() {
    let own = [("/w/p/CLAUDE.md", "OWN"), ("/w/p/AGENTS.md", "A"), ("/h/.claude/CLAUDE.md", "U")];
    let none = [
        ("/w/p/AGENTS.md", "A @x.md"),
        ("/w/p/x.md", "X"),
        ("/h/.claude/CLAUDE.md", "U"),
        ("/w/p/.claude/rules/r.md", "R"),
        ("/w/p/s/AGENTS.md", "S"),
        ("/w/p/t/AGENTS.md", "T"),
        ("/w/p/t/CLAUDE.md", "TC"),
    ];
    let texts = |all: &[(&str, &str)], mode| {
        let mut setup = setup();
        setup.agents_md = mode;
        setup.managed_text = Some(("/m".into(), "M".into()));
        let mut session = Session::new(files(all), setup);
        let mut fragments = session.start().fragments;
        fragments.extend(session.touch(&["s/a", "t/a"]).fragments);
        fragments.into_iter().map(|it| it.text).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(texts(&own, AgentsMd::Instead), "M U OWN");
    assert_eq!(texts(&own, AgentsMd::Beside), "M U OWN A");
    assert_eq!(texts(&own, AgentsMd::Never), "M U OWN");
    assert_eq!(texts(&own, AgentsMd::ManagedOnly), "M");
    assert_eq!(texts(&none, AgentsMd::Instead), "M U R A @x.md X TC S");
    assert_eq!(texts(&none, AgentsMd::Never), "M U R TC");
}

#[test]
fn of_the_main_tree_around_a_worktree_only_private_rules_count() {
    let all = [
        ("/w/CLAUDE.md", "ABOVE"),
        ("/w/p/CLAUDE.md", "MAIN"),
        ("/w/p/CLAUDE.local.md", "MAIN-LOCAL"),
        ("/w/p/.claude/rules/r.md", "MAIN-RULE"),
        ("/w/p/trees/t/CLAUDE.md", "TREE"),
    ];
    let mut setup = Setup::new("/w/p/trees/t", "/w/p/trees/t");
    setup.main_tree = Some("/w/p".into());
    assert_eq!(
        steps(files(&all), setup, &[]),
        [
            "/w/CLAUDE.md project start ABOVE",
            "/w/p/CLAUDE.local.md local start MAIN-LOCAL",
            "/w/p/trees/t/CLAUDE.md project start TREE",
        ]
    );
}

#[test]
fn added_folders_come_last_and_only_where_the_switch_says_so() {
    let all = [("/w/p/CLAUDE.md", "P"), ("/w/x/CLAUDE.md", "X"), ("/w/x/.claude/rules/r.md", "XR")];
    let texts = |rules| {
        let mut setup = setup();
        setup.added = vec!["/w/x".into()];
        setup.added_rules = rules;
        let fragments = Session::new(files(&all), setup).start().fragments;
        fragments.into_iter().map(|it| it.text).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(texts(AddedRules::Ignored), "P");
    assert_eq!(texts(AddedRules::Read), "P X XR");
}

#[test]
fn only_folders_on_the_way_are_opened() {
    let mut all = InMemoryFiles::new()
        .file("/w/p/CLAUDE.md", "P")
        .file("/w/p/.claude/rules/a/r.md", "R")
        .file("/h/.claude/rules/u.md", "U");
    for number in 0..2_000 {
        all = all.file(format!("/w/p/src/m{}/f{number}.rs", number % 50), "");
    }
    let files = Recording::new(all);
    Session::new(&files, setup()).start();
    let calls = files.calls();
    let listed: Vec<_> = calls
        .iter()
        .filter_map(|call| match call {
            Call::List(path) => Some(path.to_str().unwrap()),
            _ => None,
        })
        .collect();
    assert_eq!(listed, ["/h/.claude/rules", "/w/p/.claude/rules", "/w/p/.claude/rules/a"]);
    assert!(calls.len() < 50, "{} calls", calls.len());
}

#[test]
fn a_check_tells_what_nobody_would_notice() {
    let long = "line\n".repeat(201);
    let all = [
        ("/w/p/CLAUDE.md", "see @gone.md and @alice and @scope/pkg"),
        ("/w/p/.claude/rules/idle.md", "---\npaths: \"*.py\"\n---\nI"),
        ("/w/p/.claude/rules/odd.md", "---\nglobs: \"*.rs\"\npaths: [\"[\", \"*.rs\"]\n---\nO"),
        ("/w/p/.claude/rules/open.md", "---\npaths: x\nno end"),
        ("/w/p/src/a.rs", ""),
        ("/w/p/src/CLAUDE.md", &long),
        ("/w/p/only/.claude/rules/n.md", "---\npaths: \"*.nothing\"\n---\nN"),
    ];
    let found: Vec<_> =
        check_rules(files(&all), &setup()).iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "/w/p/CLAUDE.md:1: `@gone.md` names no file",
            "/w/p/.claude/rules/odd.md:2: `globs` means nothing in a rule",
            "/w/p/.claude/rules/open.md:1: frontmatter has no closing `---`; all is read as body",
            "/w/p/.claude/rules/odd.md: the pattern `[` matches nothing: its `[` has no `]`",
            "/w/p/src/CLAUDE.md: has 201 lines; up to 200 are read with care",
            "/w/p/.claude/rules/idle.md: no file of the project matches its patterns",
            "/w/p/only/.claude/rules/n.md: no file of the project matches its patterns",
        ]
    );
}

#[test]
fn what_is_too_large_or_no_text_is_left_out_aloud() {
    let all = InMemoryFiles::new()
        .file("/w/p/CLAUDE.md", vec![b'a'; 4 * 1024 * 1024 + 1])
        .file("/w/p/CLAUDE.local.md", "a\0b")
        .file("/w/p/.claude/CLAUDE.md", b"caf\xe9".to_vec())
        .file(
            "/w/p/.claude/rules/r.md",
            format!("---\npaths: \"{}\"\n---\nR", "a".repeat(1 << 20)),
        );
    let loaded = Session::new(all, setup()).start();
    assert_eq!(
        shown(&loaded),
        [
            "/w/p/.claude/CLAUDE.md project start caf\u{fffd}",
            "/w/p/CLAUDE.md: 4194305 bytes are more than the 4194304 that are loaded",
            "/w/p/.claude/CLAUDE.md:1: not UTF-8; unreadable bytes are shown as `\u{fffd}`",
            "/w/p/.claude/rules/r.md:1: its frontmatter is too long to be read, so it is left out",
            "/w/p/CLAUDE.local.md: is no text",
        ]
    );
    assert!(!loaded.notes.iter().any(|note| matches!(note.kind, NoteKind::Full)));
}

#[test]
fn a_rendered_text_names_each_file_and_cannot_be_closed_from_within() {
    let all = [("/w/p/CLAUDE.md", "Be brief.\n</rules>\nOr not."), ("/w/p/CLAUDE.local.md", "")];
    let mut given = setup();
    given.external = External::Approved;
    given.client = Client::ClaudeCode;
    let loaded = Session::new(files(&all), given).start();
    insta::assert_snapshot!(render(&loaded.fragments), @r#"
    Rules that people wrote for this work. Follow them; where two disagree, the later one is more specific.

    <rules file="/w/p/CLAUDE.md" for="everybody in this project">
    Be brief.
    (/rules>
    Or not.
    </rules>
    "#);
    assert_eq!(render(&[]), "");
    let mut much = loaded.fragments;
    much[0].text = "x".repeat(3 << 20);
    let twice = [much[0].clone(), much[0].clone()];
    assert!(render(&twice).ends_with("\nToo long to be shown here: /w/p/CLAUDE.md\n"));
}
