//! `factor`: the prime factors of numbers of any size; large ones by Pollard's rho.
use crate::{
    Builtin, Call, Opt, Result, Status,
    args::{self, Order},
    curly,
    records::Records,
};
use num_bigint::BigUint;
use std::io::Write;

pub(crate) static FACTOR: Builtin = Builtin {
    name: "factor",
    synopsis: "[OPTION] [NUMBER]...",
    about: "Print the prime factors of each specified integer NUMBER.",
    options: &[Opt::flag('h', &["exponents"], "exponents", "print repeated factors in form p^e unless e is 1")],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let exponents = parsed.has("exponents");
    let mut status = Status::OK;
    if parsed.operands.is_empty() {
        let mut input = call.stdin.clone();
        let mut records = Records::lines(false);
        while let Some(line) = records.next_bare(&mut input, &mut call.memory)? {
            let line = String::from_utf8_lossy(line).into_owned();
            for word in line.split_ascii_whitespace() {
                if !factor(call, word, exponents)? {
                    status = Status::FAILURE;
                }
            }
        }
    }
    for word in &parsed.operands {
        if !factor(call, word, exponents)? {
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// Print the factors of one number; `false` when it is none.
fn factor(call: &mut Call<'_>, word: &str, exponents: bool) -> Result<bool> {
    let digits = word.trim_start_matches(' ');
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    let number = match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => BigUint::parse_bytes(digits.as_bytes(), 10),
        false => None,
    };
    let Some(number) = number else {
        call.warn(format_args!("{} is not a valid positive integer", curly(word)))?;
        return Ok(false);
    };
    let mut factors = Vec::new();
    if number.bits() > 0 {
        split(number.clone(), &mut factors, call)?;
    }
    factors.sort();
    write!(call.stdout, "{number}:")?;
    let mut rest = &factors[..];
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|factor| *factor == first).count();
        match exponents {
            true if count > 1 => write!(call.stdout, " {first}^{count}")?,
            _ => (0..count).try_for_each(|_| write!(call.stdout, " {first}"))?,
        }
        rest = &rest[count..];
    }
    writeln!(call.stdout)?;
    Ok(true)
}

/// The prime factors of a positive number.
fn split(mut number: BigUint, factors: &mut Vec<BigUint>, call: &Call<'_>) -> Result<()> {
    let zero = BigUint::ZERO;
    for small in (2u32..).take_while(|small| *small < 1000) {
        while &number % small == zero {
            factors.push(BigUint::from(small));
            number /= small;
        }
    }
    let mut parts = vec![number];
    while let Some(part) = parts.pop() {
        call.cancel.check()?;
        if part == BigUint::from(1u8) {
            continue;
        }
        if is_prime(&part) {
            factors.push(part);
            continue;
        }
        let divisor = match u64::try_from(&part) {
            Ok(part) => BigUint::from(rho(part, call)?),
            Err(_) => rho_large(&part, call)?,
        };
        parts.push(&part / &divisor);
        parts.push(divisor);
    }
    Ok(())
}

/// Miller and Rabin's test, by enough bases to be certain below 2^64 and all but certain above.
fn is_prime(number: &BigUint) -> bool {
    let one = BigUint::from(1u8);
    let less = number - &one;
    let twos = less.trailing_zeros().unwrap_or(0);
    let odd = &less >> twos;
    [2u32, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53].iter().all(|base| {
        let base = BigUint::from(*base);
        if &base % number == BigUint::ZERO {
            return true;
        }
        let mut power = base.modpow(&odd, number);
        if power == one || power == less {
            return true;
        }
        (1..twos).any(|_| {
            power = &power * &power % number;
            power == less
        })
    })
}

/// A proper divisor of a number that is not prime.
fn rho(number: u64, call: &Call<'_>) -> Result<u64> {
    let step = |x: u64, c: u64| ((u128::from(x) * u128::from(x) + u128::from(c)) % u128::from(number)) as u64;
    for c in 1.. {
        let (mut slow, mut fast) = (2, 2);
        let mut product: u64 = 1;
        let (mut slow_mark, mut fast_mark) = (slow, fast);
        'search: loop {
            call.cancel.check()?;
            for _ in 0..256 {
                slow = step(slow, c);
                fast = step(step(fast, c), c);
                product = (u128::from(product) * u128::from(slow.abs_diff(fast)) % u128::from(number)) as u64;
            }
            if gcd(product, number) == 1 {
                (slow_mark, fast_mark) = (slow, fast);
                continue;
            }
            // Somewhere in the last stretch: go through it step by step.
            loop {
                slow_mark = step(slow_mark, c);
                fast_mark = step(step(fast_mark, c), c);
                match gcd(slow_mark.abs_diff(fast_mark), number) {
                    1 => {}
                    divisor if divisor == number => break 'search,
                    divisor => return Ok(divisor),
                }
            }
        }
    }
    Ok(number)
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The same beyond 64 bits.
fn rho_large(number: &BigUint, call: &Call<'_>) -> Result<BigUint> {
    let one = BigUint::from(1u8);
    for c in 1u32.. {
        let step = |x: &BigUint| (x * x + c) % number;
        let (mut slow, mut fast) = (BigUint::from(2u8), BigUint::from(2u8));
        loop {
            call.cancel.check()?;
            slow = step(&slow);
            fast = step(&step(&fast));
            let distance = if slow > fast { &slow - &fast } else { &fast - &slow };
            let divisor = gcd_large(distance, number.clone());
            if &divisor == number {
                break;
            }
            if divisor != one {
                return Ok(divisor);
            }
        }
    }
    Ok(number.clone())
}

fn gcd_large(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use crate::testing::check_with_stdin;
    use expect_test::expect;

    #[test]
    fn factors_in_order() {
        check_with_stdin(
            &[],
            "factor",
            "360 1 0\n97 18446744073709551615 10000600009 340282366920938463463374607431768211456",
            expect![[r#"
            360: 2 2 2 3 3 5
            1:
            0:
            97: 97
            18446744073709551615: 3 5 17 257 641 65537 6700417
            10000600009: 100003 100003
            340282366920938463463374607431768211456: 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2
        "#]],
        );
    }

    #[test]
    fn powers_and_what_is_no_number() {
        check_with_stdin(
            &[],
            "factor -h 360 x",
            "",
            expect![[r#"
            360: 2^3 3^2 5
            [stderr]
            factor: ‘x’ is not a valid positive integer
            [status 1]
        "#]],
        );
    }
}
