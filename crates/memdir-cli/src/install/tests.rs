//! Adding and taking out, byte for byte.

use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::json_text::parse;
use super::{Call, Entered, Fault, find};
use crate::hook::Moment;

const PROGRAM: &str = "/bin/memdir";

fn call(program: &str, options: &[&str]) -> Call {
    Call {
        program: program.to_owned(),
        options: options.iter().map(|&option| option.to_owned()).collect(),
    }
}

fn with_hooks(text: &str, program: &str) -> Result<String, Fault> {
    super::with_hooks(text, &call(program, &[])).map(|entered| entered.text)
}

fn without_hooks(text: &str, original: Option<&str>) -> Result<String, Fault> {
    super::without_hooks(text, original, PROGRAM)
}

fn has_hooks(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let root = parse(text).unwrap();
    Moment::ALL.into_iter().any(|moment| find(text, &root, moment, PROGRAM).is_some())
}

/// Adds to a text, checks that the client finds what it looks for and all else as before, and that all comes off again.
#[track_caller]
fn check(before: &str) -> String {
    let after = with_hooks(before, "/bin/memdir").unwrap();
    let parse = |text: &str| -> Value {
        serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap()
    };
    let (mut value, old) = (parse(&after), parse(before));
    for (event, word) in
        [("UserPromptSubmit", "user-prompt-submit"), ("SessionStart", "session-start")]
    {
        let groups = value["hooks"][event].as_array_mut().unwrap();
        let ours = json!({"hooks": [{
            "type": "command", "command": "/bin/memdir", "args": ["hook", word], "timeout": 5,
        }]});
        assert_eq!(groups.pop(), Some(ours), "{after}");
        if groups.is_empty() && old["hooks"][event].is_null() {
            value["hooks"].as_object_mut().unwrap().remove(event).unwrap();
        }
    }
    if value["hooks"] == json!({}) && old["hooks"].is_null() {
        value.as_object_mut().unwrap().remove("hooks").unwrap();
    }
    assert_eq!(value, old, "{after}");
    assert_eq!(with_hooks(&after, "/bin/memdir").unwrap(), after, "a second time nothing changes");
    assert_eq!(without_hooks(&after, Some(before)).unwrap(), before);
    let moved = with_hooks(&after, "C:\\new \"place\"\\memdir.exe").unwrap();
    assert!(has_hooks(&moved) && !has_hooks(before));
    assert_eq!(with_hooks(&moved, "/bin/memdir").unwrap(), after, "only the path moves");
    assert_eq!(without_hooks(&moved, Some(before)).unwrap(), before);
    after
}

#[test]
fn an_empty_file_gets_both_hooks() {
    assert_snapshot!(check("{}\n"), @r#"
    {
      "hooks": {
        "UserPromptSubmit": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "/bin/memdir",
                "args": [
                  "hook",
                  "user-prompt-submit"
                ],
                "timeout": 5
              }
            ]
          }
        ],
        "SessionStart": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "/bin/memdir",
                "args": [
                  "hook",
                  "session-start"
                ],
                "timeout": 5
              }
            ]
          }
        ]
      }
    }
    "#);
}

