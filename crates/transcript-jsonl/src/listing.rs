//! What a list of sessions shows, from the ends of each file.

mod name;

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom};

pub use name::FileKind;

use crate::conversation::{is_command, without_injected};
use crate::entry::{Block, Entry};
use crate::envelope::Envelope;
use crate::id::Id;
use crate::kind::Kind;
use crate::limits;
use crate::line::Line;
use crate::note::Notes;
use crate::reader::Reader;

/// A session as a list shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outline {
    /// The session that most recently wrote to the file.
    pub session_id: Option<String>,
    /// The title that the user gave.
    pub custom_title: Option<String>,
    /// The title that a model made.
    pub ai_title: Option<String>,
    /// The title that an old client put at the head of the file, often that of another session.
    pub summary: Option<String>,
    /// What the user asked first: neither a command, nor written by the client, nor a result of a tool.
    pub first_prompt: Option<String>,
    /// What the user asked last.
    pub last_prompt: Option<String>,
    /// The first time written in the file, as written.
    pub started: Option<String>,
    /// The last time written in the file, as written.
    pub last_active: Option<String>,
    /// The folder in which the session began: its project, also where it went elsewhere later.
    pub started_in: Option<String>,
    /// The folder in which the session ran last.
    pub folder: Option<String>,
    /// The branch of the repository, last.
    pub git_branch: Option<String>,
    /// The client's version, last.
    pub version: Option<String>,
    /// The session that this one was copied from.
    pub forked_from: Option<String>,
    /// The first message. Copies of a session begin with the same one.
    pub first_message: Option<Id>,
    /// Messages of the main conversation that were seen.
    pub messages: u64,
    /// Entries of subagents that were seen.
    pub sidechain: u64,
    /// Whether the whole file was seen, so that the numbers are complete.
    pub complete: bool,
    /// Bytes of the file.
    pub bytes: u64,
    /// Whether the session can be resumed, or why not.
    pub standing: Resumable,
    /// What was odd about the ends of the file.
    pub notes: Notes,
}

/// Whether a file can be resumed as a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Resumable {
    /// It holds messages of a conversation.
    Yes,
    /// It holds nothing.
    #[default]
    Empty,
    /// It holds titles and no messages.
    TitlesOnly,
    /// It is the record of a subagent.
    SidechainOnly,
    /// It holds none of what sessions hold.
    NoMessages,
}

impl Outline {
    /// Looks at a file, reading at most [`limits::LISTING_BYTES`] at either end.
    ///
    /// # Errors
    ///
    /// Those of the source, such as that of a folder that is named like a session.
    pub fn read<R: Read + Seek>(source: &mut R) -> io::Result<Self> {
        const END: u64 = limits::LISTING_BYTES as u64;
        let bytes = source.seek(SeekFrom::End(0))?;
        let complete = bytes <= 2 * END;
        let mut outline = Self { complete, bytes, ..Self::default() };
        source.seek(SeekFrom::Start(0))?;
        let head = if complete { bytes } else { END };
        outline.add(
            source.by_ref().take(head),
            0,
            if complete { Edge::None } else { Edge::Cut },
        )?;
        if !complete {
            source.seek(SeekFrom::Start(bytes - END))?;
            outline.add(source.by_ref().take(END), bytes - END, Edge::Begun)?;
        }
        outline.standing = outline.judge();
        Ok(outline)
    }

    /// Returns the title to show: the user's, else a model's, else the first prompt, else an old summary.
    pub fn title(&self) -> Option<&str> {
        [&self.custom_title, &self.ai_title, &self.first_prompt, &self.summary]
            .into_iter()
            .find_map(|title| title.as_deref())
    }

    fn judge(&self) -> Resumable {
        if self.messages > 0 {
            Resumable::Yes
        } else if self.sidechain > 0 {
            Resumable::SidechainOnly
        } else if self.custom_title.is_some() || self.ai_title.is_some() || self.summary.is_some() {
            Resumable::TitlesOnly
        } else if self.bytes == 0 {
            Resumable::Empty
        } else {
            Resumable::NoMessages
        }
    }

