//! What an operation makes of files and index lines, or why it makes nothing.

use std::collections::BTreeSet;

use memdir_core::MemPath;
use memdir_core::frontmatter::{Edit, Field, NewMemory, Origin, decode, edit, parse, render};
use memdir_core::name::file_name;
use memdir_core::text::fold;
use memdir_store::IndexOp;

use super::check::{Checked, check, check_file, kind, with_line_end};
use super::evidence::Support;
use super::{Judge, Made, Objection, Stop, suspicious};
use crate::digest::Digest;
use crate::place::place;
use crate::shown::shown;
use crate::snapshot::Known;
use crate::verdict::FileChange;
use crate::{Change, Draft, Given, Operation, Revised, Rule, check_rendered, index_op};

/// A memory that an operation is made of.
type Source<'a> = (MemPath, &'a Known);

impl<'a> Judge<'a> {
    pub(super) fn prepare(&self, operation: &Operation) -> Result<Made, Stop> {
        match &operation.change {
            Change::Create(draft) => self.create(operation, draft),
            Change::Update { path, revised } => self.update(operation, path, revised),
            Change::Merge { sources, into } => self.merge(operation, sources, into),
            Change::Split { source, into } => self.split(operation, source, into),
            Change::Supersede { old, by } => self.supersede(operation, old, by),
            Change::Delete { path } => self.delete(operation, path),
            Change::Index { path, .. } => {
                let types = self.snapshot.memory(&place(path)?).and_then(|known| known.fields.kind);
                let support = self.support(operation, &[], &[]);
                Ok(Made {
                    types: types.into_iter().collect(),
                    hold: support.hold,
                    ..Made::default()
                })
            }
            Change::Unread { fault } => Err(Objection::new(Rule::Shape, fault).into()),
        }
    }

    fn create(&self, operation: &Operation, draft: &Draft) -> Result<Made, Stop> {
        let checked = check(draft)?;
        if let Some(existing) = self.existing(&checked)? {
            let revised = Revised {
                description: Some(draft.description.clone()),
                body: Some(draft.body.clone()),
                ..Revised::default()
            };
            return self.update(operation, existing.as_str(), &revised);
        }
        if let Some(known) = Digest::of(&checked.body).and_then(|text| self.texts.get(&text)) {
            return Err(Stop::Known((*known).clone()));
        }
        let support = self.support(operation, &[&checked.body, checked.description], &[]);
        let mut made = Made { hold: support.hold.clone(), ..Made::default() };
        self.write(&mut made, &checked, &support, &[], &BTreeSet::new())?;
        Ok(made)
    }

    /// The memory that a new one would be: of the same type and name.
    fn existing(&self, draft: &Checked<'_>) -> Result<Option<MemPath>, Objection> {
        if let Some(path) = &draft.path
            && let Some(known) = self.snapshot.memory(path)
        {
            let name = known.fields.name.as_deref().unwrap_or_default();
            let is_same = fold(name) == fold(draft.name) && known.fields.kind == Some(draft.kind);
            let taken = || Objection::new(Rule::Name, format!("`{path}` is another memory"));
            return if is_same { Ok(Some(path.clone())) } else { Err(taken()) };
        }
        match self.named(draft) {
            [] => Ok(None),
            [path] => Ok(Some((*path).clone())),
            [one, other, ..] => {
                let reason = format!("`{one}` and `{other}` have this type and name; say which");
                Err(Objection::new(Rule::Name, reason))
            }
        }
    }

    fn named(&self, draft: &Checked<'_>) -> &[&'a MemPath] {
        let key = (Some(draft.kind), fold(draft.name).into_owned());
        self.names.get(&key).map_or(&[], Vec::as_slice)
    }

