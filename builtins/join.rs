//! `join`: the lines of two sorted files that have a field in common, side by side.
mod options;
mod side;

use crate::{Builtin, Call, Error, Result, Status};
use options::{Field, Options, Output};
use side::{Line, Side};
use std::{cmp::Ordering, io::Write};

pub(crate) static JOIN: Builtin = Builtin {
    name: "join",
    synopsis: "[OPTION]... FILE1 FILE2",
    about: "For each pair of input lines with identical join fields, write a line to standard output.",
    options: options::TABLE,
    trouble: Status(1),
    run,
};

/// Two files being joined.
struct Joiner<'a, 'b> {
    call: &'a mut Call<'b>,
    options: Options,
    sides: [Side; 2],
    unpaired: bool,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let (mut options, files) = options::read(call)?;
    let mut sides = [Side::open(call, &files[0], &options, 0)?, Side::open(call, &files[1], &options, 1)?];
    for side in &mut sides {
        side.advance(call, &options)?;
    }
    if let Output::Auto = options.output {
        options.output = Output::Fields(auto_fields(&options, &sides));
    }
    let mut joiner = Joiner { call, options, sides, unpaired: false };
    if joiner.options.header {
        joiner.header()?;
    }
    joiner.join()?;
    if joiner.sides.iter().any(|side| side.reported) {
        return Err(Error::failed("input is not in sorted order"));
    }
    Ok(Status::OK)
}

/// `-o auto`: as many fields as the first line of each file has.
fn auto_fields(options: &Options, sides: &[Side; 2]) -> Vec<Field> {
    let mut fields = vec![Field::Key];
    for (at, side) in sides.iter().enumerate() {
        let count = side.line.as_ref().map_or(0, |line| line.fields.len());
        fields.extend((0..count).filter(|field| *field != options.keys[at]).map(|field| Field::Of(at, field)));
    }
    fields
}

impl Joiner<'_, '_> {
    /// The first lines are headers: joined whatever they hold.
    fn header(&mut self) -> Result<()> {
        let lines = [self.sides[0].line.take(), self.sides[1].line.take()];
        if lines.iter().any(Option::is_some) {
            self.print([lines[0].as_ref(), lines[1].as_ref()])?;
        }
        for side in &mut self.sides {
            side.advance(self.call, &self.options)?;
        }
        Ok(())
    }

    fn join(&mut self) -> Result<()> {
        while let (Some(a), Some(b)) = (&self.sides[0].line, &self.sides[1].line) {
            match self.options.compare(a.key(), b.key()) {
                Ordering::Less => self.alone(0)?,
                Ordering::Greater => self.alone(1)?,
                Ordering::Equal => self.pair()?,
            }
        }
        for at in 0..2 {
            // What is left is read only where it is shown or its order is checked.
            while self.sides[at].line.is_some() {
                if !self.options.alone[at] && self.sides[at].reported {
                    break;
                }
                self.alone(at)?;
            }
        }
        Ok(())
    }

    /// A line without a partner.
    fn alone(&mut self, at: usize) -> Result<()> {
        // What is left of one file when the other has ended says nothing of the order.
        let is_between_others = self.sides.iter().all(|side| side.line.is_some());
        if self.options.alone[at] {
            let line = self.sides[at].line.take();
            self.print(if at == 0 { [line.as_ref(), None] } else { [None, line.as_ref()] })?;
            self.sides[at].line = line;
        }
        self.sides[at].advance(self.call, &self.options)?;
        self.sides[at].check_order(self.call, &self.options, self.unpaired)?;
        self.unpaired |= is_between_others;
        Ok(())
    }

