//! YAML that somebody else has written, read with a bound on its depth: what is deeper than any document of people
//! would end the process where it is walked, not where it is read. What aliases repeat is bounded by the library.
use saphyr::{LoadableYamlNode, Yaml};
use saphyr_parser::{Event, Parser};

/// The most lists and maps within each other; as many as JSON's reader takes.
const DEPTH: usize = 128;

/// The documents of `text`, or what is wrong with it.
pub(crate) fn load(text: &str) -> Result<Vec<Yaml<'_>>, String> {
    let mut depth = 0usize;
    for event in Parser::new_from_str(text) {
        match event.map_err(|error| error.to_string())?.0 {
            Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
            Event::SequenceEnd | Event::MappingEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return Err(format!("more than {DEPTH} lists and maps are within each other"));
        }
    }
    Yaml::load_from_str(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_deep_is_refused_before_it_is_built() {
        let nested = |depth: usize| [format!("{}1{}", "[".repeat(depth), "]".repeat(depth)), "- ".repeat(depth) + "1"];
        assert!(nested(DEPTH).iter().all(|text| load(text).is_ok()));
        let deep = nested(DEPTH + 1).into_iter().chain(nested(20_000)).chain([format!("{}a", "? ".repeat(20_000))]);
        for text in deep {
            let error = load(&text).map(drop).unwrap_err();
            assert!(error.contains("within each other") || error.contains("recursion"), "{error}");
        }
    }

    #[test]
    fn aliases_that_multiply_are_refused() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_string();
        for n in 1..12 {
            let aliases = vec![format!("*a{}", n - 1); 10].join(", ");
            text += &format!("a{n}: &a{n} [{aliases}]\n");
        }
        assert!(load(&text).is_err());
    }
}