    fn update(&self, operation: &Operation, path: &str, revised: &Revised) -> Result<Made, Stop> {
        let (path, known) = self.source(path)?;
        let Some(before) = known.text() else {
            let reason = format!("`{path}` is not UTF-8, so it cannot be edited without loss");
            return Err(Objection::new(Rule::Missing, reason).into());
        };
        let name = revised.name.as_deref().map(str::trim);
        let description = revised.description.as_deref().map(str::trim);
        let kind = revised.kind.as_deref().map(kind).transpose()?;
        let body = revised.body.as_deref().map(with_line_end);
        let mut edits = Vec::new();
        edits.extend(name.map(|name| Edit::Set(Field::Name(name))));
        edits.extend(description.map(|text| Edit::Set(Field::Description(text))));
        edits.extend(kind.map(|kind| Edit::Set(Field::Type(kind))));
        let old_body = parse(before).body;
        let same_lines = |a: &str, b: &str| a.trim().lines().eq(b.trim().lines());
        let body = body.as_deref().filter(|body| !same_lines(body, old_body));
        edits.extend(body.map(Edit::Body));
        let fault = |fault| {
            Objection::new(Rule::Frontmatter, format!("`{path}` cannot be edited: {fault}"))
        };
        let edited = edit(before, &edits).map_err(fault)?;
        if edited == before {
            return Err(Stop::Known(path));
        }
        let says: Vec<&str> = body.into_iter().chain(description).collect();
        let support = self.support(operation, &says, &[known]);
        let mut dated = vec![Edit::Set(Field::Modified(self.terms.now))];
        let origin =
            super::evidence::further(known.fields.origin.unwrap_or(Origin::User), support.origin);
        dated.push(Edit::Set(Field::Origin(origin)));
        let after = edit(&edited, &dated).map_err(fault)?;
        check_file(&path, &after, Some(before))?;
        self.check_not_forgotten(&after, &kept(&[known]))?;
        let fields = parse(&after).fields;
        let types = known.fields.kind.into_iter().chain(fields.kind).collect();
        let line = index_op(&self.index, &path, Some(&known.fields), &fields, Given::default());
        let hold = support.hold.or_else(|| suspicious(&after, Some(before)));
        let files = vec![change(path, Some(known), Some(after))];
        Ok(Made { files, index: line.into_iter().collect(), types, hold })
    }

    fn merge(&self, operation: &Operation, sources: &[String], into: &Draft) -> Result<Made, Stop> {
        let sources = self.sources(sources)?;
        if sources.len() < 2 {
            return Err(Objection::new(Rule::Shape, "a merge needs two memories or more").into());
        }
        self.replace(operation, &sources, std::slice::from_ref(into))
    }

    fn split(&self, operation: &Operation, source: &str, into: &[Draft]) -> Result<Made, Stop> {
        if into.len() < 2 {
            return Err(Objection::new(Rule::Shape, "a split makes two memories or more").into());
        }
        self.replace(operation, &[self.source(source)?], into)
    }

    fn supersede(&self, operation: &Operation, old: &str, by: &Draft) -> Result<Made, Stop> {
        self.replace(operation, &[self.source(old)?], std::slice::from_ref(by))
    }

    fn delete(&self, operation: &Operation, path: &str) -> Result<Made, Stop> {
        let (path, known) = self.source(path)?;
        let support = self.support(operation, &[], &[known]);
        let index = vec![IndexOp::Remove { path: path.clone() }];
        let files = vec![change(path, Some(known), None)];
        let types = known.fields.kind.into_iter().collect();
        Ok(Made { files, index, types, hold: support.hold })
    }

