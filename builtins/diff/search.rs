//! Myers' search for the fewest changes, from both ends at once in linear space; past a certain cost it settles for
//! what it has.
use crate::{Cancel, Result};

/// What is marked as changed: `mark(side, line)`.
type Mark<'a> = &'a mut dyn FnMut(usize, usize);

/// Mark the lines of `old` (side 0) and `new` (side 1) that are not common.
pub(super) fn search(old: &[usize], new: &[usize], minimal: bool, cancel: &Cancel, mark: Mark<'_>) -> Result<()> {
    let diagonals = old.len() + new.len() + 3;
    let mut cost = 1;
    let mut size = diagonals;
    while size > 0 {
        cost <<= 1;
        size >>= 2;
    }
    let mut searcher = Searcher {
        old,
        new,
        down: vec![0; diagonals],
        up: vec![0; diagonals],
        shift: new.len() as isize + 1,
        too_expensive: cost.max(4096),
        cancel,
    };
    let whole = Part { x: 0, x_end: old.len() as isize, y: 0, y_end: new.len() as isize };
    searcher.divide(whole, minimal, mark)
}

struct Searcher<'a> {
    old: &'a [usize],
    new: &'a [usize],
    /// By diagonal (`x - y`): how far the search from the beginning has come, in lines of `old`.
    down: Vec<isize>,
    /// The same for the search from the end.
    up: Vec<isize>,
    shift: isize,
    too_expensive: usize,
    cancel: &'a Cancel,
}

/// A part of both texts: lines `x..x_end` of the old one, `y..y_end` of the new one.
#[derive(Clone, Copy)]
struct Part {
    x: isize,
    x_end: isize,
    y: isize,
    y_end: isize,
}

/// A point that a shortest path passes, and whether both halves must still be searched to the end.
struct Middle {
    x: isize,
    y: isize,
    first_minimal: bool,
    second_minimal: bool,
}

impl Searcher<'_> {
    fn same(&self, x: isize, y: isize) -> bool {
        self.old[x as usize] == self.new[y as usize]
    }

    /// The part of both texts that `part` bounds, divided at a point of a shortest path until one side is empty.
    fn divide(&mut self, part: Part, mut minimal: bool, mark: Mark<'_>) -> Result<()> {
        let Part { mut x, mut x_end, mut y, mut y_end } = part;
        loop {
            while x < x_end && y < y_end && self.same(x, y) {
                (x, y) = (x + 1, y + 1);
            }
            while x < x_end && y < y_end && self.same(x_end - 1, y_end - 1) {
                (x_end, y_end) = (x_end - 1, y_end - 1);
            }
            if x == x_end || y == y_end {
                (x..x_end).for_each(|x| mark(0, x as usize));
                (y..y_end).for_each(|y| mark(1, y as usize));
                return Ok(());
            }
            let middle = self.middle(Part { x, x_end, y, y_end }, minimal)?;
            self.divide(Part { x, x_end: middle.x, y, y_end: middle.y }, middle.first_minimal, mark)?;
            (x, y, minimal) = (middle.x, middle.y, middle.second_minimal);
        }
    }

    fn middle(&mut self, part: Part, minimal: bool) -> Result<Middle> {
        let Part { x, x_end, y, y_end } = part;
        let (lowest, highest) = (x - y_end, x_end - y);
        let (from_start, from_end) = (x - y, x_end - y_end);
        let (mut down_low, mut down_high) = (from_start, from_start);
        let (mut up_low, mut up_high) = (from_end, from_end);
        let odd = (from_start - from_end) & 1 != 0;
        let at = |shift: isize, diagonal: isize| (diagonal + shift) as usize;
        let shift = self.shift;
        self.down[at(shift, from_start)] = x;
        self.up[at(shift, from_end)] = x_end;
        for cost in 1.. {
            self.cancel.check()?;
            if down_low > lowest {
                down_low -= 1;
                self.down[at(shift, down_low - 1)] = -1;
            } else {
                down_low += 1;
            }
            if down_high < highest {
                down_high += 1;
                self.down[at(shift, down_high + 1)] = -1;
            } else {
                down_high -= 1;
            }
            let mut diagonal = down_high;
            while diagonal >= down_low {
                let (below, above) = (self.down[at(shift, diagonal - 1)], self.down[at(shift, diagonal + 1)]);
                let mut far = if below < above { above } else { below + 1 };
                while far < x_end && far - diagonal < y_end && self.same(far, far - diagonal) {
                    far += 1;
                }
                self.down[at(shift, diagonal)] = far;
                if odd && up_low <= diagonal && diagonal <= up_high && self.up[at(shift, diagonal)] <= far {
                    return Ok(Middle { x: far, y: far - diagonal, first_minimal: true, second_minimal: true });
                }
                diagonal -= 2;
            }
            if up_low > lowest {
                up_low -= 1;
                self.up[at(shift, up_low - 1)] = isize::MAX;
            } else {
                up_low += 1;
            }
            if up_high < highest {
                up_high += 1;
                self.up[at(shift, up_high + 1)] = isize::MAX;
            } else {
                up_high -= 1;
            }
            let mut diagonal = up_high;
            while diagonal >= up_low {
                let (below, above) = (self.up[at(shift, diagonal - 1)], self.up[at(shift, diagonal + 1)]);
                let mut far = if below < above { below } else { above - 1 };
                while x < far && y < far - diagonal && self.same(far - 1, far - diagonal - 1) {
                    far -= 1;
                }
                self.up[at(shift, diagonal)] = far;
                if !odd && down_low <= diagonal && diagonal <= down_high && far <= self.down[at(shift, diagonal)] {
                    return Ok(Middle { x: far, y: far - diagonal, first_minimal: true, second_minimal: true });
                }
                diagonal -= 2;
            }
            if !minimal && cost >= self.too_expensive {
                break;
            }
        }
        Ok(self.best_so_far(part, (down_low, down_high), (up_low, up_high)))
    }

    /// The point that either search has come farthest to.
    fn best_so_far(
        &self,
        Part { x, x_end, y, y_end }: Part,
        (down_low, down_high): (isize, isize),
        (up_low, up_high): (isize, isize),
    ) -> Middle {
        let mut forward = (-1, 0);
        let mut diagonal = down_high;
        while diagonal >= down_low {
            let far = self.down[(diagonal + self.shift) as usize].min(x_end);
            let far = if far - diagonal > y_end { y_end + diagonal } else { far };
            if forward.0 < far + far - diagonal {
                forward = (far + far - diagonal, far);
            }
            diagonal -= 2;
        }
        let mut backward = (isize::MAX, 0);
        let mut diagonal = up_high;
        while diagonal >= up_low {
            let far = self.up[(diagonal + self.shift) as usize].max(x);
            let far = if far - diagonal < y { y + diagonal } else { far };
            if far + far - diagonal < backward.0 {
                backward = (far + far - diagonal, far);
            }
            diagonal -= 2;
        }
        if (x_end + y_end) - backward.0 < forward.0 - (x + y) {
            Middle { x: forward.1, y: forward.0 - forward.1, first_minimal: true, second_minimal: false }
        } else {
            Middle { x: backward.1, y: backward.0 - backward.1, first_minimal: false, second_minimal: true }
        }
    }
}
