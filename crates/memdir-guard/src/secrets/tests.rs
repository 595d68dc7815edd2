//! Tests of the machinery of secrets; what the rules find is tested from outside, on the samples of gitleaks.

use super::*;

#[test]
fn every_rule_is_read_and_compiles() {
    let rules = &RULES.all;
    let with_keys = rules.iter().filter(|rule| !rule.keys.is_empty()).count();
    let with_entropy = rules.iter().filter(|rule| rule.entropy.is_some()).count();
    assert_eq!((rules.len(), with_keys, with_entropy), (225, 224, 133));
    for rule in rules {
        let lists = RULES.allowed.iter().chain(&rule.allowed);
        let of_lists = lists.flat_map(|list| list.paths.iter().chain(&list.patterns));
        for pattern in rule.pattern.iter().chain(&rule.path).chain(of_lists) {
            let _compiles = pattern.regex();
        }
    }
}

/// The names of the rules that would be compiled for a text.
fn wanted(text: &str) -> Vec<&'static str> {
    RULES.that_may_match(text.as_bytes()).map(|rule| rule.id).collect()
}

#[test]
fn ordinary_prose_compiles_nothing() {
    let prose = "We ask for the task first, and keep the tokens of a list apart. The API is stable. \
                 Its basic parts are auth and access; both were tested. Skip what is risky.\n";
    assert_eq!(wanted(&prose.repeat(30)), [""; 0]);
    assert_eq!(wanted("see the sk-list of 1234567890123456789012345678901234"), ["twilio-api-key"]);
}

#[test]
fn a_place_is_found_once_by_a_rule() {
    let hits = vec![(4..9, "b"), (0..5, "a"), (2..7, "a"), (7..9, "a"), (3..4, "b")];
    assert_eq!(place::merge(hits), [(0..7, "a"), (7..9, "a"), (3..4, "b"), (4..9, "b")]);
}

#[test]
fn a_file_can_be_a_key_store_by_its_name_or_be_left_out() {
    let found = |path: &str| {
        let found = secrets_in_file(path, "");
        found.into_iter().map(|finding| finding.kind.rule()).collect::<Vec<_>>()
    };
    assert_eq!(found("keys/client.p12"), ["pkcs12-file"]);
    assert_eq!(found("keys/client.md"), [""; 0]);
    let key = format!("AK{}", "IAQYLPMN5HFIQR7XYA");
    assert_eq!(secrets_in_file("a.md", &key).len(), 1);
    assert_eq!(secrets_in_file("web/yarn.lock", &key), []);
}

/// Letters and digits in no order, all of them different.
fn noise(len: usize) -> String {
    const SIGNS: &[u8; 62] = b"Zk3qV9xLm2RtY7bNc5HdW8sPfJ4gTaE1uQoX6iByCeDhFjGlAnIpKrMvOwSzU0";
    SIGNS.iter().cycle().take(len).map(|byte| char::from(*byte)).collect()
}

/// Tokens of services, each with the rule that finds it.
fn tokens() -> Vec<(&'static str, String)> {
    let of = |head: &str, len| format!("{head}{}", noise(len));
    let hex = |len| "0123456789abcdef".chars().cycle().take(len).collect::<String>();
    let letters = "qwertzuiopasdfghjklyxcvbnmQWERTZUI".to_owned();
    vec![
        ("jwt", format!("{}.{}.{}", of("eyJ", 30), of("eyJ", 40), noise(43))),
        ("anthropic-api-key", format!("{}AA", of("sk-ant-api03-", 93))),
        ("gcp-api-key", of("AIza", 35)),
        ("npm-access-token", of("npm_", 36)),
        ("sendgrid-api-token", of("SG.", 66)),
        ("stripe-access-token", of("sk_live_", 24)),
        ("openai-api-key", format!("{}T3BlbkFJ{}", of("sk-", 20), noise(20))),
        ("huggingface-access-token", format!("hf_{letters}")),
        ("digitalocean-pat", format!("dop_v1_{}", hex(64))),
        ("github-pat", of("ghp_", 36)),
    ]
}

#[test]
fn a_token_ends_where_a_sentence_a_bracket_or_a_part_of_an_address_does() {
    let ends = [
        ".", ". Ok", ", ok", ")", "> ok", "<br>", ":", "!", "?", "|", "**", "_", "&x=1", "/", "…",
        "#top", "}", "]", "](x)", "\\n", " ", "`", "\"", "'", ";", "。", "」", "—",
    ];
    for (rule, token) in tokens() {
        for end in ends {
            let text = format!("see {token}{end}");
            let found = secrets(&text).into_iter().any(|finding| finding.kind.rule() == rule);
            assert!(found, "{rule} before {end:?}");
        }
    }
    // A part of a longer name is none.
    let (_, token) = &tokens()[2];
    assert_eq!(secrets(&format!("icons/{token}.png")), []);
    assert_eq!(secrets(&format!("icons/{token}_large")), []);
}

/// The rules of our own that find something.
#[track_caller]
fn check_own(text: &str, expect: &[&str]) {
    let found = secrets(text).into_iter().map(|finding| finding.kind.rule());
    let own: Vec<_> = found.filter(|rule| rule.starts_with("own-")).collect();
    assert_eq!(own, expect, "{text}");
}

#[test]
fn passwords_in_addresses_are_found_and_placeholders_are_not() {
    let password = noise(14);
    for text in [
        format!("postgres://admin:{password}@db.internal/app"),
        format!("redis://:{password}@cache:6379"),
        format!("(https://user:{password}@host.example/path)"),
    ] {
        check_own(&text, &["own-url-password"]);
    }
    for password in [
        "password",
        "your_password",
        "<token>",
        "$DB_PASSWORD",
        "${PW}",
        "******",
        "{password}",
        "pw",
    ] {
        check_own(&format!("postgres://user:{password}@host/db"), &[]);
    }
    check_own("https://host.example:8080/a@b and http://[::1]:80/x:y@z", &[]);
}

#[test]
fn a_private_key_without_its_end_is_found() {
    let head = format!("-----BEGIN RSA PRIVATE {}-----", "KEY");
    let lines = format!("{}\n", noise(64)).repeat(8);
    check_own(&format!("{head}\n{lines}"), &["own-private-key-cut"]);
    check_own(&format!("{head}\n{lines}```\nmore"), &["own-private-key-cut"]);
    // The rule of gitleaks has it.
    check_own(&format!("{head}\n{lines}-----END RSA PRIVATE {}-----", "KEY"), &[]);
    check_own(&format!("`{head}` is its first line"), &[]);
    check_own(&format!("{head}\nMIIE...\n"), &[]);
}

#[test]
fn headers_that_authorize_are_found_and_placeholders_are_not() {
    let token = noise(40);
    for text in [
        format!("Authorization: Bearer {token}"),
        format!("\"authorization\": \"Basic {token}==\""),
    ] {
        check_own(&text, &["own-authorization-header"]);
    }
    for token in
        ["<token>", "$TOKEN", "***", "{token}", "YOUR_TOKEN_GOES_HERE", "your-access-token1234"]
    {
        check_own(&format!("Authorization: Bearer {token}"), &[]);
    }
    check_own("Authorization: Bearer tokens are sent with each request", &[]);
}
