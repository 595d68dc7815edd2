//! Random operations against a plain map, and journals that end in anything.
#![cfg(test)]

use std::collections::BTreeMap;

use memdir_core::{MemPath, index};
use memdir_store::{
    Actor, ApplyError, Attribution, Batch, Expect, InMemory, IndexOp, OpId, OpKind, Options,
    Revision, Store, UndoError, UndoTarget, WriteStore, disk::MemDisk,
};
use proptest::prelude::*;

const NAMES: [&str; 4] = ["a.md", "b.md", "sub/c.md", "logs/d.md"];
const SEGMENT: &str = ".memdir/journal/00000001.jsonl";

/// Something that happens to a directory.
#[derive(Debug, Clone)]
enum Event {
    Save {
        name: usize,
        lines: Vec<u8>,
        index: bool,
    },
    Edit {
        name: usize,
        line: u8,
        stale: bool,
    },
    Append {
        name: usize,
        line: u8,
    },
    Forget {
        name: usize,
    },
    Many {
        first: usize,
        second: usize,
        line: u8,
    },
    /// Undoes the operation that is that many back.
    Undo {
        back: usize,
    },
    /// Another program replaces a file or takes it away.
    Outside {
        name: usize,
        lines: Option<Vec<u8>>,
    },
    Purge {
        name: usize,
    },
    Fix,
}

fn event() -> impl Strategy<Value = Event> {
    let name = 0..NAMES.len();
    let lines = prop::collection::vec(0u8..6, 0..6);
    prop_oneof![
        4 => (name.clone(), lines.clone(), any::<bool>())
            .prop_map(|(name, lines, index)| Event::Save { name, lines, index }),
        4 => (name.clone(), 0u8..6, prop::bool::weighted(0.2))
            .prop_map(|(name, line, stale)| Event::Edit { name, line, stale }),
        2 => (name.clone(), 0u8..6).prop_map(|(name, line)| Event::Append { name, line }),
        2 => name.clone().prop_map(|name| Event::Forget { name }),
        2 => (name.clone(), name.clone(), 0u8..6)
            .prop_map(|(first, second, line)| Event::Many { first, second, line }),
        3 => (0usize..4).prop_map(|back| Event::Undo { back }),
        2 => (name.clone(), prop::option::weighted(0.8, lines))
            .prop_map(|(name, lines)| Event::Outside { name, lines }),
        1 => name.prop_map(|name| Event::Purge { name }),
        1 => Just(Event::Fix),
    ]
}

fn text(lines: &[u8]) -> String {
    lines.iter().flat_map(|line| ["line ".to_owned(), line.to_string(), "\n".to_owned()]).collect()
}

fn path(name: &str) -> MemPath {
    MemPath::parse(name).expect("a good path")
}

fn person() -> Attribution {
    Attribution::new(Actor::User)
}

fn over(disk: &MemDisk) -> InMemory {
    let clock = std::sync::Arc::new(memdir_core::FixedClock(std::time::UNIX_EPOCH));
    Store::over(disk.clone(), Options::new(clock).journal(3_000, 1_000_000, 1_000))
}

type Files = BTreeMap<String, String>;

fn visible(disk: &MemDisk) -> Files {
    let files = disk.files().into_iter().filter(|(name, _)| !name.starts_with('.'));
    files.map(|(name, bytes)| (name, String::from_utf8(bytes).expect("text"))).collect()
}

/// What is expected of the directory.
#[derive(Default)]
struct Model {
    files: Files,
    /// Operations with the files before and after them, and whether these are still known.
    done: Vec<(OpId, Files, Files)>,
    /// Operations that were to be undone once; of these a part may be undone already.
    tried: Vec<OpId>,
}

impl Model {
    fn edit(&self, name: &str, line: u8) -> String {
        let old = self.files.get(name).cloned().unwrap_or_default();
        let kept: String = old.split_inclusive('\n').skip(1).collect();
        format!("edited {line}\n{kept}")
    }

    /// Applies a batch and expects what `change` makes of the files, or a conflict and no change.
    fn apply(
        &mut self,
        store: &InMemory,
        batch: &Batch,
        is_conflict: bool,
        change: impl FnOnce(&mut Files),
    ) -> Result<(), TestCaseError> {
        let before = self.files.clone();
        match store.apply(batch, &person()) {
            Ok(receipt) => {
                prop_assert!(!is_conflict);
                change(&mut self.files);
                if receipt.has_changes() {
                    self.done.push((receipt.op, before, self.files.clone()));
                }
            }
            Err(ApplyError::Conflict(_)) => prop_assert!(is_conflict),
            Err(other) => prop_assert!(false, "{other:?}"),
        }
        Ok(())
    }

