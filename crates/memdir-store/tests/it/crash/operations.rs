//! One operation of each kind, and where it begins.

use memdir_store::{
    Actor, Attribution, Batch, Expect, IndexOp, OpKind, Store, UndoTarget, WriteStore,
    disk::{Disk, Loss, MemDisk},
};

use super::{Files, path, person, store, visible};

/// An operation of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    First,
    Create,
    Update,
    Remove,
    Append,
    Index,
    Many,
    Binary,
    UndoOp,
    UndoRun,
}

pub(super) const KINDS: [Kind; 10] = [
    Kind::First,
    Kind::Create,
    Kind::Update,
    Kind::Remove,
    Kind::Append,
    Kind::Index,
    Kind::Many,
    Kind::Binary,
    Kind::UndoOp,
    Kind::UndoRun,
];

pub(super) fn upsert(name: &str) -> IndexOp {
    IndexOp::Upsert { path: path(name), title: name.to_owned(), hook: "a hook".to_owned() }
}

fn put(name: &str, text: &str) -> Batch {
    Batch::new(OpKind::Save).put(path(name), text, Expect::Any).index(upsert(name))
}

/// No text, so the journal keeps it beside itself, as it does with large files.
const BINARY: &[u8] = b"a.md\n\xff\xfe\n";

impl Kind {
    fn begin(self, disk: &MemDisk) {
        if self == Self::First {
            return;
        }
        let store = store(disk.clone());
        let run = person().run("a run");
        for name in ["a.md", "b.md", "sub/c.md"] {
            store.apply(&put(name, &format!("{name}\nold\n")), &person()).expect("applied");
        }
        let log = Batch::new(OpKind::Append).append(path("logs/day.md"), "one\n", Expect::Any);
        store.apply(&log, &person()).expect("applied");
        store.apply(&put("b.md", "b.md\nof a run\n"), &run).expect("applied");
        if self == Self::Binary {
            // By another program, so that nothing has kept these yet.
            disk.put("a.md", BINARY.repeat(3));
            disk.put("b.md", BINARY.repeat(4));
        }
        let remove = Batch::new(OpKind::Forget)
            .remove(path("a.md"), Expect::Any)
            .index(IndexOp::Remove { path: path("a.md") });
        if self == Self::UndoRun {
            store.apply(&remove, &run).expect("applied");
        }
    }

    /// Does the operation.
    pub(super) fn act<D: Disk>(self, store: &Store<D>) -> Result<(), Failed> {
        let batch = match self {
            Self::First | Self::Create => put("new.md", "new.md\n"),
            Self::Update => put("a.md", "a.md\nnew\n"),
            Self::Remove => Batch::new(OpKind::Forget)
                .remove(path("sub/c.md"), Expect::Any)
                .index(IndexOp::Remove { path: path("sub/c.md") }),
            Self::Append => {
                Batch::new(OpKind::Append).append(path("logs/day.md"), "two\n", Expect::Any)
            }
            Self::Index => Batch::new(OpKind::Fix)
                .index(IndexOp::Remove { path: path("a.md") })
                .index(upsert("logs/day.md")),
            Self::Many => Batch::new(OpKind::Save)
                .put(path("a.md"), "a.md\nnew\n", Expect::Any)
                .put(path("deep/er/new.md"), "new\n", Expect::Absent)
                .append(path("logs/day.md"), "two\n", Expect::Any)
                .remove(path("b.md"), Expect::Any)
                .index(upsert("deep/er/new.md"))
                .index(IndexOp::Remove { path: path("b.md") }),
            Self::Binary => Batch::new(OpKind::Save)
                .put(path("a.md"), BINARY, Expect::Any)
                .put(path("b.md"), BINARY.repeat(2), Expect::Any)
                .index(upsert("a.md")),
            Self::UndoOp => {
                let newest = store.history()?.next().expect("there is one")?;
                store.undo(&UndoTarget::op(newest.id), &person())?;
                return Ok(());
            }
            Self::UndoRun => {
                store.undo(&UndoTarget::run("a run"), &person())?;
                return Ok(());
            }
        };
        store.apply(&batch, &Attribution::new(Actor::User))?;
        Ok(())
    }

    /// Makes the directory in which the operation happens, on a new disk.
    pub(super) fn begun(self, disk: &MemDisk) -> MemDisk {
        self.begin(disk);
        fork(disk)
    }

    /// Returns what people see before and after.
    pub(super) fn states(self, begun: &MemDisk) -> (Files, Files) {
        let disk = fork(begun);
        let before = visible(&disk);
        self.act(&store(disk.clone())).expect("nothing is in the way");
        (before, visible(&disk))
    }
}

/// Returns a disk of its own in the same state, all of it safe from power cuts.
pub(super) fn fork(disk: &MemDisk) -> MemDisk {
    disk.power_cut(Loss::Nothing)
}

/// An operation was not done.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failed {
    #[error(transparent)]
    Apply(#[from] memdir_store::ApplyError),
    #[error(transparent)]
    Undo(#[from] memdir_store::UndoError),
    #[error(transparent)]
    Store(#[from] memdir_store::Error),
}
