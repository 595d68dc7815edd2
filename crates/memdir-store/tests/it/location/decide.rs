//! Which setting counts.

use std::path::{Path, PathBuf};

use memdir_store::location::{
    Error, Inputs, Layout, Location, Platform, Project, ProjectVariable, Reason, Scope, Setting,
    SettingScope, Source, Variable, Worktrees, decide,
};
use proptest::prelude::*;

const DEFAULT: &str = "/home/u/.claude/projects/-w-proj/memory";

fn inputs() -> Inputs {
    let mut inputs = Inputs::new("/w/proj").with_home("/home/u");
    inputs.platform = Platform::Unix;
    inputs
}

fn decided(inputs: &Inputs) -> Result<Location, Error> {
    decide(inputs, Project::at("/w/proj"), &Path::to_path_buf)
}

/// The directory that was decided and the messages about what was not used, or the error.
fn outcome(inputs: &Inputs) -> Result<(String, Vec<String>), String> {
    let location = decided(inputs).map_err(|error| error.to_string())?;
    let refusals = location.refusals.iter().map(ToString::to_string).collect();
    Ok((location.directory.display().to_string(), refusals))
}

fn with_value(scope: &str, value: &str) -> Inputs {
    let mut inputs = inputs();
    let setting = match scope {
        "flag" => {
            inputs.flag = Some(value.into());
            return inputs;
        }
        "env" => {
            inputs.environment.insert(Variable::MemdirMemoryDir, value.into());
            return inputs;
        }
        "user" => Setting::new(SettingScope::User, value).in_file("/home/u/.claude/settings.json"),
        "project" => {
            Setting::new(SettingScope::Project, value).in_file("/w/proj/.claude/settings.json")
        }
        "local" => {
            Setting::new(SettingScope::Local, value).in_file("/w/proj/.claude/settings.local.json")
        }
        other => panic!("no scope {other}"),
    };
    inputs.settings.push(setting);
    inputs
}

/// Every row of case paths-07: the value is used, is unset, or gives one message with scope, value and reason.
#[test]
fn an_override_is_honoured_or_refused_aloud() {
    let rows: serde_json::Value =
        serde_json::from_str(include_str!("../../cases/paths-07/expect.json")).unwrap();
    for row in rows.as_array().unwrap() {
        let text = |key: &str| row[key].as_str().unwrap();
        let (scope, value, decision) = (text("scope"), text("value"), text("decision"));
        let mut inputs = with_value(scope, value);
        let expanded = value.replace("~/", "/home/u/");
        if decision.starts_with("use on Windows") {
            assert_refused(&inputs, scope, value);
            inputs.platform = Platform::Windows;
            inputs.home = Some(r"C:\Users\u".into());
            assert_eq!(outcome(&inputs), Ok((value.into(), vec![])), "{row}");
        } else if decision.starts_with("use") {
            assert_eq!(outcome(&inputs), Ok((expanded, vec![])), "{row}");
        } else if decision == "unset" {
            assert_eq!(outcome(&inputs), Ok((DEFAULT.into(), vec![])), "{row}");
        } else {
            assert_refused(&inputs, scope, value);
            inputs.trusted_projects.push("/w/proj".into());
            if decision.contains("unless the user has trusted") {
                assert_eq!(outcome(&inputs), Ok((expanded, vec![])), "{row}");
            } else {
                assert_refused(&inputs, scope, value);
            }
        }
    }
}

fn assert_refused(inputs: &Inputs, scope: &str, value: &str) {
    let location = decided(inputs).unwrap();
    assert_eq!(location.directory, Path::new(DEFAULT), "{scope} {value:?}");
    assert_eq!(location.source, Source::Layout);
    let [refusal] = location.refusals.as_slice() else { panic!("{:?}", location.refusals) };
    assert_eq!(refusal.value, value);
    let message = refusal.to_string();
    assert!(message.contains(&format!("{scope} settings")), "{message}");
    assert!(message.contains(&value.replace('\0', "\\u{0}")), "{message}");
    assert!(message.contains(&refusal.reason.to_string()), "{message}");
    let from_repository = matches!(scope, "project" | "local");
    assert_eq!(message.contains("the client may follow it"), from_repository, "{message}");
}

