//! What of a Markdown text is said: comments taken out, and the `@path` that stand in plain text found.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// A text as it is loaded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Read {
    /// Without block comments, trimmed.
    pub(crate) text: String,
    /// In order.
    pub(crate) mentions: Vec<Mention>,
}

/// An `@path` in plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    /// What stands behind the `@` up to a blank, `\ ` made a blank.
    pub(crate) token: String,
    /// Its line, counted from 1.
    pub(crate) line: usize,
}

/// Reads a text whose first line has this number.
pub(crate) fn read(body: &str, first_line: usize) -> Read {
    let marks = marks(body);
    Read { text: without(body, &marks.comments), mentions: mentions(body, &marks, first_line) }
}

#[derive(Debug, Default)]
struct Marks {
    /// Where plain text stands, in order; what adjoins is one.
    plain: Vec<Range<usize>>,
    /// Blocks that are comments, in order.
    comments: Vec<Range<usize>>,
}

fn marks(body: &str) -> Marks {
    let mut marks = Marks::default();
    if !body.contains(['@', '<']) {
        return marks;
    }
    let (mut in_code, mut items) = (false, 0_usize);
    let mut block: Option<Range<usize>> = None;
    for (event, range) in Parser::new(body).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Item) => items += 1,
            Event::End(TagEnd::Item) => items = items.saturating_sub(1),
            Event::Start(Tag::HtmlBlock) => block = Some(range),
            Event::End(TagEnd::HtmlBlock) => {
                if let Some(range) = block.take() {
                    marks.html(body, range, items == 0);
                }
            }
            Event::Text(_) if !in_code => marks.add_plain(range),
            _ => {}
        }
    }
    marks
}

impl Marks {
    fn add_plain(&mut self, range: Range<usize>) {
        match self.plain.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.plain.push(range),
        }
    }

    /// Takes a block of HTML: what is in comments is no text, the rest is, as people put rules between tags.
    /// The comments of a block that is cut are taken out; the client keeps those of list items.
    fn html(&mut self, body: &str, range: Range<usize>, is_cut: bool) {
        let block = body.get(range.clone()).unwrap_or_default();
        let is_comment = is_cut && block.trim_start().starts_with("<!--");
        let mut at = range.start;
        let mut rest = block;
        while let Some(open) = rest.find("<!--") {
            let (before, comment) = rest.split_at_checked(open).unwrap_or((rest, ""));
            self.add_plain(at..at + before.len());
            let Some(length) = comment.find("-->").map(|end| end + "-->".len()) else { return };
            let start = at + before.len();
            if is_comment {
                self.comments.push(start..start + length);
            }
            at = start + length;
            rest = comment.get(length..).unwrap_or_default();
        }
        self.add_plain(at..range.end);
    }
}

/// The text without these ranges. A line of which nothing is left goes with them, and so do the
/// empty lines behind it.
fn without(body: &str, comments: &[Range<usize>]) -> String {
    let mut text = String::with_capacity(body.len());
    let mut at = 0;
    for comment in comments {
        text.push_str(body.get(at..comment.start).unwrap_or_default());
        at = comment.end;
        let line_is_empty = text.is_empty() || text.ends_with('\n');
        let rest = body.get(at..).unwrap_or_default();
        if line_is_empty {
            at += rest.len() - rest.trim_start_matches('\n').len();
        }
    }
    text.push_str(body.get(at..).unwrap_or_default());
    text.trim().to_owned()
}

fn mentions(body: &str, marks: &Marks, first_line: usize) -> Vec<Mention> {
    let (mut mentions, mut line, mut counted) = (Vec::new(), first_line, 0);
    for range in &marks.plain {
        let plain = body.get(range.clone()).unwrap_or_default();
        for (at, _) in plain.match_indices('@') {
            let place = range.start + at;
            // Signs of emphasis are not seen.
            let before = body.get(..place).map(|before| before.trim_end_matches(['*', '_']));
            let before = before.and_then(|before| before.chars().next_back());
            let rest = plain.get(at + 1..).unwrap_or_default();
            if before.is_some_and(is_part_of_word) || !rest.starts_with(begins_path) {
                continue;
            }
            line += body.get(counted..place).unwrap_or_default().matches('\n').count();
            counted = place;
            mentions.push(Mention { token: token(rest), line });
        }
    }
    mentions
}

/// Whether an `@` behind it belongs to an address or a name.
fn is_part_of_word(before: char) -> bool {
    before.is_alphanumeric() || "@.-+%/\\=&#$`".contains(before)
}