    fn step(&mut self, store: &InMemory, event: Event) -> Result<(), TestCaseError> {
        match event {
            Event::Save { name, lines, index } => {
                let (name, text) = (NAMES[name], text(&lines));
                let batch = Batch::new(OpKind::Save).put(path(name), text.clone(), Expect::Any);
                let op =
                    IndexOp::Upsert { path: path(name), title: name.into(), hook: "hook".into() };
                let batch = if index { batch.index(op.clone()) } else { batch };
                self.apply(store, &batch, false, |files| {
                    files.insert(name.to_owned(), text);
                    if index {
                        change_index(files, &op);
                    }
                })
            }
            Event::Edit { name, line, stale } => {
                let name = NAMES[name];
                let old = self.files.get(name).cloned();
                let expect = match &old {
                    _ if stale => Expect::Unchanged(Revision::of(b"never there")),
                    Some(old) => Expect::Unchanged(Revision::of(old.as_bytes())),
                    None => Expect::Absent,
                };
                let text = self.edit(name, line);
                let batch = Batch::new(OpKind::Edit).put(path(name), text.clone(), expect);
                self.apply(store, &batch, stale, |files| {
                    files.insert(name.to_owned(), text);
                })
            }
            Event::Append { name, line } => {
                let (name, added) = (NAMES[name], text(&[line]));
                let batch =
                    Batch::new(OpKind::Append).append(path(name), added.clone(), Expect::Any);
                self.apply(store, &batch, false, |files| {
                    files.entry(name.to_owned()).or_default().push_str(&added);
                })
            }
            Event::Forget { name } => {
                let name = NAMES[name];
                let op = IndexOp::Remove { path: path(name) };
                let batch =
                    Batch::new(OpKind::Forget).remove(path(name), Expect::Any).index(op.clone());
                self.apply(store, &batch, false, |files| {
                    files.remove(name);
                    change_index(files, &op);
                })
            }
            Event::Many { first, second, line } => {
                let (first, second) = (NAMES[first], NAMES[second]);
                let text = text(&[line]);
                let batch = Batch::new(OpKind::Save)
                    .put(path(first), text.clone(), Expect::Any)
                    .remove(path(second), Expect::Any);
                self.apply(store, &batch, false, |files| {
                    files.insert(first.to_owned(), text);
                    files.remove(second);
                })
            }
            Event::Undo { back } => self.undo(store, back),
            Event::Outside { name, lines } => {
                if let Some(lines) = lines {
                    store.disk().put(NAMES[name], text(&lines));
                    self.files.insert(NAMES[name].to_owned(), text(&lines));
                } else {
                    store.disk().take(NAMES[name]);
                    self.files.remove(NAMES[name]);
                }
                Ok(())
            }
            Event::Purge { name } => {
                store.purge(&path(NAMES[name]), &person()).expect("purged");
                self.done.clear();
                Ok(())
            }
            Event::Fix => {
                let mended = store.fix().expect("nothing is in the way");
                prop_assert!(mended.recovered.is_empty() && mended.temps_removed == 0);
                Ok(())
            }
        }
    }

    /// Undoing the last change gives the bytes of before; undoing an older one leaves alone what it does not touch.
    fn undo(&mut self, store: &InMemory, back: usize) -> Result<(), TestCaseError> {
        let Some(at) = self.done.len().checked_sub(back + 1) else { return Ok(()) };
        let (op, before, after) = self.done[at].clone();
        let is_first = !self.tried.contains(&op);
        self.tried.push(op.clone());
        let report = match store.undo(&UndoTarget::op(op), &person()) {
            Err(error @ UndoError::Unknown { .. }) => {
                return Err(TestCaseError::fail(error.to_string()));
            }
            result => result.expect("it can be written"),
        };
        let found = visible(store.disk());
        if !report.undone_before.is_empty() {
            prop_assert_eq!(&found, &self.files, "what is undone already is not undone again");
        } else if is_first && self.files == after {
            prop_assert_eq!(&found, &before, "nothing changed since");
            prop_assert!(report.conflicts.is_empty());
        }
        let touched = |name: &str| before.get(name) != after.get(name);
        for name in NAMES.iter().copied().chain(["MEMORY.md"]) {
            let (was, is) = (self.files.get(name), found.get(name));
            if !touched(name) {
                prop_assert_eq!(is, was, "{} has nothing to do with it", name);
            } else if is_first && was == after.get(name) && name != "MEMORY.md" {
                prop_assert_eq!(is, before.get(name), "{} is as the operation left it", name);
            } else if report.conflicts.iter().any(|conflict| conflict.path.as_str() == name) {
                prop_assert_eq!(is, was, "{} is in conflict", name);
            }
        }
        if let Some(receipt) = report.receipt {
            self.done.push((receipt.op, self.files.clone(), found.clone()));
        }
        self.files = found;
        Ok(())
    }
}

