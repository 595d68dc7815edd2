//! The samples of gitleaks for its own rules, as they are and evaded.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::GzDecoder;
use memdir_guard::{Finding, Kind, secrets, secrets_in_file};

const PACKED: &[u8] = include_bytes!("../data/gitleaks-samples.jsonl.gz");

struct Sample {
    rule: String,
    is_secret: bool,
    path: Option<String>,
    text: String,
}

fn samples() -> Vec<Sample> {
    let mut lines = String::new();
    GzDecoder::new(PACKED).read_to_string(&mut lines).expect("packed text");
    let sample = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let field = |name: &str| value.get(name)?.as_str().map(str::to_owned);
        Sample {
            rule: field("rule_id").expect("a rule"),
            is_secret: field("expect").is_some_and(|expect| expect == "hit"),
            path: field("path"),
            text: field("text").expect("a text"),
        }
    };
    lines.lines().map(sample).collect()
}

/// What the rule of the sample finds in a form of its text.
fn found(sample: &Sample, text: &str) -> Vec<Finding> {
    let all = match &sample.path {
        Some(path) => secrets_in_file(path, text),
        None => secrets(text),
    };
    all.into_iter()
        .filter(|finding| matches!(finding.kind, Kind::Secret { rule } if rule == sample.rule))
        .collect()
}

/// Counts as `hits/secrets hits/others`, and names the rules that went wrong on the way.
fn tally(form: impl Fn(&Sample) -> Option<String>) -> String {
    let (mut hits, mut secrets, mut quiet, mut others) = (0, 0, 0, 0);
    let mut wrong = BTreeMap::<String, usize>::new();
    for sample in samples() {
        let Some(text) = form(&sample) else { continue };
        let is_hit = !found(&sample, &text).is_empty();
        if sample.is_secret {
            secrets += 1;
            hits += usize::from(is_hit);
        } else {
            others += 1;
            quiet += usize::from(!is_hit);
        }
        if is_hit != sample.is_secret {
            *wrong.entry(sample.rule).or_default() += 1;
        }
    }
    format!("{hits} of {secrets} found, {quiet} of {others} quiet, wrong: {wrong:?}")
}

#[test]
fn each_rule_finds_its_samples_and_nothing_in_the_others() {
    assert_eq!(
        tally(|sample| Some(sample.text.clone())),
        "5992 of 5992 found, 374 of 374 quiet, wrong: {}"
    );
}

/// Puts `sign` into the middle of each run of letters and digits that a key may be in.
fn broken(text: &str, sign: &str) -> String {
    let mut broken = String::new();
    let mut run = String::new();
    for c in text.chars().map(Some).chain([None]) {
        if let Some(c) = c.filter(char::is_ascii_alphanumeric) {
            run.push(c);
            continue;
        }
        let middle = run.len() / 2;
        for (at, letter) in run.drain(..).enumerate() {
            if at == middle && middle > 3 {
                broken.push_str(sign);
            }
            broken.push(letter);
        }
        broken.extend(c);
    }
    broken
}

fn full_width(text: &str) -> String {
    let wide = |c: char| match c {
        '!'..='~' => char::from_u32(u32::from(c) + 0xFEE0).unwrap_or(c),
        _ => c,
    };
    text.chars().map(wide).collect()
}

/// A sample with its secret changed, as its rule finds it in the plain text; one without a secret is changed as a whole.
fn with_secret(sample: &Sample, change: impl Fn(&str) -> String) -> Option<String> {
    if !sample.is_secret {
        return Some(change(&sample.text));
    }
    let found = found(sample, &sample.text);
    // What is found by the name of a file has no place in the text.
    let span = found.into_iter().map(|finding| finding.span).find(|span| !span.is_empty())?;
    let (before, after) = (sample.text.get(..span.start)?, sample.text.get(span.end..)?);
    Some(format!("{before}{}{after}", change(sample.text.get(span)?)))
}

/// Cuts a text in two.
fn wrapped(text: &str) -> String {
    let at = (text.len() / 2..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .expect("the end is a boundary");
    let (head, tail) = text.split_at(at);
    format!("{head}\n{tail}")
}

#[test]
fn characters_without_width_hide_no_secret() {
    let all = "5992 of 5992 found, 374 of 374 quiet, wrong: {}";
    assert_eq!(tally(|sample| Some(broken(&sample.text, "\u{200B}"))), all);
    assert_eq!(tally(|sample| Some(broken(&sample.text, "\u{AD}"))), all);
}

/// One text without a secret is taken for one where an escape cuts it.
#[test]
fn controls_hide_no_secret() {
    assert_eq!(
        tally(|sample| Some(broken(&sample.text, "\0"))),
        "5992 of 5992 found, 374 of 374 quiet, wrong: {}"
    );
    assert_eq!(
        tally(|sample| Some(broken(&sample.text, "\u{1B}[0m"))),
        "5992 of 5992 found, 373 of 374 quiet, wrong: {\"generic-api-key\": 1}"
    );
}

#[test]
fn full_width_hides_no_secret() {
    assert_eq!(
        tally(|sample| Some(full_width(&sample.text))),
        "5992 of 5992 found, 374 of 374 quiet, wrong: {}"
    );
}

#[test]
fn chinese_at_a_secret_hides_it_not() {
    let all = "5989 of 5989 found, 374 of 374 quiet, wrong: {}";
    assert_eq!(tally(|sample| with_secret(sample, |key| format!("密钥{key}"))), all);
    assert_eq!(tally(|sample| with_secret(sample, |key| format!("密钥{key}是"))), all);
}

/// Letters only, on both sides of the line end, are not told from prose: one sample has such a password. Of the texts
/// without a secret six are taken for one once a line end cuts what shows their harmlessness, as gitleaks does too.
#[test]
fn a_line_end_hides_a_secret_only_where_both_parts_are_words() {
    assert_eq!(
        tally(|sample| with_secret(sample, wrapped)),
        "5988 of 5989 found, 368 of 374 quiet, wrong: {\"aws-amazon-bedrock-api-key-long-lived\": 1, \
         \"curl-auth-user\": 1, \"generic-api-key\": 3, \"grafana-cloud-api-token\": 1, \"hashicorp-tf-password\": 1}"
    );
}