#[test]
fn a_refusal_is_one_line_with_scope_file_value_and_reason() {
    let location = decided(&with_value("project", "~/.ssh\u{1b}[2J\n")).unwrap();
    insta::assert_snapshot!(location.refusals[0], @r"memory directory `~/.ssh\u{1b}[2J\n` from project settings (/w/proj/.claude/settings.json) is refused: a repository must not choose where memory is written unless its user lists it as trusted; the client may follow it and write elsewhere");
}

#[test]
fn a_flag_or_variable_that_cannot_be_used_is_an_error() {
    insta::assert_snapshot!(outcome(&with_value("flag", "mem")).unwrap_err(), @"memory directory `mem` from `--memory-dir` is refused: it is relative, neither absolute nor below `~/`");
    insta::assert_snapshot!(outcome(&with_value("env", "/home")).unwrap_err(), @"memory directory `/home` from `MEMDIR_MEMORY_DIR` is refused: the home folder lies within it");
    for variable in Variable::ALL {
        let mut inputs = inputs();
        inputs.environment.insert(variable, "../x".into());
        let Err(Error::Invalid(refusal)) = decided(&inputs) else { panic!("{variable}") };
        assert_eq!(refusal.scope, Scope::Environment(variable));
    }
}

#[test]
fn a_value_is_read_by_the_rules_of_its_platform() {
    use Platform::{MacOs, Unix, Windows};
    let check = |platform, value: &str, expect: Result<&str, Reason>| {
        let mut inputs = with_value("flag", value);
        inputs.platform = platform;
        inputs.home = Some(if platform == Windows { r"C:\Users\u" } else { "/home/u" }.into());
        let found = match decided(&inputs) {
            Ok(location) => Ok(location.directory),
            Err(Error::Invalid(refusal)) => Err(refusal.reason),
            Err(other) => panic!("{other}"),
        };
        assert_eq!(found, expect.map(PathBuf::from), "{platform:?} {value:?}");
    };
    for unix in [Unix, MacOs] {
        check(unix, "/data/./mem//", Ok("/data/mem"));
        check(unix, "~//mem/./x", Ok("/home/u/mem/x"));
        check(unix, "/data/a b/記憶", Ok("/data/a b/記憶"));
        check(unix, "~", Err(Reason::Home));
        check(unix, "~/", Err(Reason::Home));
        check(unix, "/home/u/.", Err(Reason::Home));
        check(unix, "/home", Err(Reason::AboveHome));
        check(unix, "/./", Err(Reason::Root));
        check(unix, "//srv/share/mem", Err(Reason::Unc));
        check(unix, r"\\srv\share\mem", Err(Reason::Unc));
        check(unix, r"\\?\C:\mem", Err(Reason::Unc));
        check(unix, "//", Err(Reason::Unc));
        check(unix, "/a/../etc", Err(Reason::Climbs));
        check(unix, "/a/..", Err(Reason::Climbs));
        check(unix, "~root/mem", Err(Reason::OtherUser));
        check(unix, "~\\mem", Err(Reason::OtherUser));
        check(unix, "C:/mem", Err(Reason::Drive));
        check(unix, "c:mem", Err(Reason::Drive));
        check(unix, "$HOME/mem", Err(Reason::Relative));
        check(unix, "file:///data/mem", Err(Reason::Relative));
        check(unix, " /data/mem", Err(Reason::Relative));
        check(unix, "/data/m\u{1b}em", Err(Reason::Control));
        check(unix, "/data/m\nem", Err(Reason::Control));
    }
    check(Unix, "/HOME/U", Ok("/HOME/U"));
    check(MacOs, "/HOME/U", Err(Reason::Home));
    check(MacOs, "/Home", Err(Reason::AboveHome));

    check(Windows, r"c:\data/mem", Ok(r"C:\data\mem"));
    check(Windows, r"~\mem", Ok(r"C:\Users\u\mem"));
    check(Windows, "~/mem", Ok(r"C:\Users\u\mem"));
    check(Windows, r"c:\users\U", Err(Reason::Home));
    check(Windows, r"C:\users", Err(Reason::AboveHome));
    check(Windows, r"D:\", Err(Reason::Root));
    check(Windows, r"C:\a\.. \b", Err(Reason::Climbs));
    check(Windows, r"C:\a\...\b", Err(Reason::Climbs));
    check(Windows, r"\\srv\share\mem", Err(Reason::Unc));
    check(Windows, r"\\.\pipe\x", Err(Reason::Unc));
    check(Windows, "C:mem", Err(Reason::Relative));
    check(Windows, r"\mem", Err(Reason::Relative));
    check(Windows, "/data/mem", Err(Reason::Relative));
}

/// A directory beside home or project whose name begins alike is another directory (threat 3).
#[test]
fn a_name_that_begins_like_another_is_not_within_it() {
    assert_eq!(outcome(&with_value("user", "/home/user")), Ok(("/home/user".into(), vec![])));
    assert_eq!(outcome(&with_value("user", "/hom")), Ok(("/hom".into(), vec![])));
    let mut inputs = with_value("project", "/w/proj-evil/.x");
    inputs.trusted_projects.push("/w/proj".into());
    assert_eq!(decided(&inputs).unwrap().refusals[0].reason, Reason::Hidden);
}

#[test]
fn the_highest_value_that_is_accepted_wins() {
    let mut inputs = inputs();
    inputs.trusted_projects.push("/w/proj".into());
    let ladder = [
        (SettingScope::User, "/user"),
        (SettingScope::Config, "/config"),
        (SettingScope::Project, "/project"),
        (SettingScope::Local, "/local"),
        (SettingScope::Managed, "/managed"),
    ];
    for (scope, value) in ladder {
        inputs.settings.push(Setting::new(scope, value));
        assert_eq!(outcome(&inputs), Ok((value.into(), vec![])));
        assert_eq!(decided(&inputs).unwrap().source, Source::Given(Scope::Setting(scope)));
    }
    for (variable, value) in
        [(Variable::ClaudeCoworkMemoryPathOverride, "/cowork"), (Variable::MemdirMemoryDir, "/env")]
    {
        inputs.environment.insert(variable, value.into());
        assert_eq!(outcome(&inputs), Ok((value.into(), vec![])));
    }
    inputs.flag = Some("/flag".into());
    assert_eq!(outcome(&inputs), Ok(("/flag".into(), vec![])));
    inputs.flag = Some(String::new());
    assert_eq!(outcome(&inputs), Ok(("/env".into(), vec![])));
}

#[test]
fn a_refused_value_gives_way_to_the_next_and_is_told() {
    let mut inputs = with_value("project", "/repo/mem");
    inputs.settings.push(Setting::new(SettingScope::User, "/user"));
    let (directory, refusals) = outcome(&inputs).unwrap();
    assert_eq!((directory.as_str(), refusals.len()), ("/user", 1));
}

#[test]
fn the_clients_own_overrides_move_the_default_folder_with_it() {
    use Variable::{ClaudeCodeProjectDirName, ClaudeCodeRemoteMemoryDir, ClaudeConfigDir};
    let check = |set: &[(Variable, &str)], expect: &str, source| {
        let mut inputs = inputs();
        inputs.environment.extend(set.iter().map(|(variable, value)| (*variable, (*value).into())));
        let location = decided(&inputs).unwrap();
        assert_eq!((location.directory, location.source), (expect.into(), source), "{set:?}");
    };
    check(&[], DEFAULT, Source::Layout);
    check(&[(ClaudeConfigDir, "")], DEFAULT, Source::Layout);
    check(&[(ClaudeConfigDir, "/cfg/")], "/cfg/projects/-w-proj/memory", Source::Layout);
    check(&[(ClaudeConfigDir, "~/cfg")], "/home/u/cfg/projects/-w-proj/memory", Source::Layout);
    check(&[(ClaudeConfigDir, "/home/u")], "/home/u/projects/-w-proj/memory", Source::Layout);
    let remote = [(ClaudeConfigDir, "/cfg"), (ClaudeCodeRemoteMemoryDir, "/remote")];
    check(&remote, "/remote/projects/-w-proj/memory", Source::Layout);
    let named = [(ClaudeConfigDir, "/cfg"), (ClaudeCodeProjectDirName, "shared name")];
    check(&named, "/cfg/projects/shared name/memory", Source::NamedProject);
}

#[test]
fn a_project_folder_name_is_one_plain_name() {
    for bad in ["a/b", r"a\b", ".", "..", "...", ". ", "a\0", "a\nb", "C:"] {
        let mut inputs = inputs();
        inputs.environment.insert(Variable::ClaudeCodeProjectDirName, bad.into());
        let Err(Error::Invalid(refusal)) = decided(&inputs) else { panic!("{bad:?}") };
        assert_eq!(refusal.reason, Reason::NotAName, "{bad:?}");
    }
}

/// The client passes the `env` block of a project's settings on to its hooks (threat 34).
#[test]
fn a_variable_that_the_project_sets_is_the_projects_word() {
    for variable in Variable::ALL {
        let mut inputs = inputs();
        inputs.environment.insert(variable, "/home/u/.ssh".into());
        let file = "/w/proj/.claude/settings.json";
        inputs.project_environment.push(ProjectVariable::new(variable, "/home/u/.ssh", file));
        let location = decided(&inputs).unwrap();
        assert_eq!(location.directory, Path::new(DEFAULT), "{variable}");
        let [refusal] = location.refusals.as_slice() else { panic!("{:?}", location.refusals) };
        assert_eq!(
            (refusal.scope, refusal.reason),
            (Scope::Environment(variable), Reason::SetByProject)
        );
        assert!(refusal.to_string().contains("the client may follow it"));

        if variable != Variable::ClaudeCodeProjectDirName {
            inputs.environment.insert(variable, "/users/own".into());
            assert!(decided(&inputs).unwrap().directory.starts_with("/users/own"), "{variable}");
        }
    }
}

#[test]
fn trust_is_for_the_very_project_and_a_useless_entry_is_told() {
    let check = |trusted: &str, expect: &str| {
        let mut inputs = with_value("project", "/w/proj/.mem");
        inputs.trusted_projects = vec![trusted.into()];
        assert_eq!(decided(&inputs).unwrap().directory, Path::new(expect), "{trusted}");
    };
    check("/w/proj/", "/w/proj/.mem");
    check("/w", DEFAULT);
    check("/w/proj-two", DEFAULT);
    check("/w/proj/sub", DEFAULT);
    let mut inputs = inputs();
    inputs.trusted_projects = vec!["proj".into()];
    insta::assert_snapshot!(outcome(&inputs).unwrap().1[0], @"project `proj` in the list of trusted projects is refused: it is relative, neither absolute nor below `~/`");
}

#[test]
fn a_link_to_home_is_home_and_a_link_to_a_hidden_folder_is_hidden() {
    let real = |path: &Path| match path.to_str() {
        Some("/link/home") => "/home/u".into(),
        Some("/link/ssh") => "/home/u/.ssh".into(),
        _ => path.to_path_buf(),
    };
    let reason = |inputs: &Inputs| {
        let location = decide(inputs, Project::at("/w/proj"), &real).unwrap();
        assert_eq!(location.directory, Path::new(DEFAULT));
        location.refusals[0].reason
    };
    assert_eq!(reason(&with_value("user", "/link/home")), Reason::Home);
    let mut trusted = with_value("project", "/link/ssh");
    trusted.trusted_projects.push("/w/proj".into());
    assert_eq!(reason(&trusted), Reason::Hidden);
}

#[test]
fn without_a_home_only_what_needs_one_fails() {
    let mut inputs = inputs();
    inputs.home = None;
    assert!(matches!(decided(&inputs), Err(Error::NoHome)));
    inputs.settings.push(Setting::new(SettingScope::User, "~/mem"));
    inputs.environment.insert(Variable::ClaudeConfigDir, "/cfg".into());
    let location = decided(&inputs).unwrap();
    assert_eq!(location.directory, Path::new("/cfg/projects/-w-proj/memory"));
    assert_eq!(location.refusals[0].reason, Reason::NoHome);
    inputs.flag = Some("/flag".into());
    assert_eq!(outcome(&inputs), Ok(("/flag".into(), vec![])));
}

/// `HOME=` and `HOME=.` would put memory into whatever folder is the current one.
#[test]
fn a_home_or_data_folder_that_is_not_absolute_is_as_good_as_none() {
    for useless in ["", ".", "home/u"] {
        let mut inputs = inputs().with_home(useless);
        assert!(matches!(decided(&inputs), Err(Error::NoHome)), "{useless:?}");
        inputs.layout = Layout::Memdir;
        inputs.data_folder = Some(useless.into());
        assert!(matches!(decided(&inputs), Err(Error::NoDataFolder)), "{useless:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_home_that_is_not_text_is_kept_from_being_the_directory_all_the_same() {
    use std::os::unix::ffi::OsStrExt;
    let home = Path::new(std::ffi::OsStr::from_bytes(b"/home/\xff"));
    let real = |path: &Path| if path == Path::new("/link") { home.into() } else { path.into() };
    let check = |value: &str, expect: Result<&str, Reason>| {
        let inputs = with_value("flag", value).with_home(home);
        let found = match decide(&inputs, Project::at("/w/proj"), &real) {
            Ok(location) => Ok(location.directory),
            Err(Error::Invalid(refusal)) => Err(refusal.reason),
            Err(other) => panic!("{other}"),
        };
        assert_eq!(found, expect.map(PathBuf::from), "{value}");
    };
    check("/home", Err(Reason::AboveHome));
    check("/link", Err(Reason::Home));
    check("/", Err(Reason::Root));
    check("~/mem", Err(Reason::NoHome));
    check("/data/mem", Ok("/data/mem"));
}

#[test]
fn the_memdir_layout_has_a_base_and_a_key_of_its_own() {
    let mut inputs = inputs();
    inputs.layout = Layout::Memdir;
    assert!(matches!(decided(&inputs), Err(Error::NoDataFolder)));
    inputs.data_folder = Some("/home/u/.local/share".into());
    inputs.environment.insert(Variable::ClaudeConfigDir, "/cfg".into());
    let key = memdir_core::project_key::memdir("/w/proj");
    let expect = format!("/home/u/.local/share/memdir/projects/{key}/memory");
    assert_eq!(outcome(&inputs), Ok((expect, vec![])));
    assert_eq!(decided(&inputs).unwrap().transcripts(), None);
}

#[test]
fn a_worktree_shares_or_has_its_own_as_the_user_says() {
    let mut project = Project::at("/w/proj");
    project.folder = "/w/tree".into();
    let mut inputs = inputs();
    let root = |inputs: &Inputs| decide(inputs, project.clone(), &Path::to_path_buf).unwrap().root;
    assert_eq!(root(&inputs), Path::new("/w/proj"));
    inputs.worktrees = Worktrees::Separate;
    assert_eq!(root(&inputs), Path::new("/w/tree"));
}

proptest! {
    /// Whatever is accepted is absolute, does not climb, and is neither the root nor home nor above it.
    #[test]
    fn what_is_accepted_is_a_safe_absolute_path(value in r"(~|/|C:|\\)?[/\\.a-z~ :u\x00-\x1f記]{0,24}") {
        for platform in [Platform::Unix, Platform::MacOs, Platform::Windows] {
            let mut inputs = with_value("flag", &value);
            inputs.platform = platform;
            let Ok(location) = decided(&inputs) else { continue };
            if location.source == Source::Layout {
                prop_assert!(value.trim().is_empty());
                continue;
            }
            let text = location.directory.to_str().unwrap();
            prop_assert!(!text.chars().any(char::is_control));
            prop_assert!(!text.split(['/', '\\']).any(|name| name == "..") || platform == Platform::Unix);
            if platform == Platform::Windows {
                prop_assert!(text.starts_with(r"C:\") && text.len() > 3);
            } else {
                prop_assert!(location.directory.is_absolute());
                prop_assert!(!location.directory.iter().any(|name| name == ".."));
                prop_assert!(!Path::new("/home/u").starts_with(&location.directory));
            }
        }
    }
}
