//! A run as a step machine that does nothing itself.

mod calls;

use std::mem;

use memdir_model::{
    Cache, Content, Error, Message, Output, Passage, Request, Response, Role, Stop, Usage,
};

use crate::{
    Account, Action, Calling, Denial, Dialect, DigestReason, End, Event, ForkOptions, Halt, Mode,
    Ran, Report, What, client, own, prompt,
};
use calls::Answer;

/// What a run needs next.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a driver must do every one of them")]
pub enum Step<'a> {
    /// The answer of the model to this, for [`Session::answered`].
    Ask(&'a Request),
    /// What came of these, for [`Session::ran`].
    Run(&'a [Job]),
    /// Nothing: it is over.
    Done,
}

/// A call that the policy allows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Job {
    /// What shall be done.
    pub action: Action,
}

impl Job {
    /// Makes a job of an action.
    pub fn new(action: Action) -> Self {
        Self { action }
    }
}

/// A run as a step machine: it says what it needs and is told what came of it, and touches neither model nor files.
///
/// What it is told when it did not ask for it, it passes over.
#[derive(Debug)]
pub struct Session {
    options: ForkOptions,
    mode: Mode,
    calling: Calling,
    request: Request,
    state: State,
    /// The calls of the last answer, in order.
    calls: Vec<Call>,
    /// Those of them that are to be done.
    jobs: Vec<Job>,
    /// Whether the last answer said that nothing is left to do.
    says_done: bool,
    /// What was looked at since something was changed.
    looked: Vec<Action>,
    account: Account,
    events: Vec<Event>,
    end: Option<End>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Asking,
    Running,
    Over,
}

/// A call of the model.
#[derive(Debug)]
struct Call {
    id: String,
    /// The tool's name, fit for a message.
    tool: String,
    fate: Fate,
}

#[derive(Debug)]
enum Fate {
    /// To be done; what it does.
    Job(Action),
    Over(Ran),
}

impl Session {
    /// Begins a run.
    pub fn new(options: ForkOptions) -> Self {
        let refused = options.prefix.as_ref().and_then(|prefix| {
            let offered = |name: &str| prefix.tools().iter().any(|tool| tool == name);
            if options.calling == Calling::Json {
                Some(DigestReason::Json)
            } else if !client::NEEDED.into_iter().all(offered) {
                Some(DigestReason::NoTools)
            } else {
                prefix.secret().map(DigestReason::Secret)
            }
        });
        let mode = match (&options.prefix, &refused) {
            (Some(_), None) => Mode::Prefix,
            _ => Mode::Digest,
        };
        let mut session = Self {
            mode,
            calling: options.calling,
            request: first_request(&options, mode, options.calling),
            state: State::Asking,
            calls: Vec::new(),
            jobs: Vec::new(),
            says_done: false,
            looked: Vec::new(),
            account: Account::default(),
            events: Vec::new(),
            end: None,
            options,
        };
        session.tell(What::Started { mode });
        if let Some(reason) = refused {
            session.tell(What::Digest(reason));
        }
        if session.options.limits.turns == 0 {
            session.over(End::Turns);
        }
        session
    }

