//! Many edits of an index that is read once.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use super::{
    Action, Change, Entry,
    edit::neutral,
    line::{Parts, bullet, without_break},
    target,
};
use crate::MemPath;

/// An index under many edits: its text is read once, and then an edit takes about the same time however long it is.
///
/// Edits one after the other come to what [`upsert`](super::upsert), [`remove`](super::remove) and
/// [`restore_line`](super::restore_line) come to if each is given the text that the one before it made.
#[derive(Debug, Clone, Default)]
pub struct Editor<'a> {
    /// Every line with its line break, by its place; only the last may have none.
    lines: BTreeMap<Place, Cow<'a, str>>,
    /// The lines that point to memories, by what they point to.
    pointers: BTreeSet<(Box<str>, Place)>,
    /// The pointers that have a separator, by what it is.
    separators: BTreeMap<Box<str>, BTreeSet<Place>>,
    /// How many pointers have the same separator, and which of them is the first.
    ranks: BTreeSet<(usize, Place)>,
    /// The pointers that have a bullet.
    bullets: BTreeSet<Place>,
}

/// Orders the lines; those between two others can be replaced by more without a new place for every line below.
type Place = u128;

/// How far apart lines are put. A text has fewer than 2^64 lines, so there are places for all of them.
const STEP: Place = 1 << 64;

impl<'a> Editor<'a> {
    /// Reads an index.
    pub fn new(text: &'a str) -> Self {
        let mut editor = Self::default();
        for raw in text.split_inclusive('\n') {
            editor.push(Cow::Borrowed(raw));
        }
        editor
    }

    /// Says of a memory what the entry says: changes the first line that points to it, or appends one.
    ///
    /// Everything else stays byte for byte as it is; only where the last line had no line break, one is added before the
    /// new line. A changed line keeps its indent, bullet, target and separator. A new one takes bullet, separator and line
    /// break from the lines that there are, and ` — ` where there is none to follow.
    pub fn upsert(&mut self, entry: &Entry<'_>) -> Change {
        let hook = neutral(entry.hook);
        let title = [entry.title, entry.path.stem(), entry.path.file_name()]
            .into_iter()
            .map(neutral)
            .find(|title| !title.is_empty())
            .unwrap_or_default();
        let separator = if hook.is_empty() { "" } else { self.separator_in_use() };

        let place = self.places_of(entry.path).next();
        let Some((place, parts)) = place.and_then(|place| Some((place, self.parts(place)?))) else {
            let bullet = self.bullet_in_use();
            let target = target::encoded(entry.path);
            return self.append(format!("{bullet} [{title}]({target}){separator}{hook}"));
        };
        let Parts { pointer, head, middle } = parts;
        if pointer.title == title && pointer.hook == hook {
            return Change::none(Some(self.line(place)));
        }
        let separator = match pointer.separator {
            own if own.is_empty() || hook.is_empty() => separator,
            own => own,
        };
        let line = format!("{head}{title}{middle}{separator}{hook}");
        self.replace(place, line)
    }

    /// Takes out every line that points to the memory, with its line break.
    pub fn remove(&mut self, path: &MemPath) -> Change {
        let places: Vec<_> = self.places_of(path).collect();
        let removed: Vec<_> = places.into_iter().map(|place| self.take(place)).collect();
        if removed.is_empty() {
            return Change::none(None);
        }
        let lines: Vec<_> = removed.iter().map(|raw| without_break(raw)).collect();
        Change { action: Action::Removed, before: Some(lines.join("\n")), after: None }
    }

    /// Puts back what an earlier edit reported as `before`, or, for `None`, takes the memory's lines away.
    ///
    /// The first line that points to the memory becomes `line`; where there is none, `line` is appended. It may be
    /// several lines, joined by `\n`.
    pub fn restore_line(&mut self, path: &MemPath, line: Option<&str>) -> Change {
        let Some(line) = line else { return self.remove(path) };
        let line = line.split('\n').map(without_break).collect::<Vec<_>>().join("\n");
        let first = self.places_of(path).next();
        match first {
            Some(place) if self.line(place) == line => Change::none(Some(&line)),
            Some(place) => self.replace(place, line),
            None => self.append(line),
        }
    }

    /// Returns the text as all edits made it.
    pub fn finish(self) -> String {
        self.lines.into_values().collect()
    }

    fn replace(&mut self, place: Place, line: String) -> Change {
        let line_break = self.line_break_in_use();
        let raw = self.take(place);
        let before = without_break(&raw);
        let rest = raw.get(before.len()..).unwrap_or_default();
        // What ends in a carriage return may make another line break of the one behind it, so all is read anew.
        self.put(place, &(line.replace('\n', line_break) + rest));
        Change { action: Action::Updated, before: Some(before.to_owned()), after: Some(line) }
    }

