//! How random a text is.

/// The Shannon entropy of the bytes, in bits a byte: 0 for one byte over and over, at most 8.
pub(super) fn bits_a_byte(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total: u32 = counts.iter().sum();
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / f64::from(total);
            -share * share.log2()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::bits_a_byte;

    #[test]
    fn counts_how_even_the_bytes_are() {
        for (text, bits) in
            [("", 0.0), ("aaaa", 0.0), ("abab", 1.0), ("abcd", 2.0), ("aaab", 0.811_278)]
        {
            assert!((bits_a_byte(text.as_bytes()) - bits).abs() < 1e-6, "{text}");
        }
    }
}
