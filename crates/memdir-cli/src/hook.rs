//! Hooks: what a client runs while a conversation goes on. They end with 0 and say nothing where they can do nothing, so that
//! the agent works on as if they were not there; the trail keeps why.

mod answer;
mod input;
mod mentions;
mod recall;
mod start;

use std::ffi::OsStr;
use std::io::{self, Read};

use clap::ValueEnum;

use crate::cli::{Cli, Globals, Verb};
use crate::env::{HOOK_DEPTH, World};
use crate::error::{CliError, Exit};
use crate::events::{Event, Outcome, Part, Reason};
use crate::place::Session;
use crate::verbs::hook::Hook;

use input::Input;

/// Longest input, in bytes. Ours: several times the longest prompt that a client can send on.
const MAX_INPUT_BYTES: u64 = 64 << 20;

/// The moments at which a client calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Moment {
    /// The person sent a prompt: the memories that help with it go along
    UserPromptSubmit,
    /// A conversation began, was taken up again, cleared or compacted
    SessionStart,
}

impl Moment {
    pub(crate) const ALL: [Self; 2] = [Self::UserPromptSubmit, Self::SessionStart];

    /// The word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::UserPromptSubmit => "user-prompt-submit",
            Self::SessionStart => "session-start",
        }
    }

    /// The client's name for it.
    pub(crate) fn event_name(self) -> &'static str {
        match self {
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::SessionStart => "SessionStart",
        }
    }
}

/// The hook that a command line asks for, where it asks for nothing else: such a call is spared the parser of options.
pub(crate) fn asked_for(mut args: impl Iterator<Item = impl AsRef<OsStr>>) -> Option<Cli> {
    let (verb, word) = (args.next()?, args.next()?);
    if args.next().is_some() || verb.as_ref() != "hook" {
        return None;
    }
    let moment = Moment::ALL.into_iter().find(|moment| word.as_ref() == moment.word())?;
    Some(Cli { globals: Globals::default(), verb: Verb::Hook(Hook { moment }) })
}

/// Answers the client that called.
///
/// # Errors
///
/// What to say cannot be written as JSON.
pub(crate) fn answer(moment: Moment, session: &mut Session) -> Result<(), CliError> {
    let input = read_input();
    if is_nested(&session.world) {
        return Ok(());
    }
    match moment {
        Moment::UserPromptSubmit => recall::answer(session, input),
        Moment::SessionStart => {
            start::answer(session, input).map_or(Ok(()), |answer| session.out.json(&answer))
        }
    }
}

/// Whether the client was itself started by a hook; what is no number is taken for a depth.
fn is_nested(world: &World) -> bool {
    world.get(HOOK_DEPTH).is_some_and(|depth| depth != "0")
}

/// Reads stdin to its end, so that a client never writes to somebody who is gone; `None` where it is no input.
fn read_input() -> Option<Input> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_INPUT_BYTES + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MAX_INPUT_BYTES {
        return None;
    }
    Input::read(&bytes)
}

/// A bug of ours must not become the client's: without a word, and with 0, as the client takes anything else for an answer.
pub(crate) fn end_quietly_on_panic() {
    std::panic::set_hook(Box::new(|_| {
        #[expect(
            clippy::exit,
            reason = "released programs abort on a panic, which nothing else can turn into an exit code"
        )]
        std::process::exit(i32::from(Exit::Done as u8));
    }));
}

impl Session {
    /// Takes the client's working folder for the current one.
    fn follow(&mut self, input: &Input) {
        if let Some(cwd) = &input.cwd {
            self.globals.project = Some(cwd.clone());
        }
    }

    /// Notes outside any memory directory that a part could not do its work.
    fn note_failure(&self, part: Part, input: &Input, outcome: Outcome, reason: Reason) {
        // Without a folder there is no project whose trail it could be.
        let Ok(project) = self.project_root() else { return };
        let event = Event::new(&self.world, part, input.session.as_deref(), outcome);
        event.because(reason).note_apart(self, &project);
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::{Moment, Verb, asked_for, end_quietly_on_panic};

    #[test]
    fn only_a_plain_call_goes_past_the_parser() {
        let check = |args: &[&str], expect| {
            let found = asked_for(args.iter()).map(|cli| match cli.verb {
                Verb::Hook(hook) => hook.moment,
                other => panic!("{other:?}"),
            });
            assert_eq!(found, expect, "{args:?}");
        };
        check(&["hook", "user-prompt-submit"], Some(Moment::UserPromptSubmit));
        check(&["hook", "user-prompt-submit", "--help"], None);
        check(&["hook", "--help"], None);
        check(&["hook"], None);
        check(&["list"], None);
        check(&[], None);
    }

    #[test]
    fn the_parser_knows_the_same_words() {
        for moment in Moment::ALL {
            assert_eq!(moment.to_possible_value().unwrap().get_name(), moment.word());
        }
        assert_eq!(Moment::value_variants(), Moment::ALL);
    }

    /// The test runs itself as a process: the panic must neither be seen nor fail it.
    #[test]
    fn a_panic_ends_the_process_with_0_and_without_a_word() {
        const CHILD: &str = "MEMDIR_TEST_PANIC";
        #[expect(clippy::disallowed_methods, reason = "tells the child from the test")]
        if std::env::var_os(CHILD).is_some() {
            end_quietly_on_panic();
            panic!("a bug");
        }
        #[expect(clippy::disallowed_methods, reason = "a process that panics")]
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let name = "hook::tests::a_panic_ends_the_process_with_0_and_without_a_word";
        let output = child.args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()), "{stdout}");
        assert!(stdout.contains("running 1 test") && !stdout.contains("a bug"), "{stdout}");
    }
}