fn begins_path(first: char) -> bool {
    first.is_alphanumeric() || "./~_-".contains(first)
}

/// What stands up to a blank that no backslash keeps.
fn token(rest: &str) -> String {
    let mut token = String::new();
    let mut chars = rest.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some(' ')) => {
                chars.next();
                token.push(' ');
            }
            (char, _) if char.is_whitespace() => break,
            (char, _) => token.push(char),
        }
    }
    token
}

/// What a token may name, the likeliest first: punctuation behind a path, and a fragment, are no part of it unless a file
/// has just that name.
pub(crate) fn candidates(token: &str) -> Vec<String> {
    /// How many signs may follow a path.
    const SIGNS: usize = 6;
    let mut candidates = vec![token.to_owned()];
    let mut rest = token;
    for _ in 0..SIGNS {
        let possessive = rest.strip_suffix("'s").or_else(|| rest.strip_suffix("’s"));
        let sign = |char: char| ".,:;!?)]}>\"'’”»*_`\\|。，、：；！？）】》」』".contains(char);
        match possessive.or_else(|| rest.strip_suffix(sign)) {
            Some(shorter) if !shorter.is_empty() => rest = shorter,
            _ => break,
        }
        candidates.push(rest.to_owned());
    }
    if let Some((path, _)) = token.split_once('#')
        && !path.is_empty()
    {
        candidates.push(path.to_owned());
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, text: &str, tokens: &[&str]) {
        let read = read(body, 1);
        let found: Vec<_> = read.mentions.iter().map(|mention| mention.token.as_str()).collect();
        assert_eq!((read.text.as_str(), found.as_slice()), (text, tokens), "{body}");
    }

    fn found(body: &str, tokens: &[&str]) {
        check(body, body, tokens);
    }

    #[test]
    fn paths_in_plain_text_are_found() {
        found("See @part.md: the flow", &["part.md:"]);
        found("(@part.md) and \"@b.md\"", &["part.md)", "b.md\""]);
        found("**@f.md** _@g_h.md_", &["f.md", "g_h.md"]);
        found("@a\\ b.md @~/x.md @/abs.md @./r.md", &["a b.md", "~/x.md", "/abs.md", "./r.md"]);
        found("- item\n  - @deep.md\n\n> @quoted.md", &["deep.md", "quoted.md"]);
        found("# @heading.md", &["heading.md"]);
        found("[see](x.md) [@in.md](y.md)", &["in.md"]);
        found("<important>\n@tagged.md\n</important>", &["tagged.md"]);
    }

    #[test]
    fn addresses_code_and_comments_hold_none() {
        found("mail a@b.md or a.b@c.md, user@@x", &[]);
        found("`@code.md` and ``@more.md``", &[]);
        found("```\n@fence.md\n```\n\n    @indented.md", &[]);
        found("~~~md\n@open.md", &[]);
        found("@ alone, @! and @", &[]);
        found("text <!-- @inline.md --> more", &[]);
        found("<https://x.y/@z.md>", &[]);
    }

    #[test]
    fn block_comments_are_taken_out() {
        check("a\n\n<!-- @no.md -->\n\nb", "a\n\nb", &[]);
        check("- <!-- kept @no.md -->\n- x", "- <!-- kept @no.md -->\n- x", &[]);
        check("<!-- one\n\ntwo -->\n# t", "# t", &[]);
        check("<!-- a --> rest @r.md\n", "rest @r.md", &["r.md"]);
        check("```\n<!-- kept -->\n```", "```\n<!-- kept -->\n```", &[]);
        check("x <!-- kept --> y", "x <!-- kept --> y", &[]);
        check("<!-- open\n@no.md", "<!-- open\n@no.md", &[]);
        check("<div><!-- kept --></div>", "<div><!-- kept --></div>", &[]);
    }

    #[test]
    fn lines_are_counted_from_the_first() {
        let lines = read("a\n@b.md\n\n@c.md", 4).mentions;
        assert_eq!(lines.iter().map(|mention| mention.line).collect::<Vec<_>>(), [5, 7]);
    }

    #[test]
    fn what_follows_a_path_is_no_part_of_it() {
        let last = |token: &str| candidates(token).pop().unwrap();
        assert_eq!(candidates("f.md"), ["f.md"]);
        assert_eq!(candidates("f.md).")[1..], ["f.md)", "f.md"]);
        assert_eq!(last("f.md's"), "f.md");
        assert_eq!(last("f.md#part,"), "f.md");
        assert_eq!(last("f.md**"), "f.md");
        assert_eq!(last("...."), ".");
    }
}
