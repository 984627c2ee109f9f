//! Lists of fields or positions, `1,3-5,7-`, as `cut` and `numfmt` take them.
use crate::{Error, Result, curly};

/// The numbers of a list, from 1.
#[derive(Clone, Debug)]
pub(crate) struct Ranges(Vec<(u64, u64)>);

/// What a list numbers; messages differ by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Fields,
    Positions,
}

impl Ranges {
    /// Read a list.
    pub(crate) fn parse(list: &str, unit: Unit) -> Result<Ranges> {
        let usage = |message: &str| Err(Error::usage(message));
        let mut ranges = Vec::new();
        for item in list.split([',', ' ', '\t']) {
            let zero = match unit {
                Unit::Fields => "fields are numbered from 1",
                Unit::Positions => "byte/character positions are numbered from 1",
            };
            let (first, last) = match item.split_once('-') {
                None => (number(item, unit)?, number(item, unit)?),
                Some(("", "")) => return usage("invalid range with no endpoint: -"),
                Some((_, last)) if last.contains('-') => {
                    return usage(match unit {
                        Unit::Fields => "invalid field range",
                        Unit::Positions => "invalid byte or character range",
                    });
                }
                Some((first, last)) => {
                    let first = if first.is_empty() { 1 } else { number(first, unit)? };
                    let last = if last.is_empty() { u64::MAX } else { number(last, unit)? };
                    if first == 0 {
                        return usage(zero);
                    }
                    if last < first {
                        return usage("invalid decreasing range");
                    }
                    (first, last)
                }
            };
            if first == 0 {
                return usage(zero);
            }
            ranges.push((first, last));
        }
        ranges.sort_unstable();
        let mut merged: Vec<(u64, u64)> = Vec::new();
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(before) if first <= before.1 => before.1 = before.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        Ok(Ranges(merged))
    }

    /// The numbers that are not in it.
    pub(crate) fn complement(&self) -> Ranges {
        let mut gaps = Vec::new();
        let mut next = 1;
        for &(first, last) in &self.0 {
            if first > next {
                gaps.push((next, first - 1));
            }
            next = last.saturating_add(1);
        }
        if next < u64::MAX {
            gaps.push((next, u64::MAX));
        }
        Ranges(gaps)
    }

    /// Whether it has `number`.
    pub(crate) fn contains(&self, number: u64) -> bool {
        let at = self.0.partition_point(|(_, last)| *last < number);
        self.0.get(at).is_some_and(|(first, _)| *first <= number)
    }

    /// First and last of each range, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().copied()
    }

    /// The largest number.
    pub(crate) fn last(&self) -> u64 {
        self.0.last().map_or(0, |(_, last)| *last)
    }
}

fn number(text: &str, unit: Unit) -> Result<u64> {
    let what = match unit {
        Unit::Fields => "field",
        Unit::Positions => "byte/character",
    };
    if text.is_empty() {
        return Ok(0);
    }
    if let Some(odd) = text.find(|c: char| !c.is_ascii_digit()) {
        let what = if unit == Unit::Fields { "field value" } else { "byte/character position" };
        return Err(Error::usage(format!("invalid {what} {}", curly(&text[odd..]))));
    }
    match text.parse() {
        Ok(u64::MAX) | Err(_) => {
            let what = if unit == Unit::Fields { "field number" } else { &format!("{what} offset") };
            Err(Error::usage(format!("{what} {} is too large", curly(text))))
        }
        Ok(number) => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str) -> String {
        match Ranges::parse(list, Unit::Fields) {
            Ok(ranges) => format!("{:?}", ranges.0).replace(&u64::MAX.to_string(), "end"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn lists_are_sorted_and_merged_where_they_overlap() {
        assert_eq!(read("3,1-2,2-4,7-"), "[(1, 4), (7, end)]");
        assert_eq!(read("-2 3"), "[(1, 2), (3, 3)]");
    }

    #[test]
    fn wrong_lists_are_named() {
        assert_eq!(read("0"), "fields are numbered from 1");
        assert_eq!(read("3-1"), "invalid decreasing range");
        assert_eq!(read("-"), "invalid range with no endpoint: -");
        assert_eq!(read("1-2-3"), "invalid field range");
        assert_eq!(read("1x"), "invalid field value ‘x’");
    }

    #[test]
    fn the_complement_has_the_rest() {
        let ranges = Ranges::parse("2,4-5", Unit::Fields).unwrap().complement();
        let kept: Vec<u64> = (1..8).filter(|number| ranges.contains(*number)).collect();
        assert_eq!(kept, [1, 3, 6, 7]);
    }
}
