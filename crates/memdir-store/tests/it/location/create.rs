//! Creating a memory directory.

use std::fs;

use memdir_store::location::{Created, Error, Inputs, Location, create, resolve};

use super::discover::Place;

fn at(place: &Place, directory: &str) -> Location {
    let mut inputs = Inputs::new(place.folder("project")).with_home(place.folder("home"));
    inputs.flag = Some(place.at(directory).to_str().unwrap().into());
    resolve(&inputs).unwrap()
}

#[test]
fn makes_the_folder_once_and_everything_above_it() {
    let place = Place::new();
    let location = at(&place, "a/b/memory");
    assert_eq!(create(&location).unwrap(), Created::Made);
    assert!(location.directory.is_dir());
    assert_eq!(create(&location).unwrap(), Created::Existed);
}

/// cc#59148: with an override in force the default folder must not appear.
#[test]
fn an_override_leaves_the_default_folder_alone() {
    let place = Place::new();
    create(&at(&place, "elsewhere")).unwrap();
    let names = fs::read_dir(place.at("home")).unwrap().count();
    assert_eq!(names, 0);
}

#[cfg(unix)]
mod unix {
    use std::{
        os::unix::fs::{PermissionsExt, symlink},
        path::Path,
    };

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    /// Threat 48. The umask belongs to the process, so each is tried in one of its own.
    #[test]
    fn folders_are_the_owners_alone_under_any_umask() {
        const PLACE: &str = "MEMDIR_TEST_CREATE_IN";
        if let Some(directory) = std::env::var_os(PLACE) {
            let mut inputs = Inputs::new("/").with_home("/nowhere");
            inputs.flag = Some(directory.into_string().unwrap());
            create(&resolve(&inputs).unwrap()).unwrap();
            return;
        }
        for umask in ["0000", "0022", "0077", "0277", "0777"] {
            let place = Place::new();
            let test = std::env::current_exe().unwrap();
            let name = "location::create::unix::folders_are_the_owners_alone_under_any_umask";
            let status = std::process::Command::new("sh")
                .args(["-c", &format!("umask {umask}; exec \"$0\" --exact {name}")])
                .arg(test)
                .env(PLACE, place.at("a/b/memory"))
                .stdout(std::process::Stdio::null())
                .status()
                .unwrap();
            assert!(status.success(), "umask {umask}");
            let modes = ["a", "a/b", "a/b/memory"].map(|folder| mode(&place.at(folder)));
            assert_eq!(modes, [0o700; 3], "umask {umask}");
        }
    }

    #[test]
    fn a_folder_that_exists_keeps_its_mode() {
        let place = Place::new();
        fs::set_permissions(place.folder("mem"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(create(&at(&place, "mem")).unwrap(), Created::Existed);
        assert_eq!(mode(&place.at("mem")), 0o755);
    }

    #[test]
    fn links_to_folders_are_followed_and_links_to_nothing_are_not() {
        let place = Place::new();
        place.folder("real");
        symlink(place.at("real"), place.at("link")).unwrap();
        symlink(place.at("nothing"), place.at("dangling")).unwrap();
        assert_eq!(create(&at(&place, "link")).unwrap(), Created::Existed);
        assert_eq!(create(&at(&place, "link/memory")).unwrap(), Created::Made);
        assert!(place.at("real/memory").is_dir());
        for path in ["dangling", "dangling/memory"] {
            let error = create(&at(&place, path)).unwrap_err();
            assert!(
                matches!(&error, Error::NotAFolder { path } if *path == place.at("dangling")),
                "{error:?}"
            );
        }
        assert!(!place.at("nothing").exists());
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let place = Place::new();
        place.file("file", "x");
        for path in ["file", "file/memory", "file/a/b"] {
            let error = create(&at(&place, path)).unwrap_err();
            assert!(
                matches!(&error, Error::NotAFolder { path } if *path == place.at("file")),
                "{path}: {error:?}"
            );
        }
        assert_eq!(fs::read(place.at("file")).unwrap(), b"x");
    }

    #[test]
    fn a_folder_that_may_not_be_written_is_said_to_be_so() {
        if rustix::process::geteuid().is_root() {
            println!("skipped: needs a plain user: root may write everywhere");
            return;
        }
        let place = Place::new();
        fs::set_permissions(place.folder("locked"), fs::Permissions::from_mode(0o500)).unwrap();
        let error = create(&at(&place, "locked/memory")).unwrap_err();
        assert!(matches!(error, Error::Io { op: "create", .. }), "{error:?}");
    }
}