fn change_index(files: &mut Files, op: &IndexOp) {
    let old = files.get("MEMORY.md").cloned();
    let text = op.apply_to(old.as_deref().unwrap_or_default()).text;
    if old.is_some() || !text.is_empty() {
        files.insert("MEMORY.md".to_owned(), text);
    }
}

fn cases(normally: u32) -> ProptestConfig {
    #[expect(clippy::disallowed_methods, reason = "a test asks how thorough to be")]
    let is_full = std::env::var_os("MEMDIR_FULL").is_some();
    ProptestConfig::with_cases(if is_full { normally * 20 } else { normally })
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_directory_is_what_a_plain_map_says(
        events in prop::collection::vec(event(), 1..25), swaps in any::<bool>(),
    ) {
        let disk = if swaps { MemDisk::new() } else { MemDisk::new().without_exchange() };
        let store = over(&disk);
        let mut model = Model::default();
        for event in events {
            model.step(&store, event)?;
            prop_assert_eq!(&visible(&disk), &model.files);
            let unfinished = store.health().expect("readable").unfinished;
            prop_assert_eq!(unfinished, None);
        }
        let heads = store.heads().expect("readable");
        for outside in store.outside_changes().expect("readable") {
            prop_assert_eq!(heads.get(&outside.path).copied(), outside.known);
        }
        // Another store over the same disk knows the same.
        prop_assert_eq!(over(&disk).heads().expect("readable"), heads);
    }

    #[test]
    fn a_journal_that_ends_in_anything_costs_no_file(
        saved in 1usize..6,
        cut in 0usize..400,
        tail in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            (0usize..5_000).prop_map(|zeros| vec![0; zeros]),
            "(\\{\"t\":\"(intent|done|abort|amend)\",\"v\":1,?[a-z\":,{}\\[\\]]{0,40}\\}?\n){0,4}"
                .prop_map(String::into_bytes),
        ],
    ) {
        let disk = MemDisk::new();
        let save = |number: usize| {
            let name = path(&format!("m{number}.md"));
            let op = IndexOp::Upsert { path: name.clone(), title: "M".into(), hook: "m".into() };
            Batch::new(OpKind::Save).put(name, format!("{number}\n"), Expect::Absent).index(op)
        };
        for number in 0..saved {
            over(&disk).apply(&save(number), &person()).expect("applied");
        }
        let before = visible(&disk);
        let mut journal = disk.files().remove(SEGMENT).expect("there");
        journal.truncate(journal.len().saturating_sub(cut));
        journal.extend_from_slice(&tail);
        disk.put(SEGMENT, journal);

        let store = over(&disk);
        let logged = store.history().expect("readable").flatten().count();
        prop_assert!(logged <= saved + 4);
        store.health().expect("readable");
        store.apply(&save(saved), &person()).expect("a torn journal is in nobody's way");
        let mut after = visible(&disk);
        prop_assert_eq!(after.remove(&format!("m{saved}.md")), Some(format!("{saved}\n")));
        let index = after.remove("MEMORY.md").expect("there");
        let lines = index::lines(&index).filter(|line| line.pointer.is_some()).count();
        prop_assert_eq!(lines, saved + 1);
        let mut expected = before;
        expected.remove("MEMORY.md");
        prop_assert_eq!(after, expected);
        let newest = store.history().expect("readable").next().expect("there").expect("readable");
        prop_assert_eq!(newest.files.len(), 2, "the new operation stands on a line of its own");
        store.undo(&UndoTarget::op(newest.id), &person()).expect("it can be undone");
        let fixed = store.fix().expect("in order");
        prop_assert!(fixed.recovered.is_empty() && fixed.temps_removed == 0);
    }
}
