//! Whose memory a folder is.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Barrier,
};

use memdir_store::location::{
    Claim, Error, Inputs, Layout, Location, Variable, claim, create, record, relink, resolve,
};

use super::discover::Place;

/// Two projects whose slugs are one: `my_app` and `my-app`.
fn place() -> Place {
    let place = Place::new();
    place.folder("my_app");
    place.folder("my-app/src");
    place
}

fn inputs(place: &Place, cwd: &str) -> Inputs {
    Inputs::new(place.at(cwd)).with_home(place.at("home"))
}

fn located(place: &Place, cwd: &str) -> Location {
    resolve(&inputs(place, cwd)).unwrap()
}

fn transcript(place: &Place, name: &str, lines: &str) {
    let folder = located(place, "my-app").transcripts().unwrap().to_path_buf();
    let folder = folder.strip_prefix(&place.path).unwrap().to_path_buf();
    place.file(folder.join(name).to_str().unwrap(), lines);
}

fn line(cwd: &Path) -> String {
    format!("{}\n", serde_json::json!({"type": "user", "cwd": cwd, "message": {"content": "hi"}}))
}

/// `mine`, `unclaimed`, `shared`, or who else it belongs to and by what.
fn verdict(location: &Location, place: &Place) -> String {
    let inside = |path: &PathBuf| path.strip_prefix(&place.path).unwrap_or(path).to_path_buf();
    let other = |kind: &str, claim: &Claim| {
        let other = claim.other().unwrap();
        assert_eq!((&other.directory, &other.asked), (&location.directory, &location.root));
        let message = other.to_string();
        assert!(message.contains(other.owner.to_str().unwrap()), "{message}");
        assert!(message.contains(other.asked.to_str().unwrap()), "{message}");
        let evidence = other.evidence.file_name().unwrap().to_str().unwrap().to_owned();
        format!("{kind} {} by {evidence}", inside(&other.owner).display())
    };
    match claim(location).unwrap() {
        Claim::Mine => "mine".into(),
        Claim::Unclaimed => "unclaimed".into(),
        Claim::Shared => "shared".into(),
        claim @ Claim::Foreign(_) => other("foreign", &claim),
        claim @ Claim::Renamed(_) => other("renamed", &claim),
        other => panic!("{other:?}"),
    }
}

/// Case paths-01, second answer.
#[test]
fn a_folder_recorded_for_another_project_is_refused_as_long_as_that_exists() {
    let place = place();
    let (mine, other) = (located(&place, "my-app"), located(&place, "my_app"));
    assert_eq!(mine.directory, other.directory);
    assert_eq!(verdict(&mine, &place), "unclaimed");

    create(&other).unwrap();
    assert_eq!(record(&other).unwrap(), Claim::Mine);
    assert_eq!(verdict(&other, &place), "mine");
    assert_eq!(verdict(&mine, &place), "foreign my_app by project.json");
    assert!(matches!(record(&mine).unwrap(), Claim::Foreign(_)));
    assert_eq!(verdict(&other, &place), "mine");

    fs::rename(place.at("my_app"), place.at("my_app_2")).unwrap();
    assert_eq!(verdict(&mine, &place), "renamed my_app by project.json");
    assert!(matches!(record(&mine).unwrap(), Claim::Renamed(_)));
    relink(&mine, &place.at("my_app")).unwrap();
    assert_eq!(verdict(&mine, &place), "mine");
}

#[test]
fn asking_creates_nothing_and_recording_leaves_one_private_file() {
    let place = place();
    let location = located(&place, "my-app");
    claim(&location).unwrap();
    assert!(!place.at("home").exists());
    assert!(matches!(record(&location), Err(Error::Store(_))), "a writer makes the folder first");
    create(&location).unwrap();
    record(&location).unwrap();
    record(&location).unwrap();
    let private = location.directory.join(".memdir");
    let names: Vec<_> = fs::read_dir(&private).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["project.json"]);
    let text = fs::read_to_string(private.join("project.json")).unwrap();
    let recorded: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(recorded["root"], serde_json::json!(place.at("my-app")));
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        assert_eq!(recorded["inode"], fs::metadata(place.at("my-app")).unwrap().ino());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&private), mode(&private.join("project.json"))), (0o700, 0o600));
    }
}

