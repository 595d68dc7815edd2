//! Classes of characters.

/// Tells C0, DEL and C1 controls, and the two separators that some readers take for a line break.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Tells characters that render as nothing or reorder what is around them: the Unicode property
/// `Default_Ignorable_Code_Point`, which covers zero-width, bidi, variation, filler and tag characters,
/// and the interlinear annotation marks.
pub(crate) fn is_default_ignorable(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// Tells characters that composing normal forms leave alone as long as their neighbours are such too: ASCII, the common
/// ideographs, kana and Hangul syllables. A quick answer for most text; `false` says nothing.
pub(crate) fn is_stable(c: char) -> bool {
    c.is_ascii()
        || matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}'
            | '\u{30FC}' | '\u{AC00}'..='\u{D7A3}' | '\u{3400}'..='\u{4DBF}')
}

/// Yields each character with the answer to: must a reader be protected from it?
///
/// Controls are such; invisible characters are, except where writing needs them: one emoji or text selector after a
/// symbol, a joiner between two symbols, the few tags of a regional flag, a joiner or non-joiner between letters of the
/// scripts that use them.
pub(crate) fn with_danger(text: &str) -> impl Iterator<Item = (char, bool)> {
    let mut before = None;
    let mut flag_tags = 0;
    let mut rest = text.chars();
    std::iter::from_fn(move || {
        let c = rest.next()?;
        // Most text is this, and none of it depends on what is beside it.
        if matches!(c, ' '..='~') {
            (before, flag_tags) = (Some(c), 0);
            return Some((c, false));
        }
        let after = rest.clone().next();
        let is_tag = matches!(c, '\u{E0061}'..='\u{E007A}' | '\u{E007F}');
        flag_tags = match c {
            '🏴' => MAX_FLAG_TAGS,
            _ if is_tag && flag_tags > 0 => flag_tags - 1,
            _ => 0,
        };
        let needed = (is_tag && flag_tags > 0) || shapes(before, c, after);
        let danger = is_control(c) || (is_default_ignorable(c) && !needed);
        before = (!danger).then_some(c);
        Some((c, danger))
    })
}

/// England, Scotland and Wales take five tags and a closing one.
const MAX_FLAG_TAGS: i32 = 7;

fn shapes(before: Option<char>, c: char, after: Option<char>) -> bool {
    let (Some(before), after) = (before, after.unwrap_or(' ')) else { return false };
    match c {
        '\u{FE0E}' | '\u{FE0F}' => is_symbol(before) || matches!(before, '0'..='9' | '#' | '*'),
        '\u{200D}' if is_symbol(after) => is_symbol(before) || before == '\u{FE0F}',
        '\u{200C}' | '\u{200D}' => joins(before) && joins(after),
        _ => false,
    }
}

fn is_symbol(c: char) -> bool {
    matches!(c, '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
        | '\u{1F000}'..='\u{1FAFF}')
}

/// Arabic and the Indic scripts, where joiners change the shape of letters.
fn joins(c: char) -> bool {
    matches!(c, '\u{0600}'..='\u{06FF}' | '\u{0750}'..='\u{077F}' | '\u{08A0}'..='\u{0DFF}')
        && !is_default_ignorable(c)
}
