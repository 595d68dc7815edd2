//! The rules of a project as the command tells them, compared with what the real client was seen to load: the tables in
//! `layouts/`, which `client_rules` compares with the client itself.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::layouts::{self, Layout, Sets, expand, grouped, relative};
use crate::sandbox::{Ran, Sandbox};

const TABLES: [&str; 7] = [
    include_str!("../layouts/levels.txt"),
    include_str!("../layouts/links.txt"),
    include_str!("../layouts/imports.txt"),
    include_str!("../layouts/excludes.txt"),
    include_str!("../layouts/agents.txt"),
    include_str!("../layouts/files.txt"),
    include_str!("../layouts/scopes.txt"),
];

/// One step of a context: what the client loads in it, and what memdir does.
struct Step {
    name: String,
    client: Sets,
    ours: Vec<String>,
}

/// A file of rules as the command prints it: scope, path, text.
type Rule = (String, String, String);

fn rules(sandbox: &Sandbox, layout: &Layout, args: &[&str]) -> Vec<Rule> {
    let root = sandbox.path("");
    let mut command = sandbox.bare_command(layout.cwd());
    command.envs(layout.env.iter().map(|(name, value)| (name, expand(value, &root))));
    command.arg("rules").args(args);
    if layout.args.first() == Some(&"--add-dir") {
        command.args(layout.args.iter().map(|arg| expand(arg, &root)));
    }
    let ran = Ran::of(command.arg("--json").output().unwrap());
    assert!(matches!(ran.exit, Some(0 | 1)), "{}: {ran:#?}", layout.claim);
    let text = |rule: &serde_json::Value, key: &str| rule[key].as_str().unwrap().to_owned();
    let all = ran.json(ran.exit.unwrap())["rules"].as_array().unwrap().clone();
    let read =
        |rule| (text(rule, "scope"), relative(&text(rule, "path"), &root), text(rule, "text"));
    all.iter().map(read).collect()
}

/// What is wrong with a layout.
fn faults(layout: &Layout) -> Vec<String> {
    let sandbox = Sandbox::bare();
    let root = sandbox.path("");
    layout.build(&root);
    let start = rules(&sandbox, layout, &["list"]);
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut steps = vec![Step {
        name: "start".to_owned(),
        client: layout.start.clone(),
        ours: start.iter().map(|(scope, path, _)| format!("{scope} {path}")).collect(),
    }];
    seen.extend(start.into_iter().map(|(_, path, text)| (path, text)));
    for (path, client) in &layout.reads {
        let with = rules(&sandbox, layout, &["match", root.join(path).to_str().unwrap()]);
        let new: Vec<_> =
            with.into_iter().filter(|(_, path, _)| !seen.contains_key(path)).collect();
        steps.push(Step {
            name: path.clone(),
            client: client.clone(),
            ours: new.iter().map(|(_, path, _)| path.clone()).collect(),
        });
        seen.extend(new.into_iter().map(|(_, path, text)| (path, text)));
    }
    let mut faults = Vec::new();
    let (mut without, mut besides) = (BTreeSet::new(), BTreeSet::new());
    for step in steps {
        // What only one of the two loads is told in the table; all else is the same, in the same order.
        let told = |told: &BTreeSet<String>, line: &str, met: &mut BTreeSet<String>| {
            let path =
                told.iter().find(|path| line == *path || line.ends_with(&format!(" {path}")));
            met.extend(path.cloned());
            path.is_some()
        };
        let mut client = step.client;
        for set in &mut client {
            set.retain(|line| !told(&layout.without, line, &mut without));
        }
        client.retain(|set| !set.is_empty());
        let ours = step.ours.into_iter();
        let ours = ours.filter(|line| !told(&layout.besides, line, &mut besides)).collect();
        let ours = grouped(&client, ours);
        if ours != client {
            faults.push(format!("{}: the client {client:?}, memdir {ours:?}", step.name));
        }
    }
    if (&without, &besides) != (&layout.without, &layout.besides) {
        faults.push(format!("what differs is without {without:?} besides {besides:?}"));
    }
    if layout.differs.is_empty() && !(without.is_empty() && besides.is_empty()) {
        faults.push("no reason is told why they differ".to_owned());
    }
    faults.extend(other_texts(layout, &root, &seen));
    faults
}

/// Texts come as the client has them, line ends apart.
fn other_texts(layout: &Layout, root: &Path, seen: &BTreeMap<String, String>) -> Vec<String> {
    let both = seen.iter().filter(|(path, _)| !layout.besides.contains(*path));
    both.filter_map(|(path, text)| {
        let expect = layout.body(path, root).replace("\r\n", "\n");
        (text.trim() != expect)
            .then(|| format!("{path} has the text {text:.200?}, not {expect:.200?}"))
    })
    .collect()
}

#[test]
fn rules_are_those_that_the_client_was_seen_to_load() {
    let layouts: Vec<_> = TABLES.iter().flat_map(|table| layouts::parse(table)).collect();
    assert!(layouts.len() >= 90, "{} layouts", layouts.len());
    let mut wrong = Vec::new();
    for layout in &layouts {
        let faults = faults(layout);
        // A layout that is open must fail, so that its line goes when it is mended.
        if faults.is_empty() == layout.open.is_some() {
            wrong.push(format!("{}\n  {}", layout.claim, faults.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), layouts.len(), wrong.join("\n"));
}
