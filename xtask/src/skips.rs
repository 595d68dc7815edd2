//! What tests left out: they say `skipped: needs <what>: <why>` on a line of their own and pass.
//!
//! An unexpected skip fails: one for a reason that is not known here, or that does not hold on this
//! machine. CONTRIBUTING.md tells the writers of tests.

use std::path::Path;

use crate::report::Skip;
use crate::session::Depth;
use crate::shell::Program;

/// The words a line starts with.
const LEAD: &str = "skipped: ";

/// Whether a machine lacks what a test needs.
type Belief = fn(Machine) -> bool;

/// What a test may need, and when its absence is believed.
const KNOWN: &[(&str, Belief)] = &[
    ("needs root", |machine| !machine.root),
    ("needs a plain user", |machine| machine.root),
    ("needs MEMDIR_FULL", |machine| machine.depth == Depth::Quick),
    ("needs MEMDIR_CLAUDE", |machine| !machine.claude),
    ("needs MEMDIR_MODEL_URL", |machine| !machine.model),
    ("needs git", |machine| !machine.git),
    // Mounts and file systems with other properties cannot be had everywhere, not even by root.
    ("needs mount", |_| true),
    ("needs a file system", |_| true),
    // Witnesses from outside, beside tests of the same claim that need none.
    ("needs python3", |_| true),
    ("needs strace", |_| true),
    ("needs unix", |_| !cfg!(unix)),
    ("needs linux", |_| !cfg!(target_os = "linux")),
    ("needs macos", |_| !cfg!(target_os = "macos")),
    ("needs windows", |_| !cfg!(windows)),
];

/// What this machine has.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is there or not, whatever the others are")]
pub(crate) struct Machine {
    root: bool,
    claude: bool,
    model: bool,
    git: bool,
    depth: Depth,
}

impl Machine {
    pub(crate) fn look(root: &Path, depth: Depth) -> Self {
        let answers = |name: &str, arg: &str| Program::new(name, root).arg(arg).read().ok();
        Self {
            root: answers("id", "-u").is_some_and(|id| id.trim() == "0"),
            claude: std::env::var_os("MEMDIR_CLAUDE").is_some(),
            model: std::env::var_os("MEMDIR_MODEL_URL").is_some(),
            git: answers("git", "--version").is_some(),
            depth: if std::env::var_os("MEMDIR_FULL").is_some() { Depth::Full } else { depth },
        }
    }

    fn believes(self, reason: &str) -> bool {
        KNOWN
            .iter()
            .find(|(need, _)| {
                reason
                    .strip_prefix(need)
                    .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            })
            .is_some_and(|(_, holds)| holds(self))
    }

    fn skip(self, test: &str, line: &str) -> Option<Skip> {
        let reason = line.trim().strip_prefix(LEAD)?;
        Some(Skip {
            what: test.to_owned(),
            reason: reason.to_owned(),
            expected: self.believes(reason),
        })
    }

    /// The skips in what nextest kept of the output of every test.
    pub(crate) fn skips_of_junit(self, xml: &str) -> Vec<Skip> {
        let cases = xml.split("<testcase ").skip(1);
        cases
            .flat_map(|case| {
                let name = |key| attribute(case, key).unwrap_or_default();
                let test = unescape(&format!("{} {}", name("classname"), name("name")));
                // A line may follow the tag that opens the output.
                let lines: Vec<_> = case
                    .split(['\n', '>', '<'])
                    .filter_map(|line| self.skip(&test, &unescape(line)))
                    .collect();
                lines
            })
            .collect()
    }

    /// The skips in what `cargo test -- --show-output` printed.
    pub(crate) fn skips_of_output(self, output: &str) -> Vec<Skip> {
        let mut test = String::new();
        let mut found = Vec::new();
        for line in output.lines() {
            if let Some(name) =
                line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" ----"))
            {
                name.trim_end_matches(" stdout").clone_into(&mut test);
            }
            found.extend(self.skip(&test, line));
        }
        found
    }
}

/// The value of an XML attribute in what follows the name of an element.
pub(crate) fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!("{name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: Machine =
        Machine { root: true, claude: false, model: false, git: true, depth: Depth::Quick };

    fn skip(what: &str, reason: &str, expected: bool) -> Skip {
        Skip { what: what.into(), reason: reason.into(), expected }
    }

    #[test]
    fn collects_the_lines_of_each_test_from_junit() {
        let xml = r#"<testsuites name="nextest-run" tests="3"><testsuite name="a::it">
<testcase name="fs::one" classname="a::it" time="0.1"><system-out>running 1 test
</system-out><system-err>skipped: needs a plain user: bits do not bind &quot;root&quot;
skipped: needs mount
</system-err></testcase>
<testcase name="fs::two" classname="a::it" time="0.1"></testcase>
<testcase name="three" classname="a::it"><system-err>not skipped: needs root
skipped: forgot why</system-err></testcase></testsuite></testsuites>"#;
        assert_eq!(
            ROOT.skips_of_junit(xml),
            [
                skip("a::it fs::one", "needs a plain user: bits do not bind \"root\"", true),
                skip("a::it fs::one", "needs mount", true),
                skip("a::it three", "forgot why", false),
            ]
        );
    }

    #[test]
    fn collects_the_lines_of_each_test_from_plain_output() {
        let output =
            "test a ... ok\n\nsuccesses:\n\n---- fs::one stdout ----\nskipped: needs MEMDIR_FULL\n";
        assert_eq!(ROOT.skips_of_output(output), [skip("fs::one", "needs MEMDIR_FULL", true)]);
    }

    #[test]
    fn believes_only_what_this_machine_lacks() {
        let plain =
            Machine { root: false, claude: true, model: true, git: false, depth: Depth::Full };
        for (reason, root_believes, plain_believes) in [
            ("needs root", false, true),
            ("needs root: to mount", false, true),
            ("needs rooted trees", false, false),
            ("needs a plain user", true, false),
            ("needs MEMDIR_FULL", true, false),
            ("needs MEMDIR_CLAUDE", true, false),
            ("needs MEMDIR_MODEL_URL", true, false),
            ("needs git: to clone", false, true),
            ("needs mount", true, true),
            ("needs a file system with links", true, true),
            ("too slow", false, false),
            ("", false, false),
        ] {
            assert_eq!(ROOT.believes(reason), root_believes, "{reason}");
            assert_eq!(plain.believes(reason), plain_believes, "{reason}");
        }
    }
}
