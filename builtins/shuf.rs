//! `shuf`: lines, words or numbers in a random order; the same order for the same `--random-source`.
use crate::{
    Builtin, Call, Error, FsError, Input, InputKind, Opt, Result, Status,
    args::{self, Order},
    curly, number, quoted_if_odd,
    records::Records,
};
use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    io::{Read, Write},
};

pub(crate) static SHUF: Builtin = Builtin {
    name: "shuf",
    synopsis: "[OPTION]... [FILE | -e ARG... | -i LO-HI]",
    about: "Write a random permutation of the input lines to standard output.",
    options: &[
        Opt::flag('e', &["echo"], "echo", "treat each ARG as an input line"),
        Opt::value('i', &["input-range"], "range", "LO-HI", "treat each number LO through HI as an input line"),
        Opt::value('n', &["head-count"], "count", "COUNT", "output at most COUNT lines"),
        Opt::value('o', &["output"], "output", "FILE", "write result to FILE instead of standard output"),
        Opt::value('0', &["random-source"], "source", "FILE", "get random bytes from FILE").long_only(),
        Opt::flag('r', &["repeat"], "repeat", "output lines can be repeated"),
        Opt::flag('z', &["zero-terminated"], "zero", "line delimiter is NUL, not newline"),
    ],
    trouble: Status(1),
    run,
};

/// What is shuffled: line `number` of it.
enum Lines {
    Texts(Vec<Vec<u8>>),
    /// From this number on, so many.
    Range(u64, u64),
}

impl Lines {
    fn len(&self) -> u64 {
        match self {
            Lines::Texts(texts) => texts.len() as u64,
            Lines::Range(_, count) => *count,
        }
    }

    fn write(&self, at: u64, out: &mut impl Write) -> Result<()> {
        match self {
            Lines::Texts(texts) => out.write_all(&texts[at as usize])?,
            Lines::Range(first, _) => write!(out, "{}", first + at)?,
        }
        Ok(())
    }
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let echo = parsed.has("echo");
    let zero = parsed.has("zero");
    let range = parsed.value("range").map(read_range).transpose()?;
    if echo && range.is_some() {
        return Err(Error::usage("cannot combine -e and -i options"));
    }
    let mut most = u64::MAX;
    for (_, value) in parsed.options.iter().filter(|(key, _)| *key == "count") {
        let text = value.as_deref().unwrap_or_default();
        match number::parse(text, "") {
            Ok(count) => most = most.min(count),
            Err(number::Malformed::Overflow) => {}
            Err(number::Malformed::Invalid) => {
                return Err(Error::failed(format!("invalid line count: {}", curly(text))));
            }
        }
    }
    let extra = if range.is_some() { parsed.operands.first() } else { parsed.operands.get(1) };
    if let Some(extra) = extra.filter(|_| !echo) {
        return Err(Error::usage(format!("extra operand {}", curly(extra))));
    }
    let mut random = Random::new(call, parsed.value("source"))?;
    let lines = match range {
        Some((first, count)) => Lines::Range(first, count),
        None if echo => Lines::Texts(parsed.operands.iter().map(|word| word.clone().into_bytes()).collect()),
        None if most == 0 => Lines::Texts(Vec::new()),
        None => {
            let repeats = parsed.has("repeat");
            let sample = (most < u64::MAX && !repeats).then_some((most, &mut random));
            read_lines(call, parsed.operands.first().map_or("-", String::as_str), zero, sample)?
        }
    };
    let mut out = match parsed.value("output") {
        None => call.stdout.clone(),
        Some(file) => call.create(file).map_err(|error| Error::failed(format!("{}: {error}", quoted_if_odd(file))))?,
    };
    let end = [if zero { 0 } else { b'\n' }];
    let count = lines.len();
    if parsed.has("repeat") {
        if count == 0 && most > 0 {
            return Err(Error::failed("no lines to repeat"));
        }
        for _ in 0..most {
            lines.write(random.below(count)?, &mut out)?;
            out.write_all(&end)?;
        }
    } else {
        // A shuffle from the front, of which only the places that have changed are kept.
        let mut moved: HashMap<u64, u64> = HashMap::new();
        for at in 0..most.min(count) {
            let other = at + random.below(count - at)?;
            let here = moved.remove(&at).unwrap_or(at);
            let chosen = if other == at { here } else { moved.insert(other, here).unwrap_or(other) };
            call.memory.take(if other == at { 0 } else { 4 * size_of::<u64>() })?;
            lines.write(chosen, &mut out)?;
            out.write_all(&end)?;
        }
    }
    out.flush()?;
    Ok(Status::OK)
}

/// `LO-HI`: the first number and how many there are.
fn read_range(text: &str) -> Result<(u64, u64)> {
    let wrong = |why: &str| Error::failed(format!("invalid input range: {}{why}", curly(text)));
    let (low, high) = text.split_once('-').ok_or_else(|| wrong(""))?;
    let read = |digits: &str| {
        number::parse(digits, "").map_err(|why| match why {
            number::Malformed::Overflow => Error::failed(format!("invalid input range: {}{why}", curly(digits))),
            number::Malformed::Invalid => wrong(""),
        })
    };
    let (low, high) = (read(low)?, read(high)?);
    match high.checked_sub(low) {
        Some(difference) => Ok((low, difference.saturating_add(1))),
        None if low == high.saturating_add(1) => Ok((low, 0)),
        None => Err(wrong("")),
    }
}

