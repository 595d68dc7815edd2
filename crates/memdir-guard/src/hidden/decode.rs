//! What hidden characters say.

use crate::limits::{DECODED_BYTES, ZERO_WIDTH_BITS};
use crate::{Hidden, redact, secrets};

/// The text that a run of hidden characters carries; `None` where it carries none that can be read.
pub(super) fn decode(what: Hidden, run: &[(usize, char)]) -> Option<String> {
    let chars = run.iter().map(|(_, c)| *c);
    let text = match what {
        Hidden::Tags => chars.filter_map(tag).collect(),
        Hidden::VariationSelectors if run.len() > 1 => {
            let bytes: Vec<u8> = chars.filter_map(selector).collect();
            // A cut payload still shows what it begins with; bytes that are no text show as they are.
            String::from_utf8_lossy(&bytes).into_owned()
        }
        Hidden::ZeroWidth if run.len() >= ZERO_WIDTH_BITS => bits(chars)?,
        Hidden::ZeroWidth
        | Hidden::VariationSelectors
        | Hidden::Bidi
        | Hidden::Ignorable
        | Hidden::Controls => return None,
    };
    let text = redact(&text, &secrets(&text)).into_owned();
    let cut = (0..=DECODED_BYTES).rev().find(|at| text.is_char_boundary(*at))?;
    (!text.is_empty()).then(|| text.get(..cut).unwrap_or_default().to_owned())
}

/// The ASCII character that a tag mirrors; the two that only begin and end mirror none.
fn tag(c: char) -> Option<char> {
    let code = u32::from(c).checked_sub(0xE0000)?;
    u8::try_from(code).ok().filter(|byte| !matches!(byte, 0 | 1 | 0x7F)).map(char::from)
}

/// The byte that a selector stands for when each of the 256 stands for one.
fn selector(c: char) -> Option<u8> {
    let code = u32::from(c);
    let byte = match c {
        '\u{FE00}'..='\u{FE0F}' => code - 0xFE00,
        '\u{E0100}'..='\u{E01EF}' => code - 0xE0100 + 16,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

/// Reads two kinds of characters as bits, eight to a letter, either kind as the one.
fn bits(chars: impl Iterator<Item = char>) -> Option<String> {
    let chars: Vec<char> = chars.filter(|c| *c != '\u{2060}' && *c != '\u{FEFF}').collect();
    let zero = *chars.first()?;
    let one = *chars.iter().find(|c| **c != zero)?;
    if chars.iter().any(|c| *c != zero && *c != one) {
        return None;
    }
    [one, zero].into_iter().find_map(|one| {
        let letters = chars
            .chunks_exact(8)
            .map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit == one)));
        let bytes: Vec<u8> = letters.collect();
        String::from_utf8(bytes)
            .ok()
            .filter(|text| !text.is_empty() && !text.contains(char::is_control))
    })
}
