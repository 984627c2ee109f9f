//! The pager: its state, and what each key does to it.
use super::{screen::CLEAR_ROW, search::Way, text::Text};
use crate::{Call, Key, Keyboard, Result, pattern::Pattern};

const ENTER_SCREEN: &str = "\u{1b}[?1049h";
const LEAVE_SCREEN: &str = "\u{1b}[?1049l";
const HELP: &str = "space b: page  j k: line  g G: ends  / ? n N: search  :n :p: file  q: quit";

/// How texts are shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settings {
    /// A text that fits on one screen is printed, and that is all: `-F`.
    pub(super) all_at_once: bool,
    /// The end of the last text is the end: `-E`, and `more`.
    pub(super) until_end: bool,
    /// The last screen stays where it is: `-X`.
    pub(super) keep_screen: bool,
    /// Lines have their numbers: `-N`.
    pub(super) numbers: bool,
    /// Long lines are cut: `-S`.
    pub(super) chop: bool,
    /// Searches ignore case: `-i` (unless the pattern has upper case), `-I`.
    pub(super) ignore_case: (bool, bool),
    /// What the last row says where there is nothing else to say.
    pub(super) prompt: &'static str,
}

/// Whether the pager goes on after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Stay,
    Quit,
}

/// The first row of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The line, from 0.
    pub(super) line: usize,
    /// The row of that line, when it is folded.
    pub(super) row: usize,
}

/// Shows texts to a person until the person has seen enough.
pub(super) struct Pager<'a, 'c> {
    pub(super) call: &'a mut Call<'c>,
    pub(super) keyboard: Box<dyn Keyboard>,
    pub(super) texts: Vec<Text>,
    /// Which of them is shown.
    pub(super) current: usize,
    pub(super) top: Place,
    pub(super) settings: Settings,
    /// What was searched for last, and which way.
    pub(super) search: Option<(Pattern, Way)>,
    /// What the last row says instead of the prompt, until the next key.
    pub(super) message: Option<String>,
    /// The digits typed before a command.
    count: Option<usize>,
}

impl<'a, 'c> Pager<'a, 'c> {
    pub(super) fn new(
        call: &'a mut Call<'c>,
        keyboard: Box<dyn Keyboard>,
        texts: Vec<Text>,
        settings: Settings,
    ) -> Pager<'a, 'c> {
        let message = Some(texts[0].name.clone()).filter(|name| !name.is_empty());
        Pager { call, keyboard, texts, current: 0, top: Place::default(), settings, search: None, message, count: None }
    }

    /// Show the texts, beginning where the command `start` leads. What could not be read is answered.
    pub(super) fn run(mut self, start: Option<&str>) -> Result<Vec<String>> {
        if self.settings.all_at_once && self.texts.len() == 1 && self.fits()? {
            self.print_all()?;
            return Ok(self.failures());
        }
        // Below what is on the screen already, if that is to stay.
        let enter = if self.settings.keep_screen { "\n".repeat(self.height()) } else { ENTER_SCREEN.to_string() };
        self.write(&enter)?;
        let result = self.serve(start);
        // Also after a stop: the terminal is given back as it was.
        let leave = if self.settings.keep_screen { format!("\r{CLEAR_ROW}") } else { LEAVE_SCREEN.to_string() };
        self.write(&leave)?;
        result.map(|()| self.failures())
    }

    fn serve(&mut self, start: Option<&str>) -> Result<()> {
        if let Some(start) = start {
            self.begin_at(start)?;
        }
        loop {
            if self.settings.until_end && self.current + 1 == self.texts.len() && self.is_at_end()? {
                self.draw()?;
                return Ok(());
            }
            self.draw()?;
            let key = self.keyboard.key(&self.call.cancel)?;
            self.message = None;
            if self.press(key)? == Next::Quit {
                return Ok(());
            }
        }
    }

    fn failures(self) -> Vec<String> {
        self.texts.into_iter().filter_map(|text| text.failure).collect()
    }