    /// Memories take the place of others: those that none of them takes over go.
    fn replace(
        &self,
        operation: &Operation,
        sources: &[Source<'a>],
        into: &[Draft],
    ) -> Result<Made, Stop> {
        let drafts = into.iter().map(check).collect::<Result<Vec<_>, _>>()?;
        let known: Vec<&Known> = sources.iter().map(|(_, known)| *known).collect();
        let says: Vec<&str> =
            drafts.iter().flat_map(|draft| [&*draft.body, draft.description]).collect();
        let support = self.support(operation, &says, &known);
        let kinds = known.iter().filter_map(|known| known.fields.kind);
        let mut made =
            Made { types: kinds.collect(), hold: support.hold.clone(), ..Made::default() };
        let kept = kept(&known);
        for draft in &drafts {
            self.write(&mut made, draft, &support, sources, &kept)?;
        }
        for (path, known) in sources {
            if made.files.iter().all(|file| file.path != *path) {
                made.index.push(IndexOp::Remove { path: path.clone() });
                made.files.push(change(path.clone(), Some(known), None));
            }
        }
        Ok(made)
    }

    /// Adds the file of a draft, which may be that of a source, and its line.
    fn write(
        &self,
        made: &mut Made,
        draft: &Checked<'_>,
        support: &Support,
        sources: &[Source<'a>],
        kept: &BTreeSet<Digest>,
    ) -> Result<(), Stop> {
        let path = draft.path.clone().unwrap_or_else(|| file_name(Some(draft.kind), draft.name));
        let refuse = |rule, reason: String| Err(Stop::Refused(Objection::new(rule, reason)));
        let own = sources.iter().find(|(source, _)| *source == path).map(|(_, known)| *known);
        if made.files.iter().any(|file| file.path.twin_key() == path.twin_key()) {
            return refuse(Rule::Twice, format!("two of its memories have the path `{path}`"));
        }
        let twin = self.twins.get(&path.twin_key()).filter(|_| own.is_none());
        if let Some(twin) = twin {
            return refuse(Rule::Name, format!("`{path}` is taken by `{twin}`"));
        }
        if own.is_none() && self.snapshot.is_unreadable(&path) {
            return refuse(Rule::Name, format!("`{path}` is taken by what cannot be read"));
        }
        let is_source = |other: &MemPath| sources.iter().any(|(source, _)| source == other);
        if let Some(other) = self.named(draft).iter().find(|other| !is_source(other)) {
            return refuse(Rule::Name, format!("`{other}` has this type and name"));
        }
        if own.is_none()
            && let Some(why) = self.forgotten.forbids_new(&path, draft.name)
        {
            return refuse(Rule::Forgotten, why.to_owned());
        }
        let stems = sources.iter().filter(|(source, _)| *source != path);
        let replaced: Vec<String> = stems.map(|(source, known)| name_of(source, known)).collect();
        let before = own.and_then(Known::text);
        let after = match (own, before) {
            (Some(_), None) => {
                return refuse(
                    Rule::Missing,
                    format!("`{path}` is not UTF-8, so it cannot be edited"),
                );
            }
            (Some(_), Some(before)) => self.over(&path, before, draft, support, &replaced)?,
            (None, _) => self.render(draft, support, &replaced)?,
        };
        check_file(&path, &after, before)?;
        self.check_not_forgotten(&after, kept)?;
        let fields = parse(&after).fields;
        made.hold = made.hold.take().or_else(|| suspicious(&after, before));
        made.types.push(draft.kind);
        let old = own.map(|known| &known.fields);
        made.index.extend(index_op(&self.index, &path, old, &fields, Given::default()));
        made.files.push(change(path, own, Some(after)));
        Ok(())
    }

    fn render(
        &self,
        draft: &Checked<'_>,
        support: &Support,
        replaced: &[String],
    ) -> Result<String, Objection> {
        let mut new = NewMemory::new(draft.name, draft.description, Some(draft.kind), &draft.body);
        new.origin = Some(support.origin);
        new.origin_session = support.session.as_deref();
        new.modified = Some(self.terms.now);
        new.supersedes = replaced;
        let text = render(&new);
        let fault = |fault: crate::Unreadable| Objection::new(Rule::Frontmatter, fault.to_string());
        check_rendered(&text, &new).map_err(fault)?;
        Ok(text)
    }

    /// The text of a source that becomes the draft; what it holds besides stays.
    fn over(
        &self,
        path: &MemPath,
        before: &str,
        draft: &Checked<'_>,
        support: &Support,
        replaced: &[String],
    ) -> Result<String, Objection> {
        let old = parse(before).fields;
        let all: Vec<String> = old.supersedes.iter().chain(replaced).cloned().collect();
        let origin = super::evidence::further(old.origin.unwrap_or(Origin::User), support.origin);
        let mut edits = vec![
            Edit::Set(Field::Name(draft.name)),
            Edit::Set(Field::Description(draft.description)),
            Edit::Set(Field::Type(draft.kind)),
            Edit::Set(Field::Origin(origin)),
            Edit::Set(Field::Modified(self.terms.now)),
            Edit::Body(&draft.body),
        ];
        if !replaced.is_empty() {
            edits.push(Edit::Set(Field::Supersedes(&all)));
        }
        edit(before, &edits).map_err(|fault| {
            Objection::new(Rule::Frontmatter, format!("`{path}` cannot be edited: {fault}"))
        })
    }

    /// Finds a memory that an operation is about and may change.
    fn source(&self, text: &str) -> Result<Source<'a>, Objection> {
        let path = place(text)?;
        let Some(known) = self.snapshot.memory(&path) else {
            let why = match self.twins.get(&path.twin_key()) {
                Some(twin) => format!("there is no `{path}`, but `{twin}`"),
                None if self.snapshot.is_unreadable(&path) => format!("`{path}` cannot be read"),
                None => format!("there is no memory `{}`", shown(text)),
            };
            return Err(Objection::new(Rule::Missing, why));
        };
        if known.fields.pinned {
            let reason = format!("`{path}` is pinned, and only a person changes what is pinned");
            return Err(Objection::new(Rule::Pinned, reason));
        }
        Ok((path, known))
    }

    fn sources(&self, texts: &[String]) -> Result<Vec<Source<'a>>, Objection> {
        let mut sources: Vec<Source<'a>> = Vec::new();
        for text in texts {
            let source = self.source(text)?;
            if sources.iter().any(|(path, _)| *path == source.0) {
                let reason = format!("`{}` stands among its sources twice", source.0);
                return Err(Objection::new(Rule::Twice, reason));
            }
            sources.push(source);
        }
        Ok(sources)
    }

