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
    if total == 0 {
        return 0.0;
    }
    let alike = |count: &u32| f64::from(*count) * log2(*count) / f64::from(total);
    log2(total) - counts.iter().filter(|count| **count > 1).map(alike).sum::<f64>()
}

/// The binary logarithm of a whole number above 0, exact for powers of two.
///
/// By hand: with the one of the system a program that never looks for secrets loads a library for it at its start.
fn log2(number: u32) -> f64 {
    let whole = number.ilog2();
    let mut rest = f64::from(number) / f64::from(1_u32 << whole);
    let mut log = f64::from(whole);
    let mut bit = 0.5;
    // Squaring doubles the logarithm of what is left, so its bits come out one by one.
    for _ in 0..40 {
        rest *= rest;
        if rest >= 2.0 {
            rest /= 2.0;
            log += bit;
        }
        bit /= 2.0;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::{bits_a_byte, log2};

    #[test]
    fn counts_how_even_the_bytes_are() {
        for (text, bits) in
            [("", 0.0), ("aaaa", 0.0), ("abab", 1.0), ("abcd", 2.0), ("aaab", 0.811_278)]
        {
            assert!((bits_a_byte(text.as_bytes()) - bits).abs() < 1e-6, "{text}");
        }
    }

    #[test]
    fn logarithms_are_those_of_the_system() {
        for number in (1..3000).chain([1 << 31, u32::MAX]) {
            assert!((log2(number) - f64::from(number).log2()).abs() < 1e-11, "{number}");
        }
    }
}