/// Who put the link there may have written what lies behind it.
#[cfg(unix)]
#[test]
fn a_record_behind_a_link_is_none() {
    use std::os::unix::fs::symlink;
    for is_folder in [true, false] {
        let place = place();
        let (location, evil) = (located(&place, "my-app"), place.folder("evil"));
        let record = serde_json::json!({"root": place.at("my_app")}).to_string();
        place.file("evil/project.json", &record);
        create(&location).unwrap();
        let private = location.directory.join(".memdir");
        if is_folder {
            symlink(&evil, &private).unwrap();
        } else {
            fs::create_dir(&private).unwrap();
            symlink(evil.join("project.json"), private.join("project.json")).unwrap();
        }
        assert_eq!(verdict(&location, &place), "unclaimed");
        // Whether it can be written or not, it is not written through the link.
        drop(memdir_store::location::record(&location));
        assert_eq!(fs::read_to_string(evil.join("project.json")).unwrap(), record);
    }
}

/// Case paths-01, third answer.
#[test]
fn a_folder_without_a_record_is_adopted_as_the_transcripts_beside_it_say() {
    let check = |lines: &dyn Fn(&Place) -> String, expect: &str| {
        let place = place();
        transcript(&place, "a.jsonl", &lines(&place));
        assert_eq!(verdict(&located(&place, "my-app"), &place), expect, "{}", lines(&place));
    };
    let cwd = |path: &'static str| move |place: &Place| line(&place.at(path));
    check(&cwd("my-app"), "unclaimed");
    check(&cwd("my-app/gone"), "unclaimed");
    check(&cwd("my_app"), "foreign my_app by a.jsonl");
    check(&cwd("gone"), "renamed gone by a.jsonl");
    check(&cwd("my-app/../gone"), "renamed my-app/../gone by a.jsonl");
    // Nothing is recorded: no lines, no such field, not JSON, not absolute, torn.
    check(&|_| String::new(), "unclaimed");
    check(&|_| r#"{"type":"summary","summary":"x"}"#.into(), "unclaimed");
    check(&|_| "\0\0\0\n{\"cwd\":7}\n{\"cwd\":\"\"}\n{\"cwd\":\"my_app\"}\n".into(), "unclaimed");
    check(&|place| line(&place.at("my_app")).replace('}', ""), "unclaimed");
    // The first line that records one decides; what the session went into later does not.
    let mixed = |place: &Place| {
        let summary = "{\"type\":\"summary\"}\nnot json\n".to_owned();
        summary + &line(&place.at("my-app")) + &line(&place.at("my_app"))
    };
    check(&mixed, "unclaimed");
    // It lies further in than is read.
    check(&|place| format!("{}\n{}", "x".repeat(70_000), line(&place.at("my_app"))), "unclaimed");
}

#[test]
fn one_transcript_of_another_project_that_exists_is_enough_to_refuse() {
    let place = place();
    transcript(&place, "1.jsonl", &line(&place.at("my-app")));
    transcript(&place, "2.jsonl", &line(&place.at("gone")));
    assert_eq!(verdict(&located(&place, "my-app"), &place), "renamed gone by 2.jsonl");
    transcript(&place, "3.jsonl", &line(&place.at("my_app")));
    assert_eq!(verdict(&located(&place, "my-app"), &place), "foreign my_app by 3.jsonl");
    transcript(&place, "notes.txt", &line(&place.at("gone")));
    relink(&located(&place, "my-app"), &place.at("my_app")).unwrap_err();
    create(&located(&place, "my-app")).unwrap();
    relink(&located(&place, "my-app"), &place.at("my_app")).unwrap();
    assert_eq!(verdict(&located(&place, "my-app"), &place), "mine");
}

#[test]
fn a_bounded_number_of_transcripts_is_read() {
    let place = place();
    for number in 0..200 {
        transcript(&place, &format!("{number:03}.jsonl"), &line(&place.at("my-app")));
    }
    transcript(&place, "200.jsonl", &line(&place.at("my_app")));
    assert_eq!(verdict(&located(&place, "my-app"), &place), "unclaimed");
}

#[cfg(unix)]
#[test]
fn neither_a_pipe_nor_a_folder_among_the_transcripts_is_waited_for() {
    let place = place();
    transcript(&place, "b.jsonl", "");
    let folder = located(&place, "my-app").transcripts().unwrap().to_path_buf();
    super::make_pipe(&folder.join("a.jsonl"));
    fs::create_dir(folder.join("c.jsonl")).unwrap();
    assert_eq!(verdict(&located(&place, "my-app"), &place), "unclaimed");
}

#[test]
fn sub_folders_and_ways_through_links_are_the_same_project() {
    let place = place();
    place.repository("my-app/.git");
    let location = located(&place, "my-app");
    create(&location).unwrap();
    record(&location).unwrap();
    assert_eq!(verdict(&located(&place, "my-app/src"), &place), "mine");

    // Recorded by way of a link that is there no less.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(place.at("my-app"), place.at("link")).unwrap();
        let record = location.directory.join(".memdir/project.json");
        fs::write(record, serde_json::json!({"root": place.at("link")}).to_string()).unwrap();
        assert_eq!(verdict(&location, &place), "mine");
    }
}

