//! What becomes of each byte.
use super::set::{self, Class, Part};
use crate::{Call, Error, Result};

/// A table for every byte.
pub(super) struct Plan {
    map: [u8; 256],
    delete: [bool; 256],
    squeeze: [bool; 256],
}

/// A longer repeat fills any set.
const ALL: usize = 256;

impl Plan {
    pub(super) fn new(
        call: &mut Call<'_>,
        strings: &[String],
        complement: bool,
        delete: bool,
        squeeze: bool,
        truncate: bool,
    ) -> Result<Plan> {
        let first = set::parse(call, &strings[0])?;
        let second = match strings.get(1) {
            Some(text) => Some(set::parse(call, text)?),
            None => None,
        };
        let translates = second.is_some() && !delete;
        check(&first, second.as_deref(), translates)?;
        let mut plan =
            Plan { map: std::array::from_fn(|byte| byte as u8), delete: [false; 256], squeeze: [false; 256] };
        let mut chosen = members(&first);
        if complement {
            chosen = chosen.map(|is| !is);
        }
        if delete {
            plan.delete = chosen;
        }
        match &second {
            Some(second) if translates => {
                match complement {
                    true => plan.map_complement(&first, &chosen, second, truncate)?,
                    false => plan.map_parts(&first, second, truncate)?,
                }
                if squeeze {
                    plan.squeeze = members(second);
                }
            }
            Some(second) => plan.squeeze = members(second),
            None if squeeze => plan.squeeze = chosen,
            None => {}
        }
        Ok(plan)
    }

    /// Change `bytes` onto `out`; `last` is the last byte written, for squeezing.
    pub(super) fn apply(&self, bytes: &[u8], last: &mut Option<u8>, out: &mut Vec<u8>) {
        for &byte in bytes {
            if self.delete[usize::from(byte)] {
                continue;
            }
            let byte = self.map[usize::from(byte)];
            if self.squeeze[usize::from(byte)] && *last == Some(byte) {
                continue;
            }
            *last = Some(byte);
            out.push(byte);
        }
    }

    fn map_parts(&mut self, first: &[Part], second: &[Part], truncate: bool) -> Result<()> {
        let from = expand(first, 0);
        let to = expand(second, from.len());
        if from.len() > to.len() && !truncate {
            check_padding(second)?;
        }
        let mut at = 0;
        while at < from.len() {
            let (byte, class) = from[at];
            let Some(&(target, target_class)) = to.get(at).or(to.last().filter(|_| !truncate)) else {
                break;
            };
            let target_class = target_class.filter(|_| at < to.len());
            match (class, target_class) {
                (Some(class), Some(target_class)) if is_case(class) => {
                    for (byte, target) in class.bytes().into_iter().zip(target_class.bytes()) {
                        self.map[usize::from(byte)] = target;
                    }
                    at += 26;
                }
                (_, Some(_)) => return Err(Error::failed("misaligned [:upper:] and/or [:lower:] construct")),
                _ => {
                    self.map[usize::from(byte)] = target;
                    at += 1;
                }
            }
        }
        Ok(())
    }

    fn map_complement(&mut self, first: &[Part], chosen: &[bool; 256], second: &[Part], truncate: bool) -> Result<()> {
        let from: Vec<usize> = (0..256).filter(|byte| chosen[*byte]).collect();
        let to = expand(second, from.len());
        if to.len() < from.len() && !truncate {
            check_padding(second)?;
        }
        let has_class = first.iter().any(|part| matches!(part, Part::Class(_)));
        if has_class && to.iter().any(|(byte, _)| Some(*byte) != to.first().map(|(byte, _)| *byte)) {
            return Err(Error::failed(
                "when translating with complemented character classes,\nstring2 must map all characters in the domain to one",
            ));
        }
        for (at, byte) in from.into_iter().enumerate() {
            if let Some((target, _)) = to.get(at).or(to.last().filter(|_| !truncate)) {
                self.map[byte] = *target;
            }
        }
        Ok(())
    }
}

fn is_case(class: Class) -> bool {
    matches!(class, Class::Lower | Class::Upper)
}

/// A short second string is filled up with its last byte, which must be one.
fn check_padding(second: &[Part]) -> Result<()> {
    match second.last() {
        None => Err(Error::failed("when not truncating set1, string2 must be non-empty")),
        Some(Part::Class(_)) => Err(Error::failed(
            "when translating with string1 longer than string2,\nthe latter string must not end with a character class",
        )),
        Some(_) => Ok(()),
    }
}

fn check(first: &[Part], second: Option<&[Part]>, translates: bool) -> Result<()> {
    let fills = |parts: &[Part]| parts.iter().filter(|part| matches!(part, Part::Repeat(_, 0))).count();
    if fills(first) > 0 {
        return Err(Error::failed("the [c*] repeat construct may not appear in string1"));
    }
    let Some(second) = second else {
        return Ok(());
    };
    if fills(second) > 1 {
        return Err(Error::failed("only one [c*] repeat construct may appear in string2"));
    }
    if !translates {
        return match fills(second) {
            0 => Ok(()),
            _ => Err(Error::failed("the [c*] construct may appear in string2 only when translating")),
        };
    }
    for part in second {
        match part {
            Part::Equivalent(_) => {
                return Err(Error::failed("[=c=] expressions may not appear in string2 when translating"));
            }
            Part::Class(class) if !is_case(*class) => {
                return Err(Error::failed(
                    "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'",
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The bytes of a string in order, `[c*]` filling up to `wanted`; a class stands with its first byte.
fn expand(parts: &[Part], wanted: usize) -> Vec<(u8, Option<Class>)> {
    let mut all = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Byte(byte) | Part::Equivalent(byte) => all.push((*byte, None)),
            Part::Range(first, last) => all.extend((*first..=*last).map(|byte| (byte, None))),
            Part::Class(class) => {
                let bytes = class.bytes().into_iter().enumerate();
                all.extend(bytes.map(|(at, byte)| (byte, (at == 0).then_some(*class))));
            }
            Part::Repeat(byte, 0) => {
                let rest = expand(&parts[at + 1..], 0).len();
                let count = wanted.saturating_sub(all.len() + rest);
                all.extend(std::iter::repeat_n((*byte, None), count));
            }
            Part::Repeat(byte, count) => {
                all.extend(std::iter::repeat_n((*byte, None), (*count).min(ALL * ALL)));
            }
        }
    }
    all
}

fn members(parts: &[Part]) -> [bool; 256] {
    let mut chosen = [false; 256];
    for (byte, _) in expand(parts, 1) {
        chosen[usize::from(byte)] = true;
    }
    for part in parts {
        if let Part::Repeat(byte, _) = part {
            chosen[usize::from(*byte)] = true;
        }
    }
    chosen
}
