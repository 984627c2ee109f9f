//! Bash's two kinds of array.
use std::collections::BTreeMap;

/// An indexed array: sparse, in order of its indices.
pub type Array = BTreeMap<u64, String>;

/// An associative array. It lists its keys in the order that bash's own hash table does, since scripts print that.
///
/// Source of the order: bash 5.2 `hashlib.c` (FNV-1 over the bytes; 1024 buckets walked upwards, newest entry of a
/// bucket first; the table grows fourfold once it holds twice as many entries as buckets).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assoc {
    entries: BTreeMap<String, (String, u64)>,
    added: u64,
}

impl Assoc {
    const BUCKETS: usize = 1024;

    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.get(key).map(|(value, _)| value.as_str())
    }

    /// Set `key` to `value`; a new key is the newest of its bucket.
    pub fn insert(&mut self, key: String, value: String) {
        self.added += 1;
        let added = self.added;
        self.entries.entry(key).and_modify(|entry| entry.0.clone_from(&value)).or_insert((value, added));
    }

    /// Forget `key`.
    pub fn remove(&mut self, key: &str) {
        self.entries.remove(key);
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Keys and values in bash's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut buckets = Assoc::BUCKETS;
        while self.entries.len() >= buckets * 2 {
            buckets *= 4;
        }
        let mut order: Vec<(usize, std::cmp::Reverse<u64>, &str, &str)> = self
            .entries
            .iter()
            .map(|(key, (value, added))| {
                (hash(key) as usize & (buckets - 1), std::cmp::Reverse(*added), key.as_str(), value.as_str())
            })
            .collect();
        order.sort_unstable();
        order.into_iter().map(|(_, _, key, value)| (key, value))
    }
}

fn hash(key: &str) -> u32 {
    key.bytes().fold(2_166_136_261, |hash: u32, byte| hash.wrapping_mul(16_777_619) ^ u32::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_in_the_order_of_bash() {
        // declare -A m=([one]=1 [two]=2 [three]=3 [four]=4); echo "${!m[@]}" under bash 5.2
        let mut map = Assoc::default();
        for key in ["one", "two", "three", "four"] {
            map.insert(key.to_string(), String::new());
        }
        let keys: Vec<&str> = map.iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["four", "two", "three", "one"]);
    }
}
