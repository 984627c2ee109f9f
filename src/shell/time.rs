//! `time`: how long a pipeline took, as `TIMEFORMAT` or POSIX wants it told.
use super::interp::Interp;
use crate::syntax::ast::TimeFormat;
use std::{io::Write, time::Instant};

impl Interp {
    pub fn report_time(&mut self, format: TimeFormat, started: Instant) {
        let real = started.elapsed();
        let text = match (format, self.env.session.var("TIMEFORMAT")) {
            (TimeFormat::Posix, _) => format!("real {:.2}\nuser 0.00\nsys 0.00\n", real.as_secs_f64()),
            (TimeFormat::Bash, Some("")) => return,
            (TimeFormat::Bash, Some(format)) => time_format(format, real.as_secs_f64()),
            (TimeFormat::Bash, None) => {
                let (minutes, seconds) = (real.as_secs() / 60, real.as_secs_f64() % 60.0);
                format!("\nreal\t{minutes}m{seconds:.3}s\nuser\t0m0.000s\nsys\t0m0.000s\n")
            }
        };
        let _ = self.stderr().write_all(text.as_bytes());
    }
}

/// `TIMEFORMAT`: `%[p][l]R`, `%U`, `%S`, `%P`, `%%`.
fn time_format(format: &str, real: f64) -> String {
    let mut text = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let (mut precision, mut long) = (3, false);
        for letter in letters.by_ref() {
            match letter {
                '0'..='9' => precision = (letter as usize - '0' as usize).min(3),
                'l' => long = true,
                'R' | 'U' | 'S' => {
                    let seconds = if letter == 'R' { real } else { 0.0 };
                    text += &match long {
                        true => format!("{}m{:.precision$}s", (seconds / 60.0) as u64, seconds % 60.0),
                        false => format!("{seconds:.precision$}"),
                    };
                    break;
                }
                'P' => {
                    text += "0.00";
                    break;
                }
                other => {
                    text.push(other);
                    break;
                }
            }
        }
    }
    text.push('\n');
    text
}
