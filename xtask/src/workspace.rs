//! The packages of the workspace, from their manifests.

use std::path::{Path, PathBuf};

use crate::Result;
use crate::manifest::Manifest;

#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) manifest: Manifest,
    /// In the order of their layers, then of their names; unlayered packages last.
    pub(crate) packages: Vec<Package>,
}

#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Relative to the root, with `/`.
    pub(crate) folder: String,
    pub(crate) manifest: Manifest,
    pub(crate) layer: Option<u8>,
    pub(crate) published: bool,
}

impl Workspace {
    /// The folder above the nearest manifest that has a `[workspace]` with members.
    pub(crate) fn find_root() -> Result<PathBuf> {
        let start = match std::env::var_os("CARGO_MANIFEST_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => std::env::current_dir()?,
        };
        start
            .ancestors()
            .find(|folder| {
                Manifest::read(&folder.join("Cargo.toml"))
                    .is_ok_and(|manifest| manifest.value("workspace", "members").is_some())
            })
            .map(Path::to_owned)
            .ok_or_else(|| format!("no workspace at or above {}", start.display()).into())
    }

    pub(crate) fn load(root: &Path) -> Result<Self> {
        let manifest = Manifest::read(&root.join("Cargo.toml"))?;
        let mut packages = Vec::new();
        for member in manifest.strings("workspace", "members") {
            if let Some(parent) = member.strip_suffix("/*") {
                for entry in std::fs::read_dir(root.join(parent))? {
                    let name = entry?.file_name();
                    let folder = format!("{parent}/{}", name.to_string_lossy());
                    if root.join(&folder).join("Cargo.toml").is_file() {
                        packages.push(Package::load(root, &folder)?);
                    }
                }
            } else {
                packages.push(Package::load(root, member)?);
            }
        }
        packages.sort_by(|a, b| {
            let key = |package: &Package| (package.layer.unwrap_or(u8::MAX), package.name.clone());
            key(a).cmp(&key(b))
        });
        Ok(Self { root: root.to_owned(), manifest, packages })
    }

    pub(crate) fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }

    pub(crate) fn published(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.published)
    }

    /// The published packages whose layer is at most `layer`.
    pub(crate) fn up_to(&self, layer: u8) -> impl Iterator<Item = &Package> {
        self.published().filter(move |package| package.layer.is_some_and(|own| own <= layer))
    }
}

impl Package {
    fn load(root: &Path, folder: &str) -> Result<Self> {
        let manifest = Manifest::read(&root.join(folder).join("Cargo.toml"))?;
        let name = manifest
            .string("package", "name")
            .ok_or_else(|| format!("{folder}/Cargo.toml: no package name"))?
            .to_owned();
        Ok(Self {
            description: manifest.string("package", "description").unwrap_or_default().to_owned(),
            folder: folder.to_owned(),
            layer: manifest
                .value("package.metadata.memdir", "layer")
                .and_then(|layer| layer.parse().ok()),
            published: manifest.value("package", "publish") != Some("false"),
            name,
            manifest,
        })
    }

    /// The manifest's path for messages, relative to the root.
    pub(crate) fn manifest_name(&self) -> String {
        format!("{}/Cargo.toml", self.folder)
    }
}
