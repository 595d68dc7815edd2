//! What is printed: text for people or one JSON value, warnings and errors; nothing reaches a terminal unescaped.

mod indent;
mod json;
mod progress;
mod table;

use std::borrow::Cow;
use std::io::{self, Write};

use memdir::core::text::{escape_control, escape_control_lines};
use serde::Serialize;

use crate::env::{self, Terminal};
use crate::error::CliError;

pub(crate) use progress::Progress;
pub(crate) use table::{Align, Table};

/// How the result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    Json,
    /// For a client, which takes what is on stderr for a failure: warnings are kept for whoever asks.
    Hook,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Style {
    Plain,
    Bold,
    Dim,
    Red,
    Yellow,
    Green,
}

impl Style {
    fn code(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Bold => Some("1"),
            Self::Dim => Some("2"),
            Self::Red => Some("1;31"),
            Self::Yellow => Some("33"),
            Self::Green => Some("32"),
        }
    }

    fn paint(self, text: &str, colour: bool) -> Cow<'_, str> {
        match self.code().filter(|_| colour && !text.is_empty()) {
            Some(code) => Cow::Owned(format!("\x1b[{code}m{text}\x1b[0m")),
            None => Cow::Borrowed(text),
        }
    }
}

/// From how many bytes on a result is written although more of it follows. Ours: one pipe of Linux.
const STREAM_BYTES: usize = 64 * 1024;

/// The two streams. Stdout is gathered and written at the end, or before something is said on stderr.
#[derive(Debug)]
pub(crate) struct Out {
    pub(crate) form: Form,
    terminal: Terminal,
    stdout: Vec<u8>,
    /// Warnings that were not printed.
    kept: Vec<CliError>,
    /// Why stdout could not be written, said at the end.
    failure: Option<io::Error>,
}

impl Out {
    pub(crate) fn new(form: Form, terminal: Terminal) -> Self {
        Self { form, terminal, stdout: Vec::new(), kept: Vec::new(), failure: None }
    }

    /// Columns of the terminal; absent when stdout is none, and then nothing is shortened.
    pub(crate) fn columns(&self) -> Option<usize> {
        self.terminal.columns
    }

    /// Text with a colour on a terminal that has colours. The text is escaped first.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        style.paint(&escape_control(text), self.terminal.stdout_colour).into_owned()
    }

    /// Text on one line, with control characters made visible.
    pub(crate) fn escaped(&self, text: &str) -> String {
        self.paint(Style::Plain, text)
    }

    /// A line made by this program from parts that went through [`Out::paint`] or [`escape_control`].
    pub(crate) fn line(&mut self, text: &str) {
        self.stdout.extend_from_slice(text.as_bytes());
        self.stdout.push(b'\n');
    }

    /// A text of several lines from a file: control characters other than line ends and tabs are made visible.
    pub(crate) fn text(&mut self, text: &str) {
        self.stdout.extend_from_slice(escape_control_lines(text).as_bytes());
    }

    /// A text of several lines from a file, two columns further in than what this program says itself, so that nothing in it
    /// passes for that; on a terminal also where a line is too long for it.
    pub(crate) fn indented(&mut self, text: &str) {
        let text = indent::indented(&escape_control_lines(text), self.columns());
        self.stdout.extend_from_slice(text.as_bytes());
    }

    /// Bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.stdout.extend_from_slice(bytes);
    }

    /// Writes what was gathered when it is much: more of a large result follows.
    pub(crate) fn flow(&mut self) {
        if self.stdout.len() >= STREAM_BYTES {
            self.flush();
        }
    }

    /// Whether stdout takes no more, so that further work for it is in vain.
    pub(crate) fn is_broken(&self) -> bool {
        self.failure.is_some()
    }

    /// For work that may take a while, such as reading a file of gigabytes.
    pub(crate) fn progress(&self) -> Progress {
        Progress::new(self.terminal.stderr && self.form == Form::Text)
    }

    /// One JSON value: indented on a terminal, on one line otherwise. A large one is written as it is made.
    ///
    /// # Errors
    ///
    /// The value cannot be written as JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        let indented = self.terminal.columns.is_some();
        json::write(value, indented, Streamed(self)).map_err(|error| no_json(&error))?;
        self.line("");
        Ok(())
    }

    /// A part of what [`Out::json`] prints.
    ///
    /// # Errors
    ///
    /// As [`Out::json`].
    pub(crate) fn json_text(&self, value: &impl Serialize) -> Result<String, CliError> {
        let indented = self.terminal.columns.is_some();
        json::to_string(value, indented).map_err(|error| no_json(&error))
    }

    /// Says on stderr what the caller should know although the command goes on.
    pub(crate) fn warn(&mut self, warning: &CliError) {
        match self.form {
            Form::Text => {
                self.flush();
                write_stderr(&warning.to_text(&self.label(Style::Yellow, "warning:")));
            }
            Form::Json => {
                self.flush();
                write_stderr_json(&warning.to_wire_warning());
            }
            Form::Hook => self.kept.push(warning.clone()),
        }
    }

    /// The warnings that were not printed, and none of them a second time.
    pub(crate) fn take_warnings(&mut self) -> Vec<CliError> {
        std::mem::take(&mut self.kept)
    }

    /// Says on stderr why nothing was printed, for people only: JSON says it in its value.
    pub(crate) fn note(&mut self, text: &str) {
        if self.form == Form::Text {
            self.flush();
            write_stderr(&format!(
                "{} {}\n",
                self.label(Style::Dim, "note:"),
                escape_control(text)
            ));
        }
    }

    /// Says on stderr what ended the command.
    pub(crate) fn error(&self, error: &CliError) {
        match self.form {
            Form::Text => write_stderr(&error.to_text(&self.label(Style::Red, "error:"))),
            Form::Json => write_stderr_json(&error.to_wire_error()),
            Form::Hook => {}
        }
    }

    fn label(&self, style: Style, text: &str) -> String {
        style.paint(text, self.terminal.stderr_colour).into_owned()
    }

    fn flush(&mut self) {
        if self.stdout.is_empty() {
            return;
        }
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(&self.stdout).and_then(|()| stdout.flush());
        self.stdout.clear();
        self.failure = self.failure.take().or(written.err());
    }

    /// Writes what was gathered and tells whether it was taken: for who must know that it got there.
    pub(crate) fn deliver(&mut self) -> bool {
        self.flush();
        self.failure.is_none()
    }

    /// Writes what was gathered. A reader that closed the pipe early is no error.
    ///
    /// # Errors
    ///
    /// Stdout cannot be written, for example because its disk is full.
    pub(crate) fn finish(&mut self) -> Result<(), CliError> {
        self.flush();
        match self.failure.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(CliError::io("stdout cannot be written", &error))
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// Takes a result of any size in parts.
struct Streamed<'a>(&'a mut Out);

impl Write for Streamed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.raw(bytes);
        self.0.flow();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn no_json(error: &serde_json::Error) -> CliError {
    CliError::io("the result cannot be written as JSON", error)
}

/// Says on stderr what is wrong with a command line. It repeats what was typed, which may have been pasted.
pub(crate) fn usage(text: &str) {
    if env::wants_json() {
        Out::new(Form::Json, Terminal::default()).error(&CliError::of_command_line(text));
    } else {
        write_stderr(&escape_control_lines(text));
    }
}

fn write_stderr(text: &str) {
    // Where stderr is closed nobody is left to be told.
    drop(io::stderr().lock().write_all(text.as_bytes()));
}

fn write_stderr_json(value: &impl Serialize) {
    if let Ok(text) = json::to_string(value, false) {
        write_stderr(&(text + "\n"));
    }
}