    /// Returns what it needs next; the same until it is told.
    pub fn step(&self) -> Step<'_> {
        match self.state {
            State::Asking => Step::Ask(&self.request),
            State::Running => Step::Run(&self.jobs),
            State::Over => Step::Done,
        }
    }

    /// Takes what the model answered.
    pub fn answered(&mut self, answer: Result<Response, Error>) {
        if self.state != State::Asking {
            return;
        }
        let response = match answer {
            Ok(response) => response,
            Err(Error::ToolsUnsupported)
                if self.calling == Calling::Tools && self.account.turns == 0 =>
            {
                return self.ask_for_json();
            }
            Err(error) => return self.over(End::Model(error)),
        };
        self.account.turns += 1;
        self.count(response.usage);
        let (turn, usage) = (self.account.turns, response.usage);
        let useless = match response.stop {
            _ if response.bytes() > self.options.limits.answer_bytes => Some(End::Bytes),
            Stop::Refusal => Some(End::Refused),
            Stop::ContextFull => Some(End::ContextFull),
            _ => None,
        };
        if let Some(end) = useless {
            self.tell(What::Answered { turn, calls: 0, usage });
            return self.over(end);
        }
        let answer = match self.calling {
            Calling::Tools => Answer::of_calls(response, turn),
            Calling::Json => Answer::of_json(&response),
        };
        let calls = u32::try_from(answer.calls.len()).unwrap_or(u32::MAX);
        self.tell(What::Answered { turn, calls, usage });
        if calls == 0 {
            return self.over(if answer.is_cut { End::Cut } else { End::Done });
        }
        self.account.calls = self.account.calls.saturating_add(calls);
        if self.account.calls > self.options.limits.calls {
            return self.over(End::Calls);
        }
        self.says_done = answer.says_done;
        self.request.messages.push(Message::new(Role::Assistant, answer.content));
        self.judge(answer.calls);
    }

    /// Takes what came of the jobs, in their order; one that is not told of counts as not done.
    pub fn ran(&mut self, ran: Vec<Ran>) {
        if self.state != State::Running {
            return;
        }
        let mut ran = ran.into_iter();
        let mut changed = false;
        let mut calls = mem::take(&mut self.calls);
        for call in &mut calls {
            let Fate::Job(action) = &call.fate else { continue };
            let (verb, path) = (action.verb(), action.changes().cloned());
            changed |= path.is_some();
            let result = ran.next().unwrap_or(Err(Denial::NotDone));
            if let Ok(text) = &result {
                let (turn, bytes) = (self.account.turns, text.len());
                self.tell(What::Ran { turn, verb, changed: path, bytes });
            }
            call.fate = Fate::Over(result);
        }
        self.calls = calls;
        if changed {
            // What was seen may look different now.
            self.looked.clear();
        }
        self.jobs.clear();
        self.settle();
    }

    /// Gives the run up.
    pub fn halt(&mut self, why: Halt) {
        self.over(match why {
            Halt::Cancelled => End::Cancelled,
            Halt::OutOfTime => End::OutOfTime,
        });
    }

    /// Returns the messages that were added to what the run goes on from, oldest first.
    pub fn messages(&self) -> &[Message] {
        &self.request.messages
    }

    /// Takes the events since the last call, oldest first.
    pub fn take_events(&mut self) -> Vec<Event> {
        mem::take(&mut self.events)
    }

    /// Ends the run; one that is not over is cancelled.
    pub fn into_report(self) -> Report {
        let end = self.end.unwrap_or(End::Cancelled);
        Report { end, mode: self.mode, account: self.account }
    }

    /// Decides on each call of an answer.
    fn judge(&mut self, calls: Vec<calls::Called>) {
        let dialect = match self.mode {
            Mode::Prefix => Dialect::Client,
            Mode::Digest => Dialect::Own,
        };
        self.calls.clear();
        for called in calls {
            let action = called.input.and_then(|input| {
                let action = self.options.policy.judge(dialect, &called.tool, &input)?;
                if self.looked.contains(&action) {
                    return Err(Denial::Repeated);
                }
                Ok(action)
            });
            let fate = match action {
                Ok(action) => {
                    if action.changes().is_none() {
                        self.looked.push(action.clone());
                    }
                    self.jobs.push(Job::new(action.clone()));
                    Fate::Job(action)
                }
                Err(denial) => Fate::Over(Err(denial)),
            };
            let tool = crate::denial::named(&called.tool);
            self.calls.push(Call { id: called.id, tool, fate });
        }
        if self.jobs.is_empty() {
            self.settle();
        } else {
            self.state = State::Running;
        }
    }

    /// Tells the model what came of its calls, all in one message, or ends the run.
    fn settle(&mut self) {
        let turn = self.account.turns;
        let calls = mem::take(&mut self.calls);
        let mut results = Vec::new();
        let mut denials = Vec::new();
        for Call { id, tool, fate } in calls {
            let (text, is_error) = match fate {
                Fate::Over(Ok(text)) => (text, false),
                Fate::Over(Err(reason)) => {
                    let text = prompt::refused(&reason);
                    denials.push(What::Denied { turn, tool: tool.clone(), reason });
                    (text, true)
                }
                Fate::Job(_) => continue,
            };
            results.push((tool, Content::Result { id, text, is_error }));
        }
        let all_done = denials.is_empty();
        self.account.denied += u32::try_from(denials.len()).unwrap_or(u32::MAX);
        for denial in denials {
            self.tell(denial);
        }
        if self.says_done && all_done {
            return self.over(End::Done);
        }
        let turns_left = self.options.limits.turns.saturating_sub(turn);
        if turns_left == 0 {
            return self.over(End::Turns);
        }
        if self.account.usage.tokens() > self.options.limits.tokens {
            return self.over(End::Tokens);
        }
        self.push_results(results, turns_left);
        self.state = State::Asking;
    }

    fn push_results(&mut self, results: Vec<(String, Content)>, turns_left: u32) {
        let last = (turns_left == 1).then(|| prompt::LAST_TURN.to_owned());
        let mut content: Vec<_> = match self.calling {
            Calling::Tools => results.into_iter().map(|(_, result)| result).collect(),
            Calling::Json => vec![Content::Text(calls::in_words(&results))],
        };
        content.extend(last.map(Content::Text));
        let message = Message::new(Role::User, content);
        if self.mode == Mode::Prefix {
            // The parent's own breakpoints are all that there may be.
            self.request.messages.push(message);
            return;
        }
        // The first message stays kept, and with each turn what came since.
        for message in self.request.messages.iter_mut().skip(1) {
            message.cache = Cache::No;
        }
        self.request.messages.push(message.cached());
    }

    fn ask_for_json(&mut self) {
        if self.mode == Mode::Prefix {
            self.mode = Mode::Digest;
            self.tell(What::Digest(DigestReason::Json));
        }
        self.calling = Calling::Json;
        self.request = first_request(&self.options, self.mode, self.calling);
        self.tell(What::JsonInstead);
    }

    fn count(&mut self, usage: Usage) {
        let sum = &mut self.account.usage;
        let is_first = self.account.turns == 1;
        sum.input = sum.input.saturating_add(usage.input);
        sum.output = sum.output.saturating_add(usage.output);
        sum.cache_read = sum.cache_read.saturating_add(usage.cache_read);
        sum.cache_write = sum.cache_write.saturating_add(usage.cache_write);
        sum.micros = match (sum.micros, usage.micros) {
            (None, micros) if is_first => micros,
            (Some(sum), Some(micros)) => Some(sum.saturating_add(micros)),
            _ => None,
        };
    }

    fn over(&mut self, end: End) {
        if self.state == State::Over {
            return;
        }
        self.state = State::Over;
        self.tell(What::Ended { end: end.as_str(), turns: self.account.turns });
        self.end = Some(end);
    }

    fn tell(&mut self, what: What) {
        self.events.push(Event {
            query_source: self.options.query_source.clone(),
            fork_label: self.options.fork_label.clone(),
            what,
        });
    }
}

fn first_request(options: &ForkOptions, mode: Mode, calling: Calling) -> Request {
    let turns = options.limits.turns;
    let request = Request::new(&options.query_source, options.limits.answer_tokens);
    if let (Mode::Prefix, Some(prefix)) = (mode, &options.prefix) {
        let aside = prompt::aside(&options.prompt, &options.policy, turns);
        return request.prefix(prefix.clone()).message(Message::user(aside));
    }
    let json = calling == Calling::Json;
    let system = prompt::system(&options.policy, turns, json);
    let task = Message::user(prompt::task(&options.prompt, &options.input)).cached();
    let request = request.system(Passage::cached(system)).message(task);
    if json {
        return request.output(Output::Json(own::schema(&options.policy)));
    }
    own::tools(&options.policy).into_iter().fold(request, Request::tool)
}
