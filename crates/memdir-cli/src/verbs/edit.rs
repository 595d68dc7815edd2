//! Changes of one memory that leave the rest of its file alone.

use clap::{ArgGroup, Args};
use memdir::Change;
use memdir::core::MemoryType;
use memdir::core::frontmatter::{Edit as Step, Field, Key, Origin};
use memdir::store::Revision;

use super::memory_type;
use super::save::{body_from_stdin, print, remember};
use crate::error::{CliError, Exit};
use crate::place::Session;

/// Change a memory, leaving every other line of its file as it is
///
/// The index line follows name and description. The file keeps its path.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("change").multiple(true).required(true)))]
pub(crate) struct Edit {
    /// Path, file name, name, number in `list`, or the beginning of one of these that fits only one memory
    memory: String,
    /// New name
    #[arg(long, group = "change")]
    name: Option<String>,
    /// New description
    #[arg(long, group = "change")]
    description: Option<String>,
    /// New type: user, feedback, project or reference
    #[arg(long = "type", value_name = "TYPE", value_parser = memory_type(), hide_possible_values = true, group = "change")]
    kind: Option<MemoryType>,
    /// New text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, group = "change")]
    body: Option<String>,
    /// Read the new text from stdin
    #[arg(long, conflicts_with = "body", group = "change")]
    body_stdin: bool,
    /// Set pinned (true, false), origin (user, agent, external), triggers, paths or supersedes (lists, between commas); an
    /// empty value removes the key; may be given again
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting, group = "change")]
    set: Vec<Setting>,
    /// Record that what it says was found true now
    #[arg(long, group = "change")]
    verified: bool,
    /// Change it only if its content still has this SHA-256, as printed by `show --json` and `save`
    #[arg(long, value_name = "SHA256")]
    expect: Option<Revision>,
    /// Why, for the log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Print path, action, bytes and SHA-256 as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What `--set KEY=VALUE` asks for.
#[derive(Debug, Clone)]
enum Setting {
    Remove(Key),
    Pinned(bool),
    Origin(Origin),
    Triggers(Vec<String>),
    Paths(Vec<String>),
    Supersedes(Vec<String>),
}

impl Setting {
    fn step(&self) -> Step<'_> {
        Step::Set(match self {
            Self::Remove(key) => return Step::Remove(*key),
            Self::Pinned(pinned) => Field::Pinned(*pinned),
            Self::Origin(origin) => Field::Origin(*origin),
            Self::Triggers(list) => Field::Triggers(list),
            Self::Paths(list) => Field::Paths(list),
            Self::Supersedes(list) => Field::Supersedes(list),
        })
    }
}

fn setting(text: &str) -> Result<Setting, String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    let keys = [Key::Pinned, Key::Origin, Key::Triggers, Key::Paths, Key::Supersedes];
    let known = keys.into_iter().find(|known| known.as_str() == key);
    let list = || {
        let items = value.split(',').map(str::trim).filter(|item| !item.is_empty());
        items.map(str::to_owned).collect()
    };
    Ok(match known {
        Some(key) if value.is_empty() => Setting::Remove(key),
        Some(Key::Pinned) => Setting::Pinned(value.parse().map_err(|_| "pinned is true or false")?),
        Some(Key::Origin) => {
            Setting::Origin(Origin::parse(value).ok_or("origin is user, agent or external")?)
        }
        Some(Key::Triggers) => Setting::Triggers(list()),
        Some(Key::Paths) => Setting::Paths(list()),
        Some(Key::Supersedes) => Setting::Supersedes(list()),
        Some(_) | None => {
            return Err("KEY is pinned, origin, triggers, paths or supersedes; name, description, type and body have options of their own".to_owned());
        }
    })
}

pub(crate) fn run(args: &Edit, session: &mut Session) -> Result<Exit, CliError> {
    let mut body = match (&args.body, args.body_stdin) {
        (Some(body), _) => Some(body.clone()),
        (None, true) => Some(body_from_stdin(&mut session.out)?),
        (None, false) => None,
    };
    // A text file ends with a line end, as in `save`.
    if let Some(body) = body.as_mut().filter(|body| !body.is_empty() && !body.ends_with('\n')) {
        body.push('\n');
    }
    let place = session.place()?;
    let memory = session.open_for(&place, &args.memory)?;
    let path = memory.find(&args.memory)?;
    let mut edits = Vec::new();
    edits.extend(args.name.as_deref().map(|name| Step::Set(Field::Name(name))));
    edits.extend(args.description.as_deref().map(|text| Step::Set(Field::Description(text))));
    edits.extend(args.kind.map(|kind| Step::Set(Field::Type(kind))));
    edits.extend(args.set.iter().map(Setting::step));
    if args.verified {
        edits.push(Step::Set(Field::LastVerified(session.world.now())));
    }
    edits.extend(body.as_deref().map(Step::Body));
    let mut change = Change::new(edits);
    change.expect = args.expect;
    change.reason = args.reason.as_deref();
    let saved = memory.edit(&path, &change)?;
    remember(&memory, &saved, session);
    print(&saved, session)
}
