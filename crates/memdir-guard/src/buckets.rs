//! Numbers by a hash of what they stand for; made in one pass, which is why it is no map.

/// Numbers from 0 up in buckets.
#[derive(Debug)]
pub(crate) struct Buckets {
    /// Where each bucket begins in `entries`, and the end of the last.
    starts: Vec<u32>,
    /// A hash and a number.
    entries: Vec<(u32, u32)>,
}

/// A power of two, well over the number of words that are looked for.
const BUCKETS: u32 = 4096;

impl Buckets {
    /// Puts the numbers from 0 up into the buckets of their keys, those of one key in ascending order.
    pub(crate) fn new<'a>(keys: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut entries: Vec<_> = keys.zip(0..).map(|(key, number)| (hash(key), number)).collect();
        entries.sort_unstable_by_key(|(hash, number)| (bucket(*hash), *hash, *number));
        let start = |wanted: u32| entries.partition_point(|(hash, _)| bucket(*hash) < wanted);
        let starts = (0..=BUCKETS).map(start).map(|start| u32::try_from(start).unwrap_or(u32::MAX));
        Self { starts: starts.collect(), entries }
    }

    /// The numbers whose key has the hash of this one; hardly ever is it another key.
    pub(crate) fn of(&self, key: &[u8]) -> impl Iterator<Item = usize> {
        let wanted = hash(key);
        let bucket = bucket(wanted) as usize;
        let range = self.starts.get(bucket).zip(self.starts.get(bucket + 1));
        let entries =
            range.and_then(|(start, end)| self.entries.get(*start as usize..*end as usize));
        let same = entries.unwrap_or_default().iter().filter(move |(hash, _)| *hash == wanted);
        same.map(|(_, number)| *number as usize)
    }
}

/// FNV-1a.
fn hash(key: &[u8]) -> u32 {
    key.iter().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

fn bucket(hash: u32) -> u32 {
    (hash ^ (hash >> 16)) & (BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_the_bucket_of_its_key() {
        let keys: Vec<String> = (0..10_000).map(|number| format!("key{}", number / 2)).collect();
        let buckets = Buckets::new(keys.iter().map(String::as_bytes));
        for (number, key) in keys.iter().enumerate() {
            assert!(buckets.of(key.as_bytes()).any(|found| found == number), "{key}");
        }
        assert_eq!(Buckets::new(std::iter::empty()).of(b"key").count(), 0);
    }
}
