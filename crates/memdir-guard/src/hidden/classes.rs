//! Classes of characters.

use crate::Hidden;

/// The class of a character that shows as nothing: the Unicode property `Default_Ignorable_Code_Point`, the marks of
/// interlinear annotations, control characters but tabs and what ends lines and pages, and none for all else. A carriage
/// return is a control; [`ends_line`] tells the one that is needed.
pub(crate) fn class(c: char) -> Option<Hidden> {
    // Most text is below the first of the others.
    if c < '\u{AD}' {
        return (c.is_control() && !matches!(c, '\t' | '\n' | '\u{C}')).then_some(Hidden::Controls);
    }
    match c {
        '\u{E0000}'..='\u{E007F}' => Some(Hidden::Tags),
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            Some(Hidden::Bidi)
        }
        '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' => Some(Hidden::ZeroWidth),
        '\u{180B}'..='\u{180D}'
        | '\u{180F}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{E0100}'..='\u{E01EF}' => Some(Hidden::VariationSelectors),
        '\u{AD}'
        | '\u{34F}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180E}'
        | '\u{2061}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0080}'..='\u{E00FF}'
        | '\u{E01F0}'..='\u{E0FFF}' => Some(Hidden::Ignorable),
        _ => None,
    }
}

/// Whether `c` is a carriage return that belongs to a line end, given what follows it.
pub(crate) fn ends_line(c: char, after: Option<char>) -> bool {
    c == '\r' && matches!(after, None | Some('\r' | '\n'))
}

/// Symbols that come as text and as emoji, and emoji.
pub(super) fn is_symbol(c: char) -> bool {
    matches!(c,
        '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
        | '\u{1F000}'..='\u{1FAFF}')
}

/// Scripts whose letters change their shape at a joiner: the family of Arabic, and those that come from Brahmi.
pub(super) fn takes_joiners(c: char) -> bool {
    matches!(c,
        '\u{600}'..='\u{DFF}' | '\u{F00}'..='\u{109F}' | '\u{1700}'..='\u{18AF}'
        | '\u{1900}'..='\u{1CFF}' | '\u{A800}'..='\u{ABFF}' | '\u{FB50}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}' | '\u{10A00}'..='\u{10FFF}' | '\u{11000}'..='\u{11FFF}'
        | '\u{1E900}'..='\u{1E95F}')
}

/// Scripts without spaces between words, where a space without width says where a line may break.
pub(super) fn takes_break_spaces(c: char) -> bool {
    matches!(c,
        '\u{E00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1950}'..='\u{1AAF}'
        | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AADF}')
}

/// Letters that are written from right to left.
pub(super) fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{5D0}'..='\u{5F4}' | '\u{620}'..='\u{64A}' | '\u{66E}'..='\u{6D5}' | '\u{6EE}'..='\u{8C9}'
        | '\u{FB1D}'..='\u{FDFB}' | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}'
        | '\u{1E800}'..='\u{1EEFF}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Letters and signs of formulas.
fn is_mathematical(c: char) -> bool {
    matches!(c, '\u{2200}'..='\u{22FF}' | '\u{2A00}'..='\u{2AFF}' | '\u{1D400}'..='\u{1D7FF}')
}

/// Whether a selector can select something of the character before it.
pub(super) fn takes_selector(before: char, selector: char) -> bool {
    match selector {
        '\u{FE0E}' | '\u{FE0F}' => is_symbol(before) || matches!(before, '0'..='9' | '#' | '*'),
        '\u{FE00}'..='\u{FE02}' => {
            before == '0'
                || is_ideograph(before)
                || matches!(before,
                    '\u{2200}'..='\u{22FF}' | '\u{2A00}'..='\u{2AFF}' | '\u{1000}'..='\u{109F}'
                    | '\u{3000}'..='\u{303F}' | '\u{A840}'..='\u{A87F}' | '\u{AA60}'..='\u{AA7F}'
                    | '\u{FF00}'..='\u{FFEF}')
        }
        '\u{180B}'..='\u{180F}' => matches!(before, '\u{1800}'..='\u{18AF}'),
        '\u{E0100}'..='\u{E01EF}' => is_ideograph(before),
        _ => false,
    }
}

/// Whether writing needs the ignorable character between these two.
pub(super) fn takes_ignorable(before: Option<char>, c: char, after: Option<char>) -> bool {
    let near = |fits: fn(char) -> bool| before.is_some_and(fits) || after.is_some_and(fits);
    match c {
        // Says where a word may be parted.
        '\u{AD}' => {
            before.is_some_and(char::is_alphabetic) && after.is_some_and(char::is_alphabetic)
        }
        // Applies a function, multiplies, separates or adds in a formula.
        '\u{2061}' => near(is_mathematical) || after == Some('('),
        '\u{2062}'..='\u{2064}' => near(is_mathematical) || before.is_some_and(char::is_numeric),
        // Keeps Hebrew and Arabic points apart.
        '\u{34F}' => near(|c| matches!(c, '\u{300}'..='\u{36F}' | '\u{591}'..='\u{6FF}')),
        // Stand for a letter in syllables of Old Korean.
        '\u{115F}' | '\u{1160}' => near(
            |c| matches!(c, '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97F}' | '\u{D7B0}'..='\u{D7FF}'),
        ),
        '\u{17B4}' | '\u{17B5}' => near(|c| matches!(c, '\u{1780}'..='\u{17FF}')),
        '\u{180E}' => near(|c| matches!(c, '\u{1800}'..='\u{18AF}')),
        '\u{1BCA0}'..='\u{1BCA3}' => near(|c| matches!(c, '\u{1BC00}'..='\u{1BCAF}')),
        '\u{1D173}'..='\u{1D17A}' => near(|c| matches!(c, '\u{1D100}'..='\u{1D1FF}')),
        _ => false,
    }
}
