//! Session transcripts made from a seed.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use super::{Dice, WORDS};

/// What to make.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Recipe {
    /// Bytes of the file, about.
    pub bytes: u64,
    /// Bytes between two compactions, about; the last one lies this far from the end.
    pub compaction: u64,
    /// Equal seeds give equal bytes.
    pub seed: u64,
}

impl Recipe {
    /// A session with a compaction every five megabytes.
    pub const fn of(megabytes: u64) -> Self {
        Self { bytes: megabytes * 1_000_000, compaction: 5_000_000, seed: 7 }
    }
}

/// What was made.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Made {
    /// Bytes of the file.
    pub bytes: u64,
    /// Lines of the file.
    pub lines: u64,
    /// Bytes from the last compaction on.
    pub tail: u64,
}

/// Writes a session: prompts, replies in blocks, results of tools, subagents, rewinds, snapshots, compactions.
pub fn write(path: &Path, recipe: Recipe) -> io::Result<Made> {
    let mut session = Session {
        out: BufWriter::with_capacity(1 << 20, File::create_new(path)?),
        dice: Dice(recipe.seed),
        words: WORDS.split_whitespace().collect(),
        made: Made::default(),
        line: String::new(),
        parent: None,
        earlier: Vec::new(),
        subagent: None,
    };
    let mut compact_at = (recipe.bytes - recipe.bytes.min(recipe.compaction)) % recipe.compaction;
    while session.made.bytes < recipe.bytes {
        if session.made.bytes >= compact_at && session.made.bytes > 0 {
            compact_at += recipe.compaction;
            session.compact()?;
        }
        session.exchange()?;
    }
    session.made.tail = session.made.bytes - session.made.tail;
    session.out.flush()?;
    Ok(session.made)
}

struct Session {
    out: BufWriter<File>,
    dice: Dice,
    words: Vec<&'static str>,
    made: Made,
    line: String,
    /// The uuid of the last entry of the conversation.
    parent: Option<String>,
    /// Entries that the user may go back to.
    earlier: Vec<String>,
    /// The last entry of a subagent while one runs.
    subagent: Option<String>,
}

const ID: &str = "5f0c9a52-7c6e-4d0b-9a53-2f6f0f4f7d11";

