//! Tests of the machinery of secrets; what the rules find is tested from outside, on the samples of gitleaks.

use super::*;

#[test]
fn every_rule_is_read_and_compiles() {
    let rules = &RULES.all;
    let with_keys = rules.iter().filter(|rule| !rule.keys.is_empty()).count();
    let with_entropy = rules.iter().filter(|rule| rule.entropy.is_some()).count();
    assert_eq!((rules.len(), with_keys, with_entropy), (222, 221, 130));
    for rule in rules {
        let lists = RULES.allowed.iter().chain(&rule.allowed);
        let of_lists = lists.flat_map(|list| list.paths.iter().chain(&list.patterns));
        for pattern in rule.pattern.iter().chain(&rule.path).chain(of_lists) {
            let _compiles = pattern.regex();
        }
    }
}
