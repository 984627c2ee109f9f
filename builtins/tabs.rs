//! Tab stops, as `expand` and `unexpand` read them: `8`, `4,8,12`, `4,+8`, `4,/8`.
use crate::{Error, Result, curly};

/// Where the tab stops are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TabStops {
    stops: Vec<u64>,
    rest: Rest,
}

/// The stops after the last one that is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    None,
    /// At the multiples of this.
    Multiples(u64),
    /// So far from each other, from the last listed one on.
    Steps(u64),
}

impl TabStops {
    /// Read the lists of all `-t` options.
    pub(crate) fn parse(lists: &[String]) -> Result<TabStops> {
        let mut stops: Vec<u64> = Vec::new();
        let mut rest = Rest::None;
        let mut last_mark = None;
        for item in lists.iter().flat_map(|list| list.split([',', ' ', '\t'])).filter(|item| !item.is_empty()) {
            let digits = item.trim_start_matches(['/', '+']);
            let mark = item[..item.len() - digits.len()].chars().next_back();
            if let Some(odd) = digits.find(|c: char| !c.is_ascii_digit()) {
                let message = match &digits[odd..] {
                    odd if odd.starts_with(['/', '+']) => {
                        format!("{} specifier not at start of number: {}", curly(&odd[..1]), curly(odd))
                    }
                    odd => format!("tab size contains invalid character(s): {}", curly(odd)),
                };
                return Err(Error::failed(message));
            }
            let Ok(size) = digits.parse() else {
                return Err(Error::failed(format!("tab stop is too large {}", curly(digits))));
            };
            if let Some(mark) = last_mark {
                let message = format!("{} specifier only allowed with the last value", curly(mark));
                return Err(Error::failed(message));
            }
            match mark {
                Some('/') => (rest, last_mark) = (Rest::Multiples(size), Some("/")),
                Some(_) => (rest, last_mark) = (Rest::Steps(size), Some("+")),
                None => stops.push(size),
            }
        }
        if stops.contains(&0) {
            return Err(Error::failed("tab size cannot be 0"));
        }
        if stops.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Error::failed("tab sizes must be ascending"));
        }
        match (stops.as_slice(), rest) {
            ([], Rest::None) => rest = Rest::Multiples(8),
            ([only], Rest::None) => (rest, stops) = (Rest::Multiples(*only), Vec::new()),
            (_, Rest::Multiples(0) | Rest::Steps(0)) => rest = Rest::None,
            ([], Rest::Steps(step)) => rest = Rest::Multiples(step),
            _ => {}
        }
        Ok(TabStops { stops, rest })
    }

    /// The first stop after `column`; `None` beyond the last one.
    pub(crate) fn after(&self, column: u64) -> Option<u64> {
        let at = self.stops.partition_point(|stop| *stop <= column);
        if let Some(stop) = self.stops.get(at) {
            return Some(*stop);
        }
        match self.rest {
            Rest::None => None,
            Rest::Multiples(size) => Some(column + size - column % size),
            Rest::Steps(step) => {
                let last = self.stops.last().copied().unwrap_or(0);
                Some(column + step - (column - last) % step)
            }
        }
    }
}

/// `-NUM[,NUM]...` as `-t`; a digit in a word of flags is not taken for it.
pub(crate) fn modern(words: &[String]) -> Vec<String> {
    let is_list = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || c == ',')
    };
    words
        .iter()
        .map(|word| match word.strip_prefix('-') {
            Some(list) if is_list(list) => format!("-t{list}"),
            _ => word.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stops(list: &str) -> String {
        match TabStops::parse(&[list.to_string()]) {
            Err(error) => error.to_string(),
            Ok(tabs) => {
                let mut all = Vec::new();
                let mut column = 0;
                while let Some(stop) = tabs.after(column).filter(|_| all.len() < 5) {
                    all.push(stop.to_string());
                    column = stop;
                }
                all.join(" ")
            }
        }
    }

    #[test]
    fn lists_may_go_on() {
        assert_eq!(stops(""), "8 16 24 32 40");
        assert_eq!(stops("4"), "4 8 12 16 20");
        assert_eq!(stops("4,6"), "4 6");
        assert_eq!(stops("3,/8"), "3 8 16 24 32");
        assert_eq!(stops("3,+8"), "3 11 19 27 35");
    }

    #[test]
    fn wrong_lists_are_named() {
        assert_eq!(stops("0"), "tab size cannot be 0");
        assert_eq!(stops("4,2"), "tab sizes must be ascending");
        assert_eq!(stops("x"), "tab size contains invalid character(s): ‘x’");
        assert_eq!(stops("/4,8"), "‘/’ specifier only allowed with the last value");
    }
}
