//! Projects that were renamed or moved.

use std::fs;

use memdir_store::location::{
    Claim, Error, Inputs, LeftBehind, Likeness, Location, bring_along, claim, create, left_behind,
    record, resolve,
};

use super::discover::Place;

fn located(place: &Place, cwd: &str) -> Location {
    resolve(&Inputs::new(place.at(cwd)).with_home(place.at("home"))).unwrap()
}

/// A project with a memory and a record.
fn remembered(place: &Place, cwd: &str) -> Location {
    place.folder(cwd);
    let location = located(place, cwd);
    create(&location).unwrap();
    record(&location).unwrap();
    fs::write(location.directory.join("a.md"), cwd).unwrap();
    location
}

fn found(location: &Location) -> Vec<(std::path::PathBuf, Likeness)> {
    let found = left_behind(location).unwrap();
    found.into_iter().map(|LeftBehind { owner, likeness, .. }| (owner, likeness)).collect()
}

#[cfg(unix)]
#[test]
fn a_renamed_project_finds_its_memory_and_brings_it_along() {
    let place = Place::new();
    remembered(&place, "work/still-there");
    let old = remembered(&place, "work/app");
    fs::rename(place.at("work/app"), place.at("work/application")).unwrap();
    let new = located(&place, "work/application");
    let left = left_behind(&new).unwrap();
    assert_eq!(found(&new), [(place.at("work/app"), Likeness::SameFolder)]);
    assert!(!new.directory.exists(), "asking creates nothing");

    bring_along(&new, &left[0]).unwrap();
    assert_eq!(claim(&new).unwrap(), Claim::Mine);
    assert_eq!(fs::read_to_string(new.directory.join("a.md")).unwrap(), "work/app");
    assert!(!old.directory.exists());
    assert_eq!(found(&new), []);
}

#[test]
fn a_project_of_the_same_name_elsewhere_is_offered_as_less_likely() {
    let place = Place::new();
    remembered(&place, "old/app");
    remembered(&place, "old/other");
    // Copied and deleted, as from one disk to another: the same name, another folder.
    place.folder("new/app");
    fs::rename(place.at("old"), place.at("gone")).unwrap();
    let new = located(&place, "new/app");
    assert_eq!(found(&new), [(place.at("old/app"), Likeness::SameName)]);
}

#[test]
fn memory_that_is_there_is_never_replaced() {
    let place = Place::new();
    remembered(&place, "old/app");
    let new = remembered(&place, "new/app");
    fs::rename(place.at("old"), place.at("gone")).unwrap();
    let left = left_behind(&new).unwrap();
    let error = bring_along(&new, &left[0]).unwrap_err();
    assert!(matches!(&error, Error::Occupied { path } if *path == new.directory), "{error:?}");
    assert_eq!(fs::read_to_string(new.directory.join("a.md")).unwrap(), "new/app");
    assert!(left[0].directory.join("a.md").is_file());
}

#[test]
fn memory_whose_project_is_back_or_that_another_took_over_stays_where_it_is() {
    let place = Place::new();
    let old = remembered(&place, "old/app");
    place.folder("new/app");
    fs::rename(place.at("old"), place.at("gone")).unwrap();
    let new = located(&place, "new/app");
    let left = left_behind(&new).unwrap();
    let stays = || {
        let error = bring_along(&new, &left[0]).unwrap_err();
        let record = old.directory.join(".memdir/project.json");
        assert!(matches!(&error, Error::RecordChanged { path } if *path == record), "{error:?}");
        assert!(old.directory.join("a.md").is_file() && !new.directory.exists());
    };
    fs::rename(place.at("gone"), place.at("old")).unwrap();
    stays();

    fs::rename(place.at("old"), place.at("gone")).unwrap();
    let another = serde_json::json!({"root": place.at("another")}).to_string();
    fs::write(old.directory.join(".memdir/project.json"), another).unwrap();
    stays();
}

#[test]
fn a_project_that_exists_leaves_nothing_behind_and_a_damaged_record_is_passed_over() {
    let place = Place::new();
    let other = remembered(&place, "old/app");
    place.folder("new/app");
    assert_eq!(found(&located(&place, "new/app")), []);
    fs::write(other.directory.join(".memdir/project.json"), "{").unwrap();
    fs::rename(place.at("old"), place.at("gone")).unwrap();
    assert_eq!(found(&located(&place, "new/app")), []);
}