    fn append(&mut self, line: String) -> Change {
        let line_break = self.line_break_in_use();
        if let Some((&last, raw)) = self.lines.last_key_value()
            && !raw.ends_with('\n')
        {
            // A carriage return at the end is half a line break already.
            let missing = if raw.ends_with('\r') { "\n" } else { line_break };
            let raw = self.take(last).into_owned() + missing;
            self.insert(last, raw.into());
        }
        let raw = line.replace('\n', line_break) + line_break;
        for raw in raw.split_inclusive('\n') {
            self.push(Cow::Owned(raw.to_owned()));
        }
        Change { action: Action::Added, before: None, after: Some(line) }
    }

    /// Puts lines where one was taken out.
    fn put(&mut self, place: Place, text: &str) {
        let count = text.split_inclusive('\n').map(|_| 1).sum::<Place>().max(1);
        let next = self.lines.range(place..).next().map(|(next, _)| *next);
        let step = (next.unwrap_or(place + count * STEP) - place) / count;
        let raws = text.split_inclusive('\n').map(|raw| Cow::Owned(raw.to_owned()));
        if step > 0 {
            let mut place = place;
            for raw in raws {
                self.insert(place, raw);
                place += step;
            }
            return;
        }
        // The places here are used up, which takes dozens of such edits at one spot: all lines get new ones.
        let below = self.lines.split_off(&place);
        let above = std::mem::take(self).lines;
        for raw in above.into_values().chain(raws).chain(below.into_values()) {
            self.push(raw);
        }
    }

    fn push(&mut self, raw: Cow<'a, str>) {
        let place = self.lines.last_key_value().map_or(0, |(last, _)| last + STEP);
        self.insert(place, raw);
    }

    fn insert(&mut self, place: Place, raw: Cow<'a, str>) {
        let line = without_break(&raw);
        if let Some(Parts { pointer, .. }) = Parts::of(line) {
            self.pointers.extend(target::key(pointer.target).map(|key| (key, place)));
            if bullet(line).is_some() {
                self.bullets.insert(place);
            }
            self.count(pointer.separator, |places| places.insert(place));
        }
        self.lines.insert(place, raw);
    }

    fn take(&mut self, place: Place) -> Cow<'a, str> {
        let raw = self.lines.remove(&place).unwrap_or_default();
        if let Some(Parts { pointer, .. }) = Parts::of(without_break(&raw)) {
            if let Some(key) = target::key(pointer.target) {
                self.pointers.remove(&(key, place));
            }
            self.bullets.remove(&place);
            self.count(pointer.separator, |places| places.remove(&place));
        }
        raw
    }

    /// Changes which pointers have a separator, and its rank with that.
    fn count(&mut self, separator: &str, change: impl FnOnce(&mut BTreeSet<Place>) -> bool) {
        if separator.is_empty() {
            return;
        }
        let places = match self.separators.get_mut(separator) {
            Some(places) => places,
            None => self.separators.entry(separator.into()).or_default(),
        };
        if let Some(first) = places.first() {
            self.ranks.remove(&(places.len(), *first));
        }
        change(places);
        match places.first() {
            Some(first) => {
                self.ranks.insert((places.len(), *first));
            }
            None => {
                self.separators.remove(separator);
            }
        }
    }

    /// Yields where lines point to a memory, in the order of the text.
    fn places_of(&self, path: &MemPath) -> impl Iterator<Item = Place> + use<'_> {
        let key: Box<str> = path.as_str().into();
        let from = self.pointers.range((key.clone(), 0)..);
        from.take_while(move |(of, _)| *of == key).map(|(_, place)| *place)
    }

    fn line(&self, place: Place) -> &str {
        self.lines.get(&place).map_or("", |raw| without_break(raw))
    }

    fn parts(&self, place: Place) -> Option<Parts<'_>> {
        Parts::of(self.line(place))
    }

    /// The line break of the last line that has one.
    fn line_break_in_use(&self) -> &'static str {
        match self.lines.values().rev().find(|raw| raw.ends_with('\n')) {
            Some(raw) if raw.ends_with("\r\n") => "\r\n",
            _ => "\n",
        }
    }

    /// The separator that most pointers have; of equals the one that appears last.
    fn separator_in_use(&self) -> &str {
        let first = self.ranks.last().and_then(|(_, first)| self.parts(*first));
        first.map_or(" — ", |parts| parts.pointer.separator)
    }

    /// The bullet of the last pointer that has one.
    fn bullet_in_use(&self) -> char {
        self.bullets.last().and_then(|place| bullet(self.line(*place))).unwrap_or('-')
    }
}
