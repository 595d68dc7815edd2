//! What is gone is found, what is there raises no alarm, and nothing outside of the project is touched.

use memdir_recall::{Query, Verifier};
use memdir_store::project::{
    Call, InMemoryProject, LocalProject, ProjectFiles, ProjectPath, Recording,
};
use proptest::prelude::*;

use crate::shelf::Shelf;

fn project() -> InMemoryProject {
    let files = [
        ("src/lib.rs", "pub fn refresh_token() {}\nstruct SessionStore;\n"),
        ("src/auth/mod.rs", "impl SessionStore { fn rotate_keys(&self) {} }\n"),
        ("docs/guide.md", "read me"),
        (".github/workflows/ci.yml", "on: push"),
        ("package.json", r#"{"scripts": {"build": "tsc", "test:unit": "vitest"}}"#),
        ("Makefile", ".PHONY: lint fmt\nlint:\n\techo\ntest: lint\n\tcargo test\n"),
        ("justfile", "import? 'x'\n"),
        (".cargo/config.toml", "[alias]\nxtask = \"run -p xtask --\"\n"),
    ];
    files.into_iter().fold(InMemoryProject::new(), |project, (path, text)| {
        project.file(&ProjectPath::parse(path).unwrap(), text)
    })
}

fn found(text: &str) -> Vec<String> {
    let project = project();
    Verifier::new(&project).verify(text).iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_gone_is_found() {
    let check = |text: &str, expect: &[&str]| assert_eq!(found(text), expect, "{text}");
    check(
        "Refresh lives in src/auth/token.rs:120, called from src/lib.rs. Also ../../etc/passwd.",
        &["names `src/auth/token.rs`, which does not exist"],
    );
    check(
        "See `docs/old.md#L4` (and docs/guide.md).",
        &["names `docs/old.md`, which does not exist"],
    );
    check(
        "CI is in .github/workflows/main.yml",
        &["names `.github/workflows/main.yml`, which does not exist"],
    );
    check("令牌在 `src/auth/token.rs` 里", &["names `src/auth/token.rs`, which does not exist"]);
    check("Call `fn renew_token`.", &["names `renew_token`, which no file of the project has"]);
    check(
        "`TokenCache` and `SessionStore` are in src/lib.rs",
        &["names `TokenCache`, which no file of the project has"],
    );
    check(
        "`SessionStore::drop_keys()` of `src/auth/mod.rs` does it",
        &["names `drop_keys`, which no file of the project has"],
    );
    check(
        "run `npm run bundle` first",
        &["names `npm run bundle`, but `package.json` has no `bundle`"],
    );
    check("```sh\n$ make deploy\n```", &["names `make deploy`, but `Makefile` has no `deploy`"]);
    check("`src/a.rs`, then `src/a.rs` again", &["names `src/a.rs`, which does not exist"]);
    check("Never edit `src/gone.rs` by hand", &["names `src/gone.rs`, which does not exist"]);
}

#[test]
fn what_is_there_or_is_no_claim_raises_no_alarm() {
    let quiet = [
        "`src/lib.rs:1`, src/auth/, ./src/auth/mod.rs and `.github/workflows/ci.yml`",
        "`fn refresh_token`, `refresh_token()`, `SessionStore::rotate_keys`, `struct SessionStore`",
        "`npm run build`, `npm run test:unit`, `make lint`, `make fmt`, `make test`, `just anything`",
        "`cargo xtask ci`, `cargo nextest run`, `npm install`, `npm run`, `make -C sub deploy`, `make`",
        "`npm run <name>`, `make VAR=1 deploy`, `yarn run --cwd web start`",
        // Elsewhere.
        "/etc/passwd, ~/notes/a.md, C:/x/y.txt, ../up/a.rs, src/../../x.rs, host:src/gone.rs, \\\\srv\\a.rs",
        "https://example.com/src/gone.rs, github.com/a/b.rs, see example.org/x.html",
        "lib/other/thing.py of the other repository, Node.js/Express.js, and/or, TCP/IP, 2026/11/05, v1.2/v1.3",
        // To be filled in, globs, builds.
        "src/*.rs, src/**/gone.ts, src/<name>.rs, src/{a,b}.rs, src/path/to/x.rs, src/NAME.rs, src/$X.rs, src/….rs",
        "target/debug/app.bin, node_modules/x/index.js, dist/main.js",
        "[the guide](src/gone.md) and [[src/gone.md]]",
        // Gone, to come, not wanted: it says so itself.
        "src/gone.rs was removed; the code moved from `src/old.rs`.",
        "It used to be in src/gone.rs. Will create src/new.rs. `src/old.rs` 已删除",
        "Never use `HashMapLike`. Do not call `old_method`.",
        // Names that may be those of a library, and those that are.
        "`TokenCache`, `flush_all()` and `Cache::flush_all`. The rest is in src/lib.rs.",
        "`TokenCache` of lib/other/thing.py",
        "`HashMap`, `std::collections::HashMap`, `useState`, `DataFrame`, `x86_64`",
        "src/lib.rs: `HashMap`, `std::sync::OnceLock`, `useState()`, `pd.DataFrame`, `x86_64`, `struct HashMap`",
        // Names of other things.
        "`TypeScript`, `GitHub`, `DATABASE_URL`, `true`, `v1.2.3`, `feedback_db_tests`, `a.b`, `User`, `x_`, `--no-verify`",
        "TokenCache without backticks, ``, `, ```",
        "```\nsrc/gone.rs TokenCache `fn gone_too`\n```",
        "",
    ];
    for text in quiet {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn where_it_cannot_be_told_nothing_is_said() {
    let check = |project: InMemoryProject, text: &str| {
        assert_eq!(Verifier::new(&project).verify(text), [], "{text}");
    };
    let path = |text: &str| ProjectPath::parse(text).unwrap();
    check(InMemoryProject::new(), "`struct TokenCache`, `npm run bundle`, `make x`, src/a.rs");
    check(InMemoryProject::new().link_out(&path("src")), "src/a.rs");
    check(InMemoryProject::new().file(&path("a.rs"), vec![b'x'; 2 << 20]), "`struct TokenCache`");
    check(InMemoryProject::new().file(&path("Makefile"), "include more.mk\n"), "`make deploy`");
    check(InMemoryProject::new().file(&path("Makefile"), "build-%:\n\techo\n"), "`make build-all`");
    check(
        InMemoryProject::new().file(&path("package.json"), r#"{"workspaces": []}"#),
        "`npm run x`",
    );
    check(InMemoryProject::new().file(&path("package.json"), vec![b' '; 300_000]), "`npm run x`");
}

#[test]
fn a_folder_that_is_excluded_does_not_confirm_what_it_says_itself() {
    let path = |text: &str| ProjectPath::parse(text).unwrap();
    let project = project().file(&path("notes/memory/a.md"), "`TokenCache` is fast");
    let text = "`struct TokenCache` is fast";
    assert_eq!(Verifier::new(&project).verify(text), []);
    let mut verifier = Verifier::new(&project).exclude(path("notes/memory"));
    assert_eq!(verifier.verify(text).len(), 1);
}

#[test]
fn only_paths_of_the_project_are_asked_for_and_each_once() {
    let project = Recording::new(project());
    let text =
        "src/auth/token.rs:120, src/lib.rs, ../../etc/passwd, /etc/passwd, ~/x.md, `TokenCache`";
    let mut verifier = Verifier::new(&project);
    assert_eq!((verifier.verify(text).len(), verifier.verify(text).len()), (2, 2));
    let calls: Vec<_> = project
        .calls()
        .iter()
        .map(|call| match call {
            Call::Kind(path) => format!("kind {path}"),
            Call::ReadHead(path, bytes) => format!("read {path} {bytes}"),
            Call::Search(needle) => format!("search {}", needle.as_str()),
            _ => String::from("?"),
        })
        .collect();
    insta::assert_snapshot!(calls.join("\n"), @r"
    kind src
    kind src/auth/token.rs
    kind src/lib.rs
    search TokenCache
    ");
}

#[test]
fn a_text_of_many_claims_is_looked_up_in_part() {
    let names: Vec<_> = (0..1_000).map(|at| format!("`src/{at}.rs`")).collect();
    assert_eq!(found(&names.join(" ")).len(), 32);
}

#[test]
fn findings_go_with_the_attachment() {
    let project = project();
    let shelf = Shelf::default().memory(
        "old.md",
        "token refresh",
        "Refresh lives in src/auth/token.rs:120.",
    );
    let mut recall = shelf.recall(&Query::new("token refresh"));
    recall.verify(&mut Verifier::new(&project));
    assert_eq!(recall.attachments[0].findings, ["names `src/auth/token.rs`, which does not exist"]);
}

#[test]
fn a_project_on_disk_is_looked_at_like_one_in_memory() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = LocalProject::open(root).unwrap();
    let kinds = project.kind(&ProjectPath::parse("src/lib.rs").unwrap()).unwrap();
    assert!(kinds.is_some());
    let found = Verifier::new(&project)
        .verify("src/lib.rs, src/gone.rs, `Verifier`, `VerifierOfNothing_` x");
    assert_eq!(
        found.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["names `src/gone.rs`, which does not exist"]
    );
}

proptest! {
    #[test]
    fn any_text_is_verified_without_leaving_the_project(text in "(\\PC|`|/|\\.|\n|src){0,80}") {
        let project = Recording::new(project());
        Verifier::new(&project).verify(&text);
        for call in project.calls() {
            if let Call::Kind(path) | Call::ReadHead(path, _) = call {
                prop_assert!(ProjectPath::parse(path.as_str()).is_ok());
                prop_assert!(!path.as_str().split('/').any(|name| name == ".."));
            }
        }
    }
}
