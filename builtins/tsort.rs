//! `tsort`: an order in which every item comes after what must precede it. A loop is named and broken where GNU
//! breaks it, so that the rest still has its order.
use crate::{
    Builtin, Call, Error, FsError, Result, Status,
    args::{self, Order},
    curly, quoted_if_odd,
    records::Records,
};
use std::{
    collections::{BTreeMap, VecDeque},
    io::Write,
};

pub(crate) static TSORT: Builtin = Builtin {
    name: "tsort",
    synopsis: "[OPTION] [FILE]",
    about: "Write totally ordered list consistent with the partial ordering in FILE.",
    options: &[],
    trouble: Status(1),
    run,
};

/// The items, sorted by name, and what is still to be printed.
#[derive(Default)]
struct Graph {
    items: Vec<Item>,
    /// Where each name's item stands.
    sorted: BTreeMap<String, usize>,
}

#[derive(Default)]
struct Item {
    /// Items that must come after it, the relation read last first.
    after: Vec<usize>,
    /// Relations that still hold it back.
    before: usize,
    printed: bool,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if let Some(extra) = parsed.operands.get(1) {
        return Err(Error::usage(format!("extra operand {}", curly(extra))));
    }
    let file = parsed.operands.first().map_or("-", String::as_str);
    let mut graph = read(call, file)?;
    let names: Vec<String> = {
        let mut names = vec![String::new(); graph.items.len()];
        graph.sorted.iter().for_each(|(name, at)| names[*at].clone_from(name));
        names
    };
    let mut left = names.len();
    let mut status = Status::OK;
    loop {
        left -= graph.print_free(call, &names)?;
        if left == 0 {
            return Ok(status);
        }
        call.warn(format_args!("{}: input contains a loop:", quoted_if_odd(file)))?;
        status = Status::FAILURE;
        for at in graph.break_loop(call)? {
            call.warn(&names[at])?;
        }
    }
}

fn read(call: &mut Call<'_>, file: &str) -> Result<Graph> {
    let failed = |cause: FsError| Error::failed(format!("{}: {}", quoted_if_odd(file), cause));
    let mut input = if file == "-" { call.stdin.clone() } else { call.open(file).map_err(failed)? };
    let mut graph = Graph::default();
    let mut first: Option<usize> = None;
    let mut records = Records::lines(false);
    loop {
        let line = match records.next_bare(&mut input, &mut call.memory) {
            Ok(Some(line)) => String::from_utf8_lossy(line).into_owned(),
            Ok(None) => break,
            Err(error) => {
                let cause = FsError::within(error)?;
                return Err(Error::failed(format!("{}: read error: {cause}", quoted_if_odd(file))));
            }
        };
        for word in line.split([' ', '\t']).filter(|word| !word.is_empty()) {
            call.memory.take(word.len() + size_of::<(String, Item, usize)>())?;
            let item = graph.item(word);
            match first.take() {
                None => first = Some(item),
                Some(first) if first == item => {}
                Some(first) => {
                    graph.items[first].after.push(item);
                    graph.items[item].before += 1;
                }
            }
        }
    }
    if first.is_some() {
        return Err(Error::failed(format!("{}: input contains an odd number of tokens", quoted_if_odd(file))));
    }
    graph.items.iter_mut().for_each(|item| item.after.reverse());
    Ok(graph)
}

impl Graph {
    fn item(&mut self, name: &str) -> usize {
        if let Some(at) = self.sorted.get(name) {
            return *at;
        }
        self.items.push(Item::default());
        self.sorted.insert(name.to_string(), self.items.len() - 1);
        self.items.len() - 1
    }

    /// Print what nothing holds back, and what that sets free; gives how many items that were.
    fn print_free(&mut self, call: &mut Call<'_>, names: &[String]) -> Result<usize> {
        let is_free = |at: &usize| self.items[*at].before == 0 && !self.items[*at].printed;
        let mut free: VecDeque<usize> = self.sorted.values().copied().filter(is_free).collect();
        let mut count = 0;
        while let Some(at) = free.pop_front() {
            writeln!(call.stdout, "{}", names[at])?;
            self.items[at].printed = true;
            count += 1;
            for next in std::mem::take(&mut self.items[at].after) {
                self.items[next].before -= 1;
                if self.items[next].before == 0 {
                    free.push_back(next);
                }
            }
        }
        Ok(count)
    }

    /// Take one relation of a loop away, and give the items of that loop.
    ///
    /// The items are gone through in order of their names, again and again. The first that is held back begins a
    /// chain; each that must come before the chain's newest is put onto it; when that one is on it already, the chain
    /// from there is a loop.
    fn break_loop(&mut self, call: &Call<'_>) -> Result<Vec<usize>> {
        let mut chain: Vec<usize> = Vec::new();
        let order: Vec<usize> = self.sorted.values().copied().collect();
        loop {
            call.cancel.check()?;
            for &at in &order {
                if self.items[at].before == 0 {
                    continue;
                }
                let Some(&newest) = chain.last() else {
                    chain.push(at);
                    continue;
                };
                let Some(relation) = self.items[at].after.iter().position(|next| *next == newest) else { continue };
                // Nothing stands behind the chain's first, and so it is put on a second time before it is recognised.
                let Some(place) = chain.iter().skip(1).position(|item| *item == at) else {
                    chain.push(at);
                    continue;
                };
                self.items[at].after.remove(relation);
                self.items[newest].before -= 1;
                return Ok(chain[place + 1..].iter().rev().copied().collect());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    #[test]
    fn what_must_come_before_comes_before() {
        check_with_stdin(
            &[],
            "tsort",
            "shirt tie tie jacket\nshirt belt belt jacket\nsocks socks\n",
            expect![[r#"
            shirt
            socks
            belt
            tie
            jacket
        "#]],
        );
    }

    #[test]
    fn a_loop_is_named_and_broken() {
        check_with_stdin(
            &[],
            "tsort",
            "a b b c c a x y",
            expect![[r#"
            x
            y
            a
            b
            c
            [stderr]
            tsort: -: input contains a loop:
            tsort: a
            tsort: b
            tsort: c
            [status 1]
        "#]],
        );
    }

    #[test]
    fn wrong_input_is_named() {
        check(
            &[("f", "a b c")],
            "tsort f",
            expect![[r#"
            [stderr]
            tsort: f: input contains an odd number of tokens
            [status 1]
        "#]],
        );
        check(
            &[],
            "tsort a b",
            expect![[r#"
            [stderr]
            tsort: extra operand ‘b’
            Try 'tsort --help' for more information.
            [status 1]
        "#]],
        );
    }
}