    fn add(&mut self, part: impl Read, offset: u64, edge: Edge) -> io::Result<()> {
        let mut reader = Reader::new(part);
        while let Some(line) = reader.next_line()? {
            self.take(&line);
        }
        let length = reader.counts().bytes;
        for note in reader.take_notes().kept {
            let end_of_cut = edge == Edge::Cut && matches!(note.reason, crate::Reason::Torn { .. });
            // The first line of the end is a part of one, unless it happens to be whole.
            let start_of_begun = edge == Edge::Begun && note.offset == 0;
            if !end_of_cut && !start_of_begun && note.offset <= length {
                self.notes.add(offset + note.offset, note.reason);
            }
        }
        Ok(())
    }

    fn take(&mut self, line: &Line<'_>) {
        let envelope = &line.envelope;
        if let Some(time) = envelope.timestamp() {
            self.started.get_or_insert_with(|| time.to_string());
            self.last_active = Some(time.into_owned());
        }
        match envelope.kind() {
            Kind::User | Kind::Assistant => self.take_message(envelope),
            Kind::CustomTitle | Kind::AiTitle | Kind::Summary => {
                let title = Entry::of(envelope.bytes()).title().map(|title| shortened(&title.text));
                let to = match envelope.kind() {
                    Kind::CustomTitle => &mut self.custom_title,
                    Kind::AiTitle => &mut self.ai_title,
                    _ => &mut self.summary,
                };
                *to = title.or_else(|| to.take());
            }
            Kind::LastPrompt => {
                let entry = Entry::of(envelope.bytes());
                let prompt = entry.text("lastPrompt").and_then(|prompt| asked(&prompt));
                self.last_prompt = prompt.or_else(|| self.last_prompt.take());
            }
            _ => {}
        }
    }

    fn take_message(&mut self, envelope: &Envelope<'_>) {
        if envelope.is_sidechain() {
            self.sidechain += 1;
            return;
        }
        self.messages += 1;
        if self.first_message.is_none() {
            self.first_message = envelope.id();
        }
        let entry = Entry::of(envelope.bytes());
        for (to, field) in [
            (&mut self.session_id, "sessionId"),
            (&mut self.folder, "cwd"),
            (&mut self.git_branch, "gitBranch"),
            (&mut self.version, "version"),
        ] {
            *to = entry.text(field).map(Cow::into_owned).or_else(|| to.take());
        }
        if self.started_in.is_none() {
            self.started_in.clone_from(&self.folder);
        }
        let origin =
            entry.text("requestSessionId").filter(|id| Some(&**id) != self.session_id.as_deref());
        if let (None, Some(origin)) = (&self.forked_from, origin) {
            self.forked_from = Some(origin.into_owned());
        }
        let written_by_user = envelope.kind() == Kind::User
            && !envelope.is_meta()
            && !envelope.is_tool_result()
            && !envelope.is_compact_summary();
        let Some(message) = entry.message().filter(|_| written_by_user) else { return };
        let prompt = message.content.iter().find_map(|block| match block {
            Block::Text(text) => asked(text),
            _ => None,
        });
        if let Some(prompt) = prompt {
            self.first_prompt.get_or_insert_with(|| prompt.clone());
            self.last_prompt = Some(prompt);
        }
    }
}

/// Where a part of a file ends that does not hold all of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    None,
    Cut,
    Begun,
}

/// What a user asked, on one line; `None` for commands and for what the client wrote.
fn asked(text: &str) -> Option<String> {
    let text = without_injected(text);
    (!text.trim().is_empty() && !is_command(&text)).then(|| shortened(&text))
}

fn shortened(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > 4 * limits::TITLE_CHARS {
            break;
        }
    }
    line.chars().take(limits::TITLE_CHARS).collect()
}