    fn check_not_forgotten(&self, text: &str, kept: &BTreeSet<Digest>) -> Result<(), Objection> {
        let parsed = parse(text);
        let described = parsed.fields.description.unwrap_or_default();
        let why = self.forgotten.forbids_text(parsed.body, kept);
        match why.or_else(|| self.forgotten.forbids_text(&described, kept)) {
            Some(why) => Err(Objection::new(Rule::Forgotten, why)),
            None => Ok(()),
        }
    }
}

/// What stands in memories already, as hashes.
fn kept(sources: &[&Known]) -> BTreeSet<Digest> {
    let mut kept = BTreeSet::new();
    for source in sources {
        let (body, described) = (source.body(), source.fields.description.as_deref());
        for text in [Some(&*body), described].into_iter().flatten() {
            kept.extend(Digest::of(text));
            kept.extend(Digest::of_lines(text));
        }
    }
    kept
}

fn change(path: MemPath, before: Option<&Known>, after: Option<String>) -> FileChange {
    let says = |text: &str| !parse(text).body.trim().is_empty();
    let said = before.is_some_and(|known| says(&decode(&known.bytes).0));
    let is_emptied = said && after.as_deref().is_some_and(|text| !says(text));
    FileChange {
        path,
        before: before.map(|known| (known.revision(), known.len())),
        after,
        is_emptied,
    }
}

fn name_of(path: &MemPath, known: &Known) -> String {
    known.fields.name.clone().unwrap_or_else(|| path.stem().to_owned())
}
