//! Docs that nobody wrote: folders of 100 to 100,000 pages of 1 to 50 KB, about 8 KB in the mean, and streams of lines.
//!
//! The same seed gives the same bytes on every machine, page by page, however many threads write them. Words are drawn
//! by Zipf's law, as in any text, since what a search costs depends on how often its letters come. [`RARE`] is in one
//! page of a hundred, once, and nowhere else. A folder that is complete says so in a file beside it, and is not written
//! again.
use fastrand::Rng;
use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
    thread,
};

/// Changes with whatever changes the bytes.
const VERSION: u32 = 1;

/// The needle of the haystack: no syllables of ours make it.
pub(crate) const RARE: &str = "xylograph";
/// It is in each page whose number leaves 7 when divided by this.
pub(crate) const RARE_EVERY: usize = 100;

/// Pages of a folder, such folders of a topic, topics of a section: three levels.
const SHAPE: [usize; 3] = [25, 5, 8];

/// The sizes of pages are log-normal around this median, in bytes, cut at both ends: the mean is about 8 KB.
const MEDIAN: f64 = 6000.0;
const SPREAD: f64 = 0.75;
const SIZES: (f64, f64) = (1000.0, 50_000.0);

/// How many different words there are.
const WORDS: usize = 20_000;

/// A folder of `pages` pages below `home`, made if it is not there.
pub(crate) fn pages(home: &Path, pages: usize) -> io::Result<PathBuf> {
    made(home, &pages.to_string(), |folder| {
        // Every folder has both: a site that lacks them would get its own.
        fs::write(folder.join("llms.txt"), "# Generated docs\n")?;
        fs::write(folder.join("AGENTS.md"), "# For agents\n")?;
        let words = &Words::new();
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let write = |part: usize| {
                (part..pages).step_by(threads).try_for_each(|number| {
                    let path = folder.join(place(number, words));
                    fs::create_dir_all(path.parent().expect("three levels down"))?;
                    fs::write(path, page(number, words))
                })
            };
            let parts: Vec<_> = (0..threads).map(|part| scope.spawn(move || write(part))).collect();
            parts.into_iter().try_for_each(|part| part.join().expect("no panic"))
        })
    })
}

/// A folder of files for commands that read streams: `lines.txt` of 100 MB, `records.txt` of 1,000,000 lines, and the
/// descriptions of HTTP interfaces `api.json` of 20 MB and `huge.json` of 100 MB.
pub(crate) fn streams(home: &Path) -> io::Result<PathBuf> {
    made(home, "streams", |folder| {
        let words = &Words::new();
        lines(&folder.join("lines.txt"), words, 100_000_000)?;
        records(&folder.join("records.txt"), words, 1_000_000)?;
        interface(&folder.join("api.json"), words, 20_000_000)?;
        interface(&folder.join("huge.json"), words, 100_000_000)
    })
}

/// A word that some pages in a thousand have, another for each number.
pub(crate) fn rare_word(number: usize) -> String {
    Words::new().at(WORDS / 2 + number * 7 % (WORDS / 2)).to_string()
}