impl Session {
    /// One prompt or result, and the reply to it.
    fn exchange(&mut self) -> io::Result<()> {
        if self.dice.below(100) < 12 || self.parent.is_none() {
            let text = self.text(9);
            self.entry("user", &format!("{{\"role\":\"user\",\"content\":\"{text}\"}}"), "")?;
        } else {
            let doublings = if self.dice.below(100) < 2 { 13 } else { 11 };
            let text = self.text(doublings);
            let tool = self.dice.next();
            let message = format!(
                "{{\"role\":\"user\",\"content\":[{{\"tool_use_id\":\"toolu_{tool:x}\",\
                 \"type\":\"tool_result\",\"content\":\"{text}\"}}]}}"
            );
            let result = r#","toolUseResult":{"stdout":"","stderr":"","interrupted":false}"#;
            self.entry("user", &message, result)?;
        }
        let id = self.dice.next();
        for _ in 0..=self.dice.below(2) {
            let block = self.block();
            let message = format!(
                "{{\"id\":\"msg_{id:x}\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"a-model\",\
                 \"content\":[{block}],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":\
                 {{\"input_tokens\":7,\"cache_read_input_tokens\":90312,\"output_tokens\":411}}}}"
            );
            self.entry("assistant", &message, ",\"requestId\":\"req_011\"")?;
        }
        self.turn()
    }

    fn block(&mut self) -> String {
        let kind = self.dice.below(100);
        let text = self.text(9);
        match kind {
            0..45 => format!(
                "{{\"type\":\"tool_use\",\"id\":\"toolu_{:x}\",\"name\":\"Edit\",\"input\":\
                 {{\"file_path\":\"/home/u/src/proj/main.rs\",\"new_string\":\"{text}\"}}}}",
                self.dice.next(),
            ),
            45..60 => format!(
                "{{\"type\":\"thinking\",\"thinking\":\"{text}\",\"signature\":\"{}\"}}",
                format!("{:016x}", self.dice.next()).repeat(25),
            ),
            _ => format!("{{\"type\":\"text\",\"text\":\"{text}\"}}"),
        }
    }

    /// What may happen between two exchanges.
    fn turn(&mut self) -> io::Result<()> {
        let what = self.dice.below(1000);
        if self.subagent.is_some() {
            if what < 80 {
                self.subagent = None;
            }
            return Ok(());
        }
        let Some(parent) = self.parent.clone() else { return Ok(()) };
        match what {
            0..10 => self.subagent = Some(parent),
            10..14 if !self.earlier.is_empty() => {
                let back = usize::try_from(self.dice.below(40)).unwrap_or(0);
                let at = self.earlier.len().saturating_sub(1 + back);
                self.parent = self.earlier.get(at).cloned();
            }
            14..50 => {
                let name = self.dice.next();
                self.put(&format!(
                    "{{\"type\":\"file-history-snapshot\",\"messageId\":\"{parent}\",\"snapshot\":\
                     {{\"messageId\":\"{parent}\",\"trackedFileBackups\":{{\"src/main.rs\":{{\
                     \"backupFileName\":\"{name:016x}@v1\",\"version\":1,\
                     \"backupTime\":\"2026-03-01T10:00:00.000Z\"}}}},\
                     \"timestamp\":\"2026-03-01T10:00:00.000Z\"}},\"isSnapshotUpdate\":false}}"
                ))?;
            }
            _ => self.earlier.push(parent),
        }
        Ok(())
    }

    fn compact(&mut self) -> io::Result<()> {
        self.subagent = None;
        self.made.tail = self.made.bytes;
        let logical = self.parent.take().unwrap_or_default();
        let uuid = self.uuid();
        self.put(&format!(
            "{{\"parentUuid\":null,\"logicalParentUuid\":\"{logical}\",\"isSidechain\":false,\
             \"type\":\"system\",\"subtype\":\"compact_boundary\",\"content\":\"Conversation compacted\",\
             \"uuid\":\"{uuid}\",\"compactMetadata\":{{\"trigger\":\"auto\",\"preTokens\":150000}}}}"
        ))?;
        self.parent = Some(uuid);
        self.earlier.clear();
        let text = self.text(10);
        let message = format!("{{\"role\":\"user\",\"content\":\"{text}\"}}");
        self.entry("user", &message, ",\"isCompactSummary\":true")
    }

    fn entry(&mut self, kind: &str, message: &str, more: &str) -> io::Result<()> {
        let uuid = self.uuid();
        let parent = self.subagent.as_ref().or(self.parent.as_ref());
        let parent = parent.map_or_else(|| "null".to_owned(), |parent| format!("\"{parent}\""));
        let side = self.subagent.is_some();
        self.put(&format!(
            "{{\"parentUuid\":{parent},\"isSidechain\":{side},\"userType\":\"external\",\
             \"cwd\":\"/home/u/src/proj\",\"sessionId\":\"{ID}\",\"version\":\"2.1.100\",\
             \"gitBranch\":\"main\",\"type\":\"{kind}\",\"message\":{message},\"uuid\":\"{uuid}\",\
             \"timestamp\":\"2026-03-01T10:00:00.000Z\"{more}}}"
        ))?;
        let last = if side { &mut self.subagent } else { &mut self.parent };
        *last = Some(uuid);
        Ok(())
    }

    fn put(&mut self, line: &str) -> io::Result<()> {
        self.line.clear();
        self.line.push_str(line);
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())?;
        self.made.bytes += self.line.len() as u64;
        self.made.lines += 1;
        Ok(())
    }

    fn uuid(&mut self) -> String {
        let (high, low) = (self.dice.next(), self.dice.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            low >> 52,
            low & 0xffff_ffff_ffff,
        )
    }

    /// Text as JSON has it, with line ends and quotes, of up to 30 bytes doubled some times.
    fn text(&mut self, doublings: u64) -> String {
        let wanted = 30 << self.dice.below(doublings);
        let mut text = String::with_capacity(wanted + 100);
        while text.len() < wanted {
            let (a, b) = (self.dice.word(&self.words), self.dice.word(&self.words));
            let written = match self.dice.below(4) {
                0 => write!(text, "    let {a} = {b}.{}()?;\\n", self.dice.word(&self.words)),
                1 => write!(
                    text,
                    "\\tif ({a} == \\\"{b}\\\") {{ return {}; }}\\n",
                    self.dice.below(99)
                ),
                2 => write!(text, "{:>5}→  {a} {b}\\n", self.dice.below(9999)),
                _ => write!(text, "{} {a} {b}\\n", self.dice.sentence(&self.words, 8)),
            };
            debug_assert!(written.is_ok(), "a String takes everything");
        }
        text
    }
}
