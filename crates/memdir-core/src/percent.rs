//! Percent-encoding, decoded only to see what a name would mean to others.

/// Decodes `%2e` and the like once; `None` if nothing in the text is encoded.
///
/// The bytes need not be UTF-8. A `%` that no two hexadecimal digits follow stands for itself.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    let mut found = false;
    while let Some((&first, after)) = rest.split_first() {
        let code = match after {
            [high, low, ..] if first == b'%' => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = code {
            bytes.push(high * 16 + low);
            rest = after.get(2..)?;
            found = true;
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    found.then_some(bytes)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