/// All lines of `file`; or, where `sample` asks for only so many of a stream whose length nobody knows, that many of
/// them, each as likely.
fn read_lines(call: &mut Call<'_>, file: &str, zero: bool, sample: Option<(u64, &mut Random)>) -> Result<Lines> {
    let opened = if file == "-" { Ok(call.stdin.clone()) } else { call.open(file) };
    let failed = |error: FsError| match error.kind {
        crate::ErrorKind::IsADirectory | crate::ErrorKind::Io(_) => Error::failed(format!("read error: {error}")),
        crate::ErrorKind::Stopped(stop) => stop.into(),
        _ => Error::failed(format!("{}: {error}", quoted_if_odd(file))),
    };
    let mut input = opened.map_err(failed)?;
    let mut sample = sample.filter(|_| input.kind() != InputKind::File);
    let mut records = Records::lines(zero);
    let mut texts: Vec<Vec<u8>> = Vec::new();
    let mut count = 0;
    loop {
        // Once the sample is full, the next line takes the place of one of it, or of none.
        let place = match &mut sample {
            Some((most, random)) if count >= *most => Some(random.below(count + 1)?),
            _ => None,
        };
        match records.next_bare(&mut input, &mut call.memory) {
            Ok(Some(line)) => {
                count += 1;
                let replaced = match place {
                    None => None,
                    Some(place) => match texts.get_mut(place as usize) {
                        Some(text) => Some(text),
                        None => continue,
                    },
                };
                let line = line.to_vec();
                match replaced {
                    None => {
                        call.memory.take(line.len() + size_of::<Vec<u8>>())?;
                        texts.push(line);
                    }
                    Some(text) => {
                        call.memory.take(line.len())?;
                        call.memory.give(text.len());
                        *text = line;
                    }
                }
            }
            Ok(None) => return Ok(Lines::Texts(texts)),
            Err(error) => return Err(failed(FsError::within(error)?)),
        }
    }
}

/// Random numbers, drawn from random bytes as gnulib's `randint` draws them.
struct Random {
    source: Option<(String, Input)>,
    /// What is left over of the bytes read so far: a number of at most `most`.
    number: u64,
    most: u64,
    state: u64,
}

impl Random {
    fn new(call: &Call<'_>, file: Option<&str>) -> Result<Random> {
        let source = match file {
            None => None,
            Some(file) => {
                let input =
                    call.open(file).map_err(|error| Error::failed(format!("{}: {error}", quoted_if_odd(file))))?;
                Some((file.to_string(), input))
            }
        };
        Ok(Random { source, number: 0, most: 0, state: RandomState::new().hash_one(0) })
    }

    fn byte(&mut self) -> Result<u8> {
        let Some((file, input)) = &mut self.source else {
            // SplitMix64
            self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            return Ok((mixed ^ mixed >> 31) as u8);
        };
        let mut byte = [0];
        match input.read(&mut byte)? {
            0 => Err(Error::failed(format!("{}: end of file", curly(file)))),
            _ => Ok(byte[0]),
        }
    }

    /// A number below `choices`, each as likely.
    fn below(&mut self, choices: u64) -> Result<u64> {
        let wanted = choices.saturating_sub(1);
        loop {
            if self.most < wanted {
                while self.most < wanted {
                    self.number = (self.number << 8).wrapping_add(u64::from(self.byte()?));
                    self.most = (self.most << 8).wrapping_add(255);
                }
            }
            if self.most == wanted {
                let number = self.number;
                (self.number, self.most) = (0, 0);
                return Ok(number);
            }
            let spare = self.most - wanted;
            let unusable = spare % choices;
            let reduced = self.number % choices;
            if self.number <= self.most - unusable {
                (self.number, self.most) = (self.number / choices, spare / choices);
                return Ok(reduced);
            }
            (self.number, self.most) = (reduced, unusable - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, run};
    use expect_test::expect;

    const SOURCE: &[(&str, &str)] = &[("random", "# Tideline docs\n\nSource of <https://docs.tideline.example>")];

    #[test]
    fn the_same_source_gives_the_same_order() {
        let (stdout, ..) = run(SOURCE, "shuf --random-source=random -i 1-10", b"");
        assert_eq!(String::from_utf8_lossy(&stdout).replace('\n', " "), "6 5 3 8 2 10 7 9 1 4 ");
    }

    #[test]
    fn every_line_comes_once() {
        let (stdout, ..) = run(&[], "shuf", b"a\nb\nc");
        let mut lines: Vec<&[u8]> = stdout.split_inclusive(|byte| *byte == b'\n').collect();
        lines.sort_unstable();
        assert_eq!(lines.concat(), b"a\nb\nc\n");
        check(
            &[],
            "shuf -i 5-5 -r -n 2",
            expect![[r#"
            5
            5
        "#]],
        );
        check(
            &[],
            "shuf -e -n 1 x x",
            expect![[r#"
            x
        "#]],
        );
    }

    #[test]
    fn wrong_words_are_named() {
        check(
            &[],
            "shuf -i 3-1",
            expect![[r#"
            [stderr]
            shuf: invalid input range: ‘3-1’
            [status 1]
        "#]],
        );
        check(
            &[],
            "shuf -e -r",
            expect![[r#"
            [stderr]
            shuf: no lines to repeat
            [status 1]
        "#]],
        );
    }
}
