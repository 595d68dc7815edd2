//! Any sequence of operations against what it should come to.

use std::collections::BTreeMap;

use memdir::core::MemoryType;
use memdir::core::frontmatter::{Edit, Field, NewMemory, parse};
use memdir::store::{InMemory, UndoTarget};
use memdir::{Change, Memory, Save};
use proptest::prelude::*;

use crate::store::{memory, path, text};

#[derive(Debug, Clone)]
enum Step {
    Save { name: &'static str, description: String, body: String },
    Edit { name: &'static str, description: String },
    Forget { name: &'static str },
    Undo,
}

/// Description and body by file.
type Model = BTreeMap<String, (String, String)>;

const NAMES: [&str; 4] = ["alpha", "Größe", "记忆", "with: colon # and [brackets](x.md)"];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = || proptest::sample::select(&NAMES[..]);
    let line = "[a-z:#\\]| \u{1b}—记]{0,12}[a-z]";
    let step = prop_oneof![
        3 => (name(), line, "[a-z\n-]{0,12}").prop_map(|(name, description, body)| Step::Save { name, description, body }),
        2 => (name(), line).prop_map(|(name, description)| Step::Edit { name, description }),
        1 => name().prop_map(|name| Step::Forget { name }),
        1 => Just(Step::Undo),
    ];
    proptest::collection::vec(step, 0..16)
}

/// The state afterwards; `None` where nothing was written.
fn take(memory: &Memory<InMemory>, step: &Step, before: &Model) -> Option<Model> {
    let mut after = before.clone();
    let file = |name: &str| memdir::core::name::file_name(Some(MemoryType::User), name);
    let op = match step {
        Step::Save { name, description, body } => {
            let new = NewMemory::new(name, description, Some(MemoryType::User), body);
            let saved = memory.save(&Save::new(new)).unwrap();
            after.insert(saved.path.to_string(), (description.clone(), body.trim().to_owned()));
            saved.op
        }
        Step::Edit { name, description } => {
            let entry = after.get_mut(file(name).as_str())?;
            entry.0.clone_from(description);
            memory
                .edit(&file(name), &Change::new([Edit::Set(Field::Description(description))]))
                .unwrap()
                .op
        }
        Step::Forget { name } => {
            after.remove(file(name).as_str())?;
            let receipt = memory.forget(&[file(name)], None).unwrap();
            receipt.has_changes().then_some(receipt.op)
        }
        Step::Undo => unreachable!("taken back by the caller"),
    };
    op.map(|_| after)
}

fn undo(memory: &Memory<InMemory>) -> bool {
    let Some(last) = memory.last_operation().unwrap() else { return false };
    let report = memory.undo(&UndoTarget::op(last), None).unwrap();
    assert_eq!(report.conflicts, []);
    true
}

fn check(memory: &Memory<InMemory>, model: &Model) {
    let found: Model = memory
        .scan()
        .unwrap()
        .headers
        .iter()
        .map(|header| {
            let text = text(memory, header.path.as_str());
            let parsed = parse(&text);
            let description = parsed.fields.description.unwrap_or_default();
            (header.path.to_string(), (description, parsed.body.trim().to_owned()))
        })
        .collect();
    assert_eq!(&found, model);
    let findings = memory.audit().unwrap();
    assert!(
        findings
            .iter()
            .all(|finding| finding.path != "MEMORY.md" && finding.kind.name() != "orphan"),
        "{findings:?}"
    );
    assert_eq!(text(memory, "MEMORY.md").lines().count(), model.len());
}

proptest! {
    // Each case is some ten operations, each with its check.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn files_and_index_agree_after_any_sequence_and_undo_leads_all_the_way_back(steps in steps()) {
        let memory = memory(InMemory::new());
        let mut states = vec![Model::new()];
        for step in &steps {
            match step {
                Step::Undo => {
                    prop_assert_eq!(undo(&memory), states.len() > 1);
                    if states.len() > 1 {
                        states.pop();
                    }
                }
                step => {
                    let now = states.last().cloned().unwrap_or_default();
                    states.extend(take(&memory, step, &now));
                }
            }
            check(&memory, states.last().unwrap());
        }
        while undo(&memory) {
            states.pop();
            check(&memory, states.last().unwrap());
        }
        prop_assert_eq!(memory.text(&path("MEMORY.md")).unwrap(), None);
    }
}
