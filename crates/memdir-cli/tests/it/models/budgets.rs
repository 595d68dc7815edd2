//! What is spent, by all processes together.

use std::fs;
use std::thread;

use insta::assert_snapshot;
use serde_json::Value;

use super::server::{Server, chosen};
use super::{ask, noted, some, text, told};

/// The ledger within a sandbox.
pub(super) const SPENT: &str = if cfg!(target_os = "macos") {
    "home/Library/Application Support/memdir/.memdir/state/spent.json"
} else {
    "home/.local/state/memdir/.memdir/state/spent.json"
};

#[test]
fn when_the_budget_is_spent_nothing_is_sent_and_why_tells_when_there_is_room_again() {
    let server = Server::new([chosen(&["m3.md"])]);
    let sandbox = some(&server, 5, "[budget]\ncalls_per_hour = 1");
    assert_eq!(told(&ask(&sandbox)), "model: m3.md: chosen by the model");
    let spent = "lexical: m1.md: chosen by words, as the budget for models is spent: 1 of 1 calls an hour are used";
    assert_eq!(told(&ask(&sandbox)), spent);
    assert_eq!(server.seen().len(), 1);
    assert_snapshot!(sandbox.run(["why"]), @"
    model: not asked, because the budget has no call left in this hour
      when: 2026-11-30T09:00:00Z
      try: wait until 2026-11-30T10:00:00Z, when there is room again if nothing else is spent, or raise calls_per_hour under [budget] in config.toml
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["config", "check"]).replace(server.address(), "$SERVER"), @"
    provider: anthropic
    address: $SERVER
    model: a-model
    key: environment variable ANTHROPIC_API_KEY
    ------- stderr -------
    error: the budget for models is spent: 1 of 1 calls an hour are used
      try: wait until 2026-11-30T10:00:00Z
      try: or raise the limit under [budget] in config.toml
    [exit status: 3]
    ");
    // An hour later there is room, for one.
    let sandbox = sandbox.env("MEMDIR_NOW", "2026-11-30T10:00:01Z");
    assert_eq!(told(&ask(&sandbox)), "model: m3.md: chosen by the model");
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn tokens_and_money_are_limited_too_and_money_needs_a_price() {
    let server = Server::new([chosen(&["m3.md"])]);
    for (more, reason) in [
        ("[budget]\ntokens_per_day = 100", "tokens_spent"),
        ("[budget]\ndollars_per_day = 5", "no_price"),
        (
            "price = { input = 1000, output = 1000 }\n[budget]\ndollars_per_day = 0.01",
            "money_spent",
        ),
    ] {
        let sandbox = some(&server, 5, more);
        assert!(told(&ask(&sandbox)).starts_with("lexical: m1.md: "), "{more}");
        assert_eq!(text(&noted(&sandbox), "reason"), reason);
    }
    assert_eq!(server.seen(), [""; 0]);
}

#[test]
fn a_ledger_that_cannot_be_read_stops_everything_that_costs() {
    let server = Server::new([chosen(&["m3.md"])]);
    let sandbox = some(&server, 5, "");
    for damaged in [
        "",
        "{\"version\": 1, \"next\": 3, \"ent",
        "{\"version\": 9, \"next\": 0, \"entries\": []}",
    ] {
        sandbox.write(SPENT, 0, damaged);
        let told = told(&ask(&sandbox));
        assert!(
            told.starts_with(
                "lexical: m1.md: chosen by words, as what was spent on models cannot be looked up: "
            ),
            "{told}"
        );
        assert_eq!(sandbox.read(SPENT), damaged);
        assert_eq!(text(&noted(&sandbox), "reason"), "ledger");
    }
    fs::remove_file(sandbox.path(SPENT)).unwrap();
    fs::create_dir(sandbox.path(SPENT)).unwrap();
    assert!(told(&ask(&sandbox)).starts_with("lexical: m1.md: "));
    assert_eq!(server.seen(), [""; 0]);
}

#[test]
fn eight_processes_at_once_do_not_overspend() {
    let server = Server::new([chosen(&["m3.md"])]);
    let sandbox = some(&server, 60, "[budget]\ncalls_per_hour = 3");
    let mut told: Vec<_> = thread::scope(|scope| {
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(|| told(&ask(&sandbox)))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    told.sort();
    let spent = "lexical: m1.md: chosen by words, as the budget for models is spent: 3 of 3 calls an hour are used";
    let mut expect = vec![spent; 5];
    expect.extend(["model: m3.md: chosen by the model"; 3]);
    assert_eq!(told, expect);
    assert_eq!(server.seen().len(), 3);
    let ledger: Value = serde_json::from_str(&sandbox.read(SPENT)).unwrap();
    let entries = ledger.get("entries").and_then(Value::as_array).unwrap();
    let calls: Vec<_> =
        entries.iter().map(|entry| (entry.get("calls"), entry.get("tokens"))).collect();
    assert_eq!(calls, vec![(Some(&Value::from(1)), Some(&Value::from(45))); 3]);
}