/// The folder `name`, filled by `fill` unless it has been.
fn made(home: &Path, name: &str, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<PathBuf> {
    let (folder, mark) = (home.join(name), home.join(format!("{name}.complete")));
    let version = format!("{VERSION}\n");
    if fs::read_to_string(&mark).is_ok_and(|known| known == version) {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    fill(&folder)?;
    fs::write(mark, version)?;
    Ok(folder)
}

/// Where a page is: `section-0/topic-3/folder-2/page-00077.mdx`; three of ten are `.md`.
fn place(number: usize, words: &Words) -> String {
    let [in_folder, in_topic, in_section] = SHAPE;
    let folder = number / in_folder;
    let topic = folder / in_topic;
    let name = |number: usize| words.at(200 + number * 7 % 5000);
    let kind = if number % 10 < 3 { "md" } else { "mdx" };
    let (section, topic, folder) = (topic / in_section, topic % in_section, folder % in_topic);
    let topics = [name(topic), name(50 + folder)];
    format!("section-{section:02}/{}-{topic}/{}-{folder}/{}-{number:06}.{kind}", topics[0], topics[1], name(number))
}

/// The text of a page: frontmatter, headings, prose, lists, tables and code.
fn page(number: usize, words: &Words) -> String {
    let rng = &mut Rng::with_seed(number as u64 ^ 0xd0c5_0000_0000);
    let size = (MEDIAN * (SPREAD * normal(rng)).exp()).clamp(SIZES.0, SIZES.1) as usize;
    let title = words.phrase(rng, 2, 5);
    let mut text = format!("---\ntitle: {title}\ndescription: {}\n---\n\n# {title}\n", words.sentence(rng));
    if number % RARE_EVERY == 7 {
        let _ = writeln!(text, "\nA {RARE} is a {}.", words.phrase(rng, 3, 6));
    }
    while text.len() < size {
        let _ = writeln!(text, "\n{} {}\n", if rng.u8(..3) == 0 { "###" } else { "##" }, words.phrase(rng, 1, 5));
        for _ in 0..rng.usize(1..4) {
            paragraph(&mut text, rng, words);
        }
        match rng.u8(..5) {
            0 => list(&mut text, rng, words),
            1 => table(&mut text, rng, words),
            2 | 3 => code(&mut text, rng, words),
            _ => {}
        }
    }
    text
}

/// Sentences in lines of about a hundred bytes.
fn paragraph(text: &mut String, rng: &mut Rng, words: &Words) {
    let mut column = 0;
    for _ in 0..rng.usize(2..6) {
        for word in words.sentence(rng).split(' ') {
            if column > 0 {
                let is_full = column + word.len() > 110;
                text.push(if is_full { '\n' } else { ' ' });
                column = if is_full { 0 } else { column + 1 };
            }
            text.push_str(word);
            column += word.len();
        }
    }
    text.push_str("\n\n");
}

fn list(text: &mut String, rng: &mut Rng, words: &Words) {
    for _ in 0..rng.usize(3..8) {
        let (name, about) = (words.any(rng), words.phrase(rng, 4, 12));
        let _ = writeln!(text, "- **{name}**: {about}, see [{name}](/{name}).");
    }
}

fn table(text: &mut String, rng: &mut Rng, words: &Words) {
    text.push_str("| Name | Type | About |\n| --- | --- | --- |\n");
    for _ in 0..rng.usize(3..10) {
        let _ = writeln!(text, "| `{}` | string | {} |", words.any(rng), words.phrase(rng, 3, 9));
    }
}

fn code(text: &mut String, rng: &mut Rng, words: &Words) {
    text.push_str("```json\n{\n");
    for _ in 0..rng.usize(2..9) {
        let _ = writeln!(text, "  \"{}_{}\": \"{}\",", words.any(rng), words.any(rng), rng.u32(..));
    }
    text.push_str("}\n```\n");
}

fn lines(path: &Path, words: &Words, bytes: usize) -> io::Result<()> {
    let (rng, mut file) = (&mut Rng::with_seed(1), BufWriter::new(File::create(path)?));
    let mut written = 0;
    while written < bytes {
        let line = words.phrase(rng, 2, 14);
        written += line.len() + 1;
        writeln!(file, "{line}")?;
    }
    file.flush()
}

/// Lines of a word, two numbers and another word.
fn records(path: &Path, words: &Words, lines: usize) -> io::Result<()> {
    let (rng, mut file) = (&mut Rng::with_seed(2), BufWriter::new(File::create(path)?));
    for number in 0..lines {
        writeln!(file, "{} {number} {} {}", words.any(rng), rng.u32(..100_000), words.any(rng))?;
    }
    file.flush()
}

/// An OpenAPI document: operations with parameters and answers.
fn interface(path: &Path, words: &Words, bytes: usize) -> io::Result<()> {
    let (rng, mut file) = (&mut Rng::with_seed(3), BufWriter::new(File::create(path)?));
    file.write_all(
        b"{\n  \"openapi\": \"3.1.0\",\n  \"info\": { \"title\": \"Generated\", \"version\": \"1\" },\n  \"paths\": {",
    )?;
    let mut written = 0;
    while written < bytes {
        let mut entry = String::from(if written == 0 { "" } else { "," });
        let _ = write!(entry, "\n    \"/{}/{written}\": {{\n      \"get\": {{\n", words.any(rng));
        let _ = writeln!(entry, "        \"tags\": [\"{}\"],", words.at(rng.usize(300..320)));
        let _ = writeln!(entry, "        \"summary\": \"{}\",\n        \"parameters\": [", words.sentence(rng));
        for parameter in 0..4 {
            let (comma, name) = (if parameter == 3 { "" } else { "," }, words.any(rng));
            let about = words.phrase(rng, 4, 12);
            let _ = writeln!(
                entry,
                "          {{ \"name\": \"{name}\", \"in\": \"query\", \"schema\": {{ \"type\": \"string\", \"maxLength\": {} }}, \"description\": \"{about}\" }}{comma}",
                rng.u16(..)
            );
        }
        entry.push_str("        ],\n        \"responses\": { \"200\": { \"description\": \"OK\" } }\n      }\n    }");
        written += entry.len();
        file.write_all(entry.as_bytes())?;
    }
    file.write_all(b"\n  }\n}\n")?;
    file.flush()
}

/// The vocabulary, and how often each word comes.
struct Words {
    words: Vec<String>,
    /// The word at each of 2^20 equal steps of the distribution.
    steps: Vec<u16>,
}

/// The words that come most often.
const COMMON: &str = "the to a and of is in for you with that your it are on this be can as an from or when by not if use \
    will which have each at has all one set request page value name response then file more default call create list \
    error user data api type key only same client server token after version string object field config id new after \
    example before method returns update delete event project";

const SYLLABLES: [&str; 40] = [
    "al", "an", "ar", "ba", "be", "ca", "ce", "co", "da", "de", "di", "el", "en", "er", "es", "fa", "ga", "ha", "il",
    "in", "ka", "la", "le", "li", "lo", "ma", "me", "mi", "na", "ne", "on", "or", "pa", "ra", "re", "sa", "se", "ta",
    "te", "ur",
];

impl Words {
    fn new() -> Words {
        let mut words: Vec<String> = COMMON.split_whitespace().map(String::from).collect();
        let rng = &mut Rng::with_seed(0);
        while words.len() < WORDS {
            let syllables = rng.usize(2..6);
            words.push((0..syllables).map(|_| SYLLABLES[rng.usize(..SYLLABLES.len())]).collect());
        }
        // Zipf's law as Mandelbrot mended it for the first ranks.
        let weights: Vec<f64> = (0..WORDS).map(|rank| (rank as f64 + 2.7).powf(-1.05)).collect();
        let (total, mut sum, mut rank) = (weights.iter().sum::<f64>(), weights[0], 0);
        let steps = (0..1 << 20).map(|step| {
            while sum < total * (f64::from(step) + 0.5) / f64::from(1 << 20) && rank + 1 < WORDS {
                rank += 1;
                sum += weights[rank];
            }
            rank as u16
        });
        let steps = steps.collect();
        Words { words, steps }
    }

    /// The word of this rank.
    fn at(&self, rank: usize) -> &str {
        &self.words[rank % WORDS]
    }

    /// A word, as often as it comes.
    fn any(&self, rng: &mut Rng) -> &str {
        &self.words[usize::from(self.steps[rng.usize(..1 << 20)])]
    }

    /// From `least` to `most - 1` words.
    fn phrase(&self, rng: &mut Rng, least: usize, most: usize) -> String {
        let mut phrase = self.any(rng).to_string();
        for _ in 1..rng.usize(least..most) {
            phrase.push(' ');
            phrase.push_str(self.any(rng));
        }
        phrase
    }

    fn sentence(&self, rng: &mut Rng) -> String {
        let mut sentence = self.phrase(rng, 5, 20);
        sentence[..1].make_ascii_uppercase();
        sentence + "."
    }
}

/// A number of the standard normal distribution (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - rng.f64()).ln()).sqrt() * (std::f64::consts::TAU * rng.f64()).cos()
}