#[test]
fn it_is_written_as_its_neighbours_are() {
    assert_snapshot!(check("{\n    \"model\": \"opus\",\n    \"hooks\": {\n        \"Stop\": []\n    }\n}\n"), @r#"
    {
        "model": "opus",
        "hooks": {
            "Stop": [],
            "UserPromptSubmit": [
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "/bin/memdir",
                            "args": [
                                "hook",
                                "user-prompt-submit"
                            ],
                            "timeout": 5
                        }
                    ]
                }
            ],
            "SessionStart": [
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "/bin/memdir",
                            "args": [
                                "hook",
                                "session-start"
                            ],
                            "timeout": 5
                        }
                    ]
                }
            ]
        }
    }
    "#);
    assert_snapshot!(check("{\"a\":1,\"hooks\":{\"SessionStart\":[{\"matcher\":\"compact\",\"hooks\":[]}]}}"), @r#"{"a":1,"hooks":{"SessionStart":[{"matcher":"compact","hooks":[]},{"hooks":[{"type":"command","command":"/bin/memdir","args":["hook","session-start"],"timeout":5}]}],"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/bin/memdir","args":["hook","user-prompt-submit"],"timeout":5}]}]}}"#);
    assert_snapshot!(check("{ \"a\": 1, \"b\": {} }"), @r#"{ "a": 1, "b": {}, "hooks": {"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/bin/memdir","args":["hook","user-prompt-submit"],"timeout":5}]}],"SessionStart":[{"hooks":[{"type":"command","command":"/bin/memdir","args":["hook","session-start"],"timeout":5}]}]} }"#);
    assert_snapshot!(check("{\n\t\"a\": 1\n}").replace('\t', "→"), @r#"
    {
    →"a": 1,
    →"hooks": {
    →→"UserPromptSubmit": [
    →→→{
    →→→→"hooks": [
    →→→→→{
    →→→→→→"type": "command",
    →→→→→→"command": "/bin/memdir",
    →→→→→→"args": [
    →→→→→→→"hook",
    →→→→→→→"user-prompt-submit"
    →→→→→→],
    →→→→→→"timeout": 5
    →→→→→}
    →→→→]
    →→→}
    →→],
    →→"SessionStart": [
    →→→{
    →→→→"hooks": [
    →→→→→{
    →→→→→→"type": "command",
    →→→→→→"command": "/bin/memdir",
    →→→→→→"args": [
    →→→→→→→"hook",
    →→→→→→→"session-start"
    →→→→→→],
    →→→→→→"timeout": 5
    →→→→→}
    →→→→]
    →→→}
    →→]
    →}
    }
    "#);
    let windows = check("\u{feff}{\r\n  \"a\" : [ ] ,\r\n  \"b\": 2\r\n}\r\n");
    assert_eq!(windows.matches('\n').count(), windows.matches("\r\n").count());
}

#[test]
fn every_shape_comes_back_byte_for_byte() {
    for before in [
        "{ }",
        " \n{\n\n}\n\n",
        "{\"hooks\":{}}",
        "{\n  \"hooks\": {\n  }\n}",
        "{\n  \"hooks\": { \"UserPromptSubmit\": [ ], \"SessionStart\": [\n\n] }\n}",
        "{\"hooks\": {\"UserPromptSubmit\": [1, null, {\"hooks\": 3}, {\"hooks\": [{\"command\": \"memdir\"}]}]}}",
        "{\"hooks\": 1, \"hooks\": {\"x\": []}}",
        "{\"a\": 1, \"a\": 2\n}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"other\", \"args\": [\"hook\", \"user-prompt-submit\"]}]}]}}",
    ] {
        check(before);
    }
}

#[test]
fn what_was_changed_since_stays() {
    let before = "{\n  \"model\": \"opus\"\n}\n";
    let after = with_hooks(before, "memdir").unwrap();
    let changed = after.replace("\"opus\"", "\"haiku\"");
    let expect = before.replace("\"opus\"", "\"haiku\"");
    assert_eq!(without_hooks(&changed, Some(before)).unwrap(), expect);
    assert_eq!(without_hooks(&changed, None).unwrap(), expect);

    // Somebody else's handlers beside ours.
    let theirs = "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"theirs\" }\n        ]\n      }\n    ]\n  }\n}\n";
    let both = with_hooks(theirs, "memdir").unwrap();
    assert_eq!(without_hooks(&both, None).unwrap(), theirs);
    let ours = "{ \"command\": \"/x/memdir\", \"args\": [\"hook\", \"user-prompt-submit\"] }";
    let within = theirs.replace("{ \"type\"", &format!("{ours},\n          {{ \"type\""));
    assert_eq!(without_hooks(&within, None).unwrap(), theirs);
}

#[test]
fn a_handler_that_was_changed_by_hand_is_brought_up_to_date_in_its_place() {
    let check = |handler: &str, call: &Call, expect: &str| {
        let text = |handler: &str| {
            format!("{{\"hooks\": {{\"UserPromptSubmit\": [{{\"hooks\": [{handler}]}}]}}}}")
        };
        let entered = super::with_hooks(&text(handler), call).unwrap();
        let changed = if handler == expect { Vec::new() } else { vec![Moment::UserPromptSubmit] };
        let first = text(expect);
        let first = first.strip_suffix("}}").unwrap();
        assert!(entered.text.starts_with(first), "{handler}: {}", entered.text);
        assert_eq!((entered.added, entered.changed), (vec![Moment::SessionStart], changed));
        let again = super::with_hooks(&entered.text, call).unwrap();
        assert_eq!(
            again,
            Entered { text: entered.text, added: vec![], changed: vec![], are_off: false }
        );
        let left = super::without_hooks(&again.text, None, &call.program).unwrap();
        assert!(!left.contains("user-prompt-submit"), "{left}");
    };
    let (plain, other) = (call("memdir", &[]), call("/a b/mdr", &["--memory-dir", "/m n"]));
    let edited =
        r#"{"args": ["hook", "user-prompt-submit", "--layout", "memdir"], "command": "memdir"}"#;
    check(edited, &plain, edited);
    check(
        edited,
        &other,
        r#"{"args": ["hook","user-prompt-submit","--memory-dir","/m n"], "command": "/a b/mdr"}"#,
    );
    let line = r#"{"command": "A=1 \"memdir\" hook user-prompt-submit 2>&1"}"#;
    check(line, &plain, line);
    check(
        line,
        &call("/a b/mdr", &[]),
        r#"{"command": "A=1 '/a b/mdr' hook user-prompt-submit 2>&1"}"#,
    );
    check(
        line,
        &other,
        r#"{"command": "A=1 '/a b/mdr' hook user-prompt-submit --memory-dir '/m n'"}"#,
    );
}

#[test]
fn options_are_entered_and_come_off_with_the_handlers() {
    for before in ["{}\n", "{\n    \"a\": 1\n}\n", "{\"a\":1}"] {
        let plain = super::with_hooks(before, &call(PROGRAM, &[])).unwrap().text;
        let options = call(PROGRAM, &["--layout", "memdir"]);
        let entered = super::with_hooks(before, &options).unwrap().text;
        let updated = super::with_hooks(&plain, &options).unwrap();
        let changed = Moment::ALL.to_vec();
        assert_eq!(
            updated,
            Entered { text: entered.clone(), added: vec![], changed, are_off: false }
        );
        assert_eq!(without_hooks(&entered, Some(before)).unwrap(), before);
        assert_eq!(with_hooks(&entered, PROGRAM).unwrap(), entered, "they are kept");
    }
}

#[test]
fn a_program_of_any_name_knows_its_own_handlers() {
    let own = call("/opt/mdr", &[]);
    let entered = super::with_hooks("{}\n", &own).unwrap().text;
    assert_eq!(
        super::with_hooks(&entered, &own).unwrap(),
        Entered { text: entered.clone(), added: vec![], changed: vec![], are_off: false }
    );
    assert_eq!(super::without_hooks(&entered, Some("{}\n"), "/opt/mdr").unwrap(), "{}\n");
    assert_eq!(super::without_hooks(&entered, None, PROGRAM).unwrap(), entered, "another program");
}

#[test]
fn a_text_that_the_client_would_not_understand_is_left_alone() {
    let check = |text: &str, expect: &str| {
        let told = match with_hooks(text, "memdir").unwrap_err() {
            Fault::NotJson(error) => format!("not JSON: {error}"),
            Fault::Shape { place, wanted } => format!("`{place}` must be {wanted}"),
        };
        assert_eq!(told, expect, "{text}");
    };
    check("", "not JSON: EOF while parsing a value at line 1 column 0");
    check("// mine\n{}", "not JSON: expected value at line 1 column 1");
    check("[]", "`` must be an object");
    check("{\"hooks\": []}", "`hooks` must be an object");
    check("{\"hooks\": {\"SessionStart\": {}}}", "`hooks.SessionStart` must be a list");
}

/// Settings as people and programs write them: any JSON object, in any layout.
fn settings() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("-1.5e3".to_owned()),
        "[a-z\u{e9}\u{8bb0}\"\\\\\n]{0,6}".prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    let blank = prop_oneof![Just(""), Just(" "), Just("\n"), Just("\r\n  "), Just("\n\t")];
    let value = scalar.prop_recursive(4, 40, 5, move |inner| {
        let key = prop_oneof![
            Just("\"hooks\"".to_owned()),
            Just("\"UserPromptSubmit\"".to_owned()),
            Just("\"SessionStart\"".to_owned()),
            "\"[a-c]\"",
        ];
        let entries = prop::collection::vec((key, inner, blank.clone(), blank.clone()), 0..5);
        (entries, any::<bool>(), blank.clone()).prop_map(|(entries, is_object, inside)| {
            let one = |(key, value, before, after): &(String, String, &str, &str)| {
                let key = if is_object { format!("{before}{key}{after}:") } else { String::new() };
                format!("{key}{before}{value}{after}")
            };
            let all: Vec<_> = entries.iter().map(one).collect();
            let all = if all.is_empty() { inside.to_owned() } else { all.join(",") };
            if is_object { format!("{{{all}}}") } else { format!("[{all}]") }
        })
    });
    (value, any::<bool>(), prop_oneof![Just(""), Just("\n"), Just("\r\n\r\n")]).prop_map(
        |(value, mark, end)| format!("{}{value}{end}", if mark { "\u{feff}" } else { "" }),
    )
}

proptest! {
    #[test]
    fn what_is_added_comes_off_and_nothing_else_does(before in settings()) {
        let Ok(after) = with_hooks(&before, "/bin/memdir") else { return Ok(()) };
        check(&before);
        // Without knowing how it was, only what stands in emptied containers can differ.
        let parse = |text: &str| serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')).unwrap();
        let left = without_hooks(&after, None).unwrap();
        prop_assert!(!has_hooks(&left));
        prop_assert_eq!(without_hooks(&left, None).unwrap(), left.clone());
        prop_assert_eq!(parse(&left)["a"].clone(), parse(&before)["a"].clone());
    }

    #[test]
    fn a_change_of_the_owner_survives_the_removal(before in settings(), front in any::<bool>()) {
        let change = |text: &str| {
            let (mark, text) = match text.strip_prefix('\u{feff}') {
                Some(rest) => ("\u{feff}", rest),
                None => ("", text),
            };
            let blank = serde_json::from_str::<Value>(text).unwrap() == json!({});
            let comma = if blank { "" } else { "," };
            if front {
                format!("{mark}{}", text.replacen('{', &format!("{{\"new\":1{comma}"), 1))
            } else {
                let at = text.rfind('}').unwrap();
                let (start, end) = text.split_at(at);
                format!("{mark}{start}{comma}\"new\":1{end}")
            }
        };
        let Ok(after) = with_hooks(&before, "/bin/memdir") else { return Ok(()) };
        // An object that was empty has other blanks once something was put beside ours.
        let value: Value = serde_json::from_str(before.trim_start_matches('\u{feff}')).unwrap();
        if value == json!({}) {
            return Ok(());
        }
        prop_assert_eq!(without_hooks(&change(&after), Some(&before)).unwrap(), change(&before));
    }
}