#[test]
fn a_folder_that_the_user_named_is_nobodys_alone() {
    let place = place();
    let mut named = inputs(&place, "my-app");
    named.flag = Some(place.at("mem").to_str().unwrap().into());
    let mut called = inputs(&place, "my-app");
    called.environment.insert(Variable::ClaudeCodeProjectDirName, "shared".into());
    for inputs in [named, called] {
        let location = resolve(&inputs).unwrap();
        create(&location).unwrap();
        fs::create_dir(location.directory.join(".memdir")).unwrap();
        let foreign = serde_json::json!({"root": place.at("my_app")}).to_string();
        fs::write(location.directory.join(".memdir/project.json"), foreign).unwrap();
        assert_eq!(verdict(&location, &place), "shared");
        assert_eq!(record(&location).unwrap(), Claim::Shared);
    }
}

#[test]
fn the_layout_without_transcripts_asks_only_its_record() {
    let place = place();
    let mut inputs = inputs(&place, "my-app");
    inputs.layout = Layout::Memdir;
    inputs.data_folder = Some(place.at("data"));
    let location = resolve(&inputs).unwrap();
    create(&location).unwrap();
    let beside = location.directory.with_file_name("a.jsonl");
    fs::write(beside, line(&place.at("my_app"))).unwrap();
    assert_eq!(verdict(&location, &place), "unclaimed");
    assert_eq!(record(&location).unwrap(), Claim::Mine);
}

#[test]
fn a_damaged_record_is_named_and_left() {
    let place = place();
    let location = located(&place, "my-app");
    create(&location).unwrap();
    let path = location.directory.join(".memdir/project.json");
    fs::create_dir(path.parent().unwrap()).unwrap();
    for damaged in ["", "{", "[]", r#"{"root":7}"#, "\0\0\0"] {
        fs::write(&path, damaged).unwrap();
        for error in [claim(&location).unwrap_err(), record(&location).unwrap_err()] {
            assert!(matches!(&error, Error::Record { path: named, .. } if *named == path));
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
    }
}

#[test]
fn relinking_keeps_what_later_versions_recorded_and_refuses_any_other_owner() {
    let place = place();
    let location = located(&place, "my-app");
    create(&location).unwrap();
    let path = location.directory.join(".memdir/project.json");
    fs::create_dir(path.parent().unwrap()).unwrap();
    let recorded = serde_json::json!({"root": place.at("gone"), "later": {"a": [1]}});
    fs::write(&path, recorded.to_string()).unwrap();

    let error = relink(&location, &place.at("other")).unwrap_err();
    assert!(matches!(error, Error::RecordChanged { .. }), "{error:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), recorded.to_string());

    relink(&location, &place.at("gone")).unwrap();
    let now: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(
        (&now["root"], &now["later"]),
        (&serde_json::json!(place.at("my-app")), &recorded["later"])
    );
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn of_two_projects_that_record_at_once_one_has_the_folder() {
    for _ in 0..20 {
        let place = place();
        let (one, other) = (located(&place, "my-app"), located(&place, "my_app"));
        create(&one).unwrap();
        let start = Barrier::new(2);
        let race = |location: &Location| {
            start.wait();
            record(location).unwrap()
        };
        let claims = std::thread::scope(|scope| {
            let other = scope.spawn(|| race(&other));
            [race(&one), other.join().unwrap()]
        });
        let mine = claims.iter().filter(|claim| **claim == Claim::Mine).count();
        let foreign = claims.iter().filter(|claim| matches!(claim, Claim::Foreign(_))).count();
        assert_eq!((mine, foreign), (1, 1), "{claims:?}");
        assert_eq!(fs::read_dir(one.directory.join(".memdir")).unwrap().count(), 1);
    }
}

/// Two paths that differ only in bytes that are not UTF-8 have two keys and two records.
#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_utf8_is_told_from_its_like() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let place = place();
    let location = |name: &[u8]| {
        let folder = place.path.join(OsStr::from_bytes(name));
        fs::create_dir(&folder).unwrap();
        resolve(&Inputs::new(folder).with_home(place.at("home"))).unwrap()
    };
    let (one, other) = (location(b"app\xff"), location(b"app\xfe"));
    assert_eq!(one.directory, other.directory);
    create(&one).unwrap();
    assert_eq!(record(&one).unwrap(), Claim::Mine);
    assert_eq!(claim(&one).unwrap(), Claim::Mine);
    assert!(claim(&other).unwrap().other().is_some());
}
