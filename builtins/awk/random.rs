//! The random numbers of gawk: BSD's additive generator with its largest state, its words shuffled.

/// Words of state.
const DEGREE: usize = 63;
/// How far the two places read are apart.
const APART: usize = 1;
/// Words that wait to be drawn.
const SHUFFLED: usize = 512;

/// A sequence of random numbers, determined by its seed.
pub(super) struct Random {
    state: [u32; DEGREE],
    front: usize,
    rear: usize,
    waiting: Vec<u32>,
    last: u32,
    seed: f64,
}

impl Random {
    pub(super) fn new(seed: u32) -> Random {
        let mut state = [seed; DEGREE];
        for at in 1..DEGREE {
            state[at] = step(state[at - 1]);
        }
        let seed = f64::from(seed);
        let mut random = Random { state, front: APART, rear: 0, waiting: Vec::new(), last: 0, seed };
        random.waiting = (0..SHUFFLED).map(|_| random.fresh()).collect();
        random.last = random.fresh();
        for _ in 0..10 * DEGREE {
            random.word();
        }
        random
    }

    /// Begin anew; the answer is the seed before.
    pub(super) fn seed(&mut self, seed: f64) -> f64 {
        let before = self.seed;
        *self = Random::new(seed as i64 as u32);
        self.seed = seed;
        before
    }

    fn fresh(&mut self) -> u32 {
        self.state[self.front] = self.state[self.front].wrapping_add(self.state[self.rear]);
        let word = self.state[self.front] >> 1;
        self.front = (self.front + 1) % DEGREE;
        self.rear = (self.rear + 1) % DEGREE;
        word
    }

    /// The last word chooses which of the waiting ones is next.
    fn word(&mut self) -> u32 {
        let fresh = self.fresh();
        let chosen = self.last as usize % SHUFFLED;
        self.last = std::mem::replace(&mut self.waiting[chosen], fresh);
        self.last
    }

    /// A number from 0 to below 1, made of two words.
    pub(super) fn number(&mut self) -> f64 {
        const RANGE: f64 = 2147483648.0;
        loop {
            let (first, second) = (f64::from(self.word()), f64::from(self.word()));
            let number = 0.5 + (first / RANGE + second) / RANGE - 0.5;
            if number < 1.0 {
                return number;
            }
        }
    }
}

/// The next number of the sequence that fills the state: times 16807, modulo 2^31 - 1.
fn step(number: u32) -> u32 {
    let number = if number == 0 { 123_459_876 } else { i64::from(number as i32) };
    let (high, low) = (number / 127_773, number % 127_773);
    let next = 16807 * low - 2836 * high;
    (if next < 0 { next + 0x7fff_ffff } else { next }) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_gawks() {
        let mut random = Random::new(1);
        assert_eq!(format!("{:.6} {:.6}", random.number(), random.number()), "0.924046 0.593909");
        assert_eq!(random.seed(7.0), 1.0);
        assert_eq!(format!("{:.6}", random.number()), "0.112895");
    }
}
