//! Numbers by a hash of what they stand for; made in one pass, which is why it is no map.

/// Buckets of numbers from 0 up.
#[derive(Debug)]
pub(crate) struct Buckets {
    /// Where each bucket begins in `numbers`, and the end of the last.
    starts: Vec<usize>,
    numbers: Vec<usize>,
}

/// A power of two, well over the number of words that are looked for.
const BUCKETS: usize = 4096;

impl Buckets {
    /// Puts the numbers from 0 up into the buckets of their keys, those of one bucket in ascending order.
    pub(crate) fn new<'a>(keys: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        let mut sorted: Vec<_> =
            keys.enumerate().map(|(number, key)| (bucket(key), number)).collect();
        sorted.sort_unstable();
        let mut starts = vec![0; BUCKETS + 1];
        for (bucket, _) in &sorted {
            if let Some(count) = starts.get_mut(bucket + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Self { starts, numbers: sorted.into_iter().map(|(_, number)| number).collect() }
    }

    /// The numbers of which the key may be this one.
    pub(crate) fn of(&self, key: &[u8]) -> &[usize] {
        let bucket = bucket(key);
        let range = self.starts.get(bucket).zip(self.starts.get(bucket + 1));
        range.and_then(|(start, end)| self.numbers.get(*start..*end)).unwrap_or_default()
    }
}

/// FNV-1a, folded to the number of buckets.
fn bucket(key: &[u8]) -> usize {
    let hash = key
        .iter()
        .fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 16)) as usize & (BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_the_bucket_of_its_key() {
        let keys: Vec<String> = (0..10_000).map(|number| format!("key{}", number / 2)).collect();
        let buckets = Buckets::new(keys.iter().map(String::as_bytes));
        for (number, key) in keys.iter().enumerate() {
            assert!(buckets.of(key.as_bytes()).contains(&number), "{key}");
        }
        assert_eq!(Buckets::new(std::iter::empty()).of(b"key"), [0; 0]);
    }
}