    /// All lines of both files with the key of the current ones, each with each.
    fn pair(&mut self) -> Result<()> {
        let mut groups: [Vec<Line>; 2] = [Vec::new(), Vec::new()];
        for (at, group) in groups.iter_mut().enumerate() {
            while let Some(line) = &self.sides[at].line {
                let same = group
                    .first()
                    .is_none_or(|first: &Line| self.options.compare(first.key(), line.key()) == Ordering::Equal);
                if !same {
                    break;
                }
                self.call.memory.take(line.text.len() + size_of::<Line>())?;
                group.extend(self.sides[at].line.clone());
                self.sides[at].advance(self.call, &self.options)?;
                self.sides[at].check_order(self.call, &self.options, self.unpaired)?;
            }
        }
        if self.options.pairs {
            for first in &groups[0] {
                for second in &groups[1] {
                    self.print([Some(first), Some(second)])?;
                }
            }
        }
        for line in groups.iter().flatten() {
            self.call.memory.give(line.text.len() + size_of::<Line>());
        }
        Ok(())
    }

    fn print(&mut self, lines: [Option<&Line>; 2]) -> Result<()> {
        let options = &self.options;
        let out = &mut self.call.stdout;
        let separator = [options.separator.unwrap_or(b' ')];
        let mut first = true;
        let mut field = |out: &mut crate::Output, text: Option<&[u8]>| -> Result<()> {
            if !std::mem::take(&mut first) {
                out.write_all(&separator)?;
            }
            let text = text.filter(|text| !text.is_empty()).unwrap_or(options.empty.as_bytes());
            out.write_all(text)?;
            Ok(())
        };
        let key = lines[0].or(lines[1]).map(Line::key);
        match &options.output {
            Output::Fields(fields) => {
                for which in fields {
                    let text = match which {
                        Field::Key => key,
                        Field::Of(at, number) => lines[*at].and_then(|line| line.field(*number)),
                    };
                    field(out, text)?;
                }
            }
            Output::Auto | Output::All => {
                field(out, key)?;
                for (at, line) in lines.iter().enumerate() {
                    let Some(line) = line else { continue };
                    for number in (0..line.fields.len()).filter(|number| *number != options.keys[at]) {
                        field(out, line.field(number))?;
                    }
                }
            }
        }
        out.write_all(&[options.end])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: &[(&str, &str)] =
        &[("a", "a 1\nb 2\nb 3\nd 4\n"), ("b", "b x\nc y\nd z w\n"), ("c", "x:1:2\n"), ("u", "b\na\n")];

    #[test]
    fn lines_with_the_same_key_are_paired() {
        check(
            TREE,
            "join a b",
            expect![[r#"
            b 2 x
            b 3 x
            d 4 z w
        "#]],
        );
        check(
            TREE,
            "join -a1 -a2 a b",
            expect![[r#"
            a 1
            b 2 x
            b 3 x
            c y
            d 4 z w
        "#]],
        );
        check(
            TREE,
            "join -v1 -v2 a b",
            expect![[r#"
            a 1
            c y
        "#]],
        );
    }

    #[test]
    fn the_fields_can_be_chosen() {
        check(
            TREE,
            "join -e NA -o 0,1.2,2.3 -a1 a b",
            expect![[r#"
            a 1 NA
            b 2 NA
            b 3 NA
            d 4 w
        "#]],
        );
        check(
            TREE,
            "join -o auto -a2 a b",
            expect![[r#"
            b 2 x
            b 3 x
            c  y
            d 4 z
        "#]],
        );
        check(
            TREE,
            "join -t: -1 3 -2 3 c c",
            expect![[r#"
            2:x:1:x:1
        "#]],
        );
    }

    #[test]
    fn disorder_is_reported() {
        check(
            TREE,
            "join u a",
            expect![[r#"
                b 2
                b 3
                [stderr]
                join: u:2: is not sorted: a
                join: input is not in sorted order
                [status 1]
            "#]],
        );
    }

    #[test]
    fn disorder_counts_once_a_line_had_no_partner() {
        check(
            &[("a", "k 1\nb 2\n"), ("b", "k v\na 1\nC 2\n")],
            "join --header a b",
            expect![[r#"
                k 1 v
            "#]],
        );
    }
}
