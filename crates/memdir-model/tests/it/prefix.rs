//! Requests that go on from another one.

use memdir_model::Prefix;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("\\PC{0,4}", inner, 0..3)
                .prop_map(|fields| Value::from(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn a_fork_is_its_parent_with_messages_added(
        system in value(),
        messages in prop::collection::vec(value(), 0..4),
        more in prop::collection::vec(value(), 0..3),
        after in value(),
    ) {
        let parent = json!({"model": "m", "system": system, "messages": messages, "zz": after});
        let text = parent.to_string();
        let more: Vec<String> = more.iter().map(ToString::to_string).collect();
        let fork = Prefix::parse(&text).unwrap().body(more.iter().map(String::as_str));

        let mut expect = parent;
        for message in &more {
            let message: Value = serde_json::from_str(message).unwrap();
            expect["messages"].as_array_mut().unwrap().push(message);
        }
        prop_assert_eq!(serde_json::from_str::<Value>(&fork).unwrap(), expect);
        if more.is_empty() {
            prop_assert_eq!(fork, text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        drop(Prefix::parse(&text));
    }
}