    fn press(&mut self, key: Key) -> Result<Next> {
        if let Key::Char(digit @ '0'..='9') = key {
            let digit = digit as usize - '0' as usize;
            self.count = Some(self.count.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            self.message = self.count.map(|count| format!(":{count}"));
            return Ok(Next::Stay);
        }
        let count = self.count.take();
        let (page, half) = (self.height(), (self.height() / 2).max(1));
        match key {
            Key::Char('q' | 'Q') => return Ok(Next::Quit),
            Key::Char(' ' | 'f') | Key::Control('f' | 'v') | Key::PageDown => self.down(count.unwrap_or(page))?,
            Key::Char('b') | Key::Control('b') | Key::PageUp => self.up(count.unwrap_or(page))?,
            Key::Char('d') | Key::Control('d') => self.down(count.unwrap_or(half))?,
            Key::Char('u') | Key::Control('u') => self.up(count.unwrap_or(half))?,
            Key::Char('j' | 'e' | '\n') | Key::Control('n' | 'e') | Key::Down => self.down(count.unwrap_or(1))?,
            Key::Char('k' | 'y') | Key::Control('p' | 'k' | 'y') | Key::Up => self.up(count.unwrap_or(1))?,
            Key::Char('g' | '<') | Key::Home => self.go_to_line(count.unwrap_or(1))?,
            Key::Char('G' | '>') | Key::End => match count {
                Some(number) => self.go_to_line(number)?,
                None => self.go_to_end()?,
            },
            Key::Char('p' | '%') => self.go_to_percent(count.unwrap_or(0))?,
            Key::Char('/') => self.ask_and_search(Way::Down)?,
            Key::Char('?') => self.ask_and_search(Way::Up)?,
            Key::Char('n') => self.search_on(false)?,
            Key::Char('N') => self.search_on(true)?,
            Key::Char(':') => return self.colon(),
            Key::Char('h' | 'H') => self.message = Some(HELP.to_string()),
            // Every key shows the screen anew.
            _ => {}
        }
        Ok(Next::Stay)
    }

    /// After `:`, a key that is about files.
    fn colon(&mut self) -> Result<Next> {
        self.message = Some(" :".to_string());
        self.draw()?;
        self.message = None;
        match self.keyboard.key(&self.call.cancel)? {
            Key::Char('n') if self.current + 1 < self.texts.len() => self.turn_to(self.current + 1),
            Key::Char('n') => self.message = Some("No next file".to_string()),
            Key::Char('p') if self.current > 0 => self.turn_to(self.current - 1),
            Key::Char('p') => self.message = Some("No previous file".to_string()),
            Key::Char('q' | 'Q') => return Ok(Next::Quit),
            _ => {}
        }
        Ok(Next::Stay)
    }

    fn turn_to(&mut self, text: usize) {
        self.current = text;
        self.top = Place::default();
        self.message = Some(self.texts[text].name.clone());
    }

    /// Down by so many rows, but not past the end. `more` goes on to the next file there.
    fn down(&mut self, rows: usize) -> Result<()> {
        if self.settings.until_end && self.current + 1 < self.texts.len() && self.is_at_end()? {
            self.turn_to(self.current + 1);
            return Ok(());
        }
        for _ in 0..rows {
            if self.is_at_end()? {
                break;
            }
            self.call.cancel.check()?;
            match self.top.row + 1 < self.rows(self.top.line)?.len() {
                true => self.top.row += 1,
                false => self.top = Place { line: self.top.line + 1, row: 0 },
            }
        }
        Ok(())
    }

    fn up(&mut self, rows: usize) -> Result<()> {
        for _ in 0..rows {
            if self.top.row > 0 {
                self.top.row -= 1;
            } else if self.top.line > 0 {
                let line = self.top.line - 1;
                self.top = Place { line, row: self.rows(line)?.len().saturating_sub(1) };
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Line `number`, from 1, at the top, as far as there is a screen of text below it.
    pub(super) fn go_to_line(&mut self, number: usize) -> Result<()> {
        let line = number.saturating_sub(1);
        self.texts[self.current].read(line + 1, &mut self.call.memory)?;
        if line >= self.texts[self.current].lines.len() {
            return self.go_to_end();
        }
        self.top = Place { line, row: 0 };
        if self.is_at_end()? { self.go_to_end() } else { Ok(()) }
    }

    /// The last row in the last row of the screen.
    fn go_to_end(&mut self) -> Result<()> {
        self.texts[self.current].read(usize::MAX, &mut self.call.memory)?;
        self.top = Place { line: self.texts[self.current].lines.len(), row: 0 };
        self.up(self.height())
    }

    fn go_to_percent(&mut self, percent: usize) -> Result<()> {
        self.texts[self.current].read(usize::MAX, &mut self.call.memory)?;
        self.go_to_line(self.texts[self.current].lines.len().saturating_mul(percent.min(100)) / 100 + 1)
    }

    /// What `+COMMAND` says: `G`, `/pattern`, or a line.
    fn begin_at(&mut self, start: &str) -> Result<()> {
        match (start.strip_prefix('/'), start.trim_end_matches('g').parse()) {
            (Some(pattern), _) => self.search_for(pattern, Way::Down, true),
            (None, Ok(line)) => self.go_to_line(line),
            (None, Err(_)) if start == "G" => self.go_to_end(),
            (None, Err(_)) => Ok(()),
        }
    }
}
