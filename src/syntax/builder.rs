//! Receives the parser's productions and assembles our tree of them, with what the lexer left in the [`Handover`].
use super::ast::{
    AndOr, CaseArm, Command, CommandKind, Compound, Connective, Item, Pipeline, Redirect, Script, Simple, Word,
};
use super::lexer::{Closed, Construct, Handover, Meaning, Prefix, Slot};
use conch_parser::ast::builder::{
    Builder, CaseFragments, CommandGroup, ComplexWordKind, ForFragments, GuardBodyPairGroup, IfFragments, LoopKind,
    Newline, RedirectKind, SeparatorKind, SimpleWordKind, WordKind,
};
use conch_parser::ast::{AndOr as Joined, RedirectOrCmdWord, RedirectOrEnvVar};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

type Res<T> = Result<T, &'static str>;

/// The lexer does not let this happen; were it to, the reading fails.
const OUT_OF_PLACE: &str = "a token is out of place";

/// A list, and whether a newline ends it.
pub(super) struct Line {
    pub(super) item: Item,
    pub(super) ends_line: bool,
}

/// A command, and what stands before the pipeline that it begins.
pub(super) struct Stage {
    command: Command,
    prefix: Option<Prefix>,
}

/// A redirection, and where it stands.
pub(super) struct Redirection {
    redirect: Redirect,
    slot: Slot,
}

/// Builds with what the lexer hands over.
pub(super) struct AstBuilder(pub(super) Rc<RefCell<Handover>>);

impl AstBuilder {
    fn slot(&self, name: &str) -> Res<Slot> {
        self.0.borrow_mut().take(name).ok_or(OUT_OF_PLACE)
    }

    /// The construct that was just read, and the compound command that `build` makes of it.
    fn body(&self, redirects: Vec<Redirection>, build: impl FnOnce(Construct) -> Res<Compound>) -> Res<Stage> {
        let closed = self.0.borrow_mut().next_closed().ok_or(OUT_OF_PLACE)?;
        let Closed { construct, line, prefix } = closed;
        let redirects = redirects.into_iter().map(|redirection| redirection.redirect).collect();
        let command = Command { kind: CommandKind::Compound(build(construct)?), redirects, line };
        Ok(Stage { command, prefix })
    }
}

fn script(group: CommandGroup<Line>) -> Script {
    group.commands.into_iter().map(|line| line.item).collect()
}

fn word(slot: Slot) -> Res<Word> {
    match slot.meaning {
        Meaning::Word(word) => Ok(word),
        _ => Err(OUT_OF_PLACE),
    }
}

fn name(slot: Slot) -> Res<String> {
    match slot.meaning {
        Meaning::Name(name) => Ok(name),
        _ => Err(OUT_OF_PLACE),
    }
}

/// The only command of a body that the lexer put in braces.
fn unwrapped(body: Script) -> Res<Compound> {
    let [item] = &*body else { return Err(OUT_OF_PLACE) };
    let [command] = item.list.first.commands.as_slice() else { return Err(OUT_OF_PLACE) };
    match &command.kind {
        CommandKind::Compound(compound) => Ok(compound.clone()),
        _ => Err(OUT_OF_PLACE),
    }
}

impl Builder for AstBuilder {
    type Command = Line;
    type CommandList = AndOr;
    type ListableCommand = Pipeline;
    type PipeableCommand = Stage;
    type CompoundCommand = Stage;
    type Word = Slot;
    type Redirect = Redirection;
    type Error = &'static str;

    fn complete_command(
        &mut self,
        _: Vec<Newline>,
        list: AndOr,
        separator: SeparatorKind,
        newline: Option<Newline>,
    ) -> Res<Line> {
        let line = list.first.commands.first().map_or(0, |command| command.line);
        let item = Item { list: Arc::new(list), background: separator == SeparatorKind::Amp, line };
        Ok(Line { item, ends_line: newline.is_some() })
    }

    fn and_or_list(&mut self, first: Pipeline, rest: Vec<(Vec<Newline>, Joined<Pipeline>)>) -> Res<AndOr> {
        let rest = rest.into_iter().map(|(_, next)| match next {
            Joined::And(pipeline) => (Connective::And, pipeline),
            Joined::Or(pipeline) => (Connective::Or, pipeline),
        });
        Ok(AndOr { first, rest: rest.collect() })
    }

    fn pipeline(&mut self, _: bool, stages: Vec<(Vec<Newline>, Stage)>) -> Res<Pipeline> {
        let prefix = stages.first().and_then(|(_, stage)| stage.prefix).unwrap_or_default();
        let commands = stages.into_iter().map(|(_, stage)| Arc::new(stage.command)).collect();
        Ok(Pipeline { negated: prefix.negated, timed: prefix.timed, commands })
    }

    fn simple_command(
        &mut self,
        before: Vec<RedirectOrEnvVar<Redirection, String, Slot>>,
        after: Vec<RedirectOrCmdWord<Redirection, Slot>>,
    ) -> Res<Stage> {
        let mut simple = Simple::default();
        let mut compound = None;
        let (mut line, mut prefix) = (None, None);
        let before = before.into_iter().map(|item| match item {
            RedirectOrEnvVar::Redirect(redirection) => Ok(RedirectOrCmdWord::Redirect(redirection)),
            RedirectOrEnvVar::EnvVar(..) => Err(OUT_OF_PLACE),
        });
        for item in before.chain(after.into_iter().map(Ok)) {
            let slot = match item? {
                RedirectOrCmdWord::Redirect(Redirection { redirect, slot }) => {
                    simple.redirects.push(redirect);
                    slot
                }
                RedirectOrCmdWord::CmdWord(slot) => slot,
            };
            line = line.or(Some(slot.line));
            prefix = prefix.or(slot.prefix);
            match slot.meaning {
                Meaning::Word(word) => simple.words.push(word),
                Meaning::Assignment(assignment) => simple.assignments.push(assignment),
                Meaning::Compound(it) => compound = Some(it),
                Meaning::Redirect(_) | Meaning::Nothing => {}
                Meaning::Name(_) => return Err(OUT_OF_PLACE),
            }
        }
        let line = line.unwrap_or_default();
        let command = match compound {
            None => Command { kind: CommandKind::Simple(simple), redirects: Vec::new(), line },
            Some(compound) => Command { kind: CommandKind::Compound(compound), redirects: simple.redirects, line },
        };
        Ok(Stage { command, prefix })
    }

    fn brace_group(&mut self, group: CommandGroup<Line>, redirects: Vec<Redirection>) -> Res<Stage> {
        self.body(redirects, |construct| match construct {
            Construct::Brace => Ok(Compound::Brace(script(group))),
            Construct::Bare => unwrapped(script(group)),
            _ => Err(OUT_OF_PLACE),
        })
    }

    fn subshell(&mut self, group: CommandGroup<Line>, redirects: Vec<Redirection>) -> Res<Stage> {
        self.body(redirects, |_| Ok(Compound::Subshell(script(group))))
    }

    fn loop_command(
        &mut self,
        kind: LoopKind,
        parts: GuardBodyPairGroup<Line>,
        redirects: Vec<Redirection>,
    ) -> Res<Stage> {
        let (guard, body) = (script(parts.guard), script(parts.body));
        self.body(redirects, |_| Ok(Compound::Loop { until: kind == LoopKind::Until, guard, body }))
    }

    fn if_command(&mut self, parts: IfFragments<Line>, redirects: Vec<Redirection>) -> Res<Stage> {
        let arms = parts.conditionals.into_iter().map(|arm| (script(arm.guard), script(arm.body))).collect();
        let otherwise = parts.else_branch.map(script);
        self.body(redirects, |_| Ok(Compound::If { arms, otherwise }))
    }

    fn for_command(&mut self, parts: ForFragments<Slot, Line>, redirects: Vec<Redirection>) -> Res<Stage> {
        let name = name(self.slot(&parts.var)?)?;
        let words =
            parts.words.map(|(_, words, _)| words.into_iter().map(word).collect::<Res<Vec<_>>>()).transpose()?;
        let body = script(parts.body);
        self.body(redirects, |construct| match construct {
            Construct::For => Ok(Compound::For { name, words, body }),
            Construct::Select => Ok(Compound::Select { name, words, body }),
            Construct::ArithFor(clauses) => Ok(Compound::ArithFor { clauses, body }),
            _ => Err(OUT_OF_PLACE),
        })
    }

    fn case_command(&mut self, parts: CaseFragments<Slot, Line>, redirects: Vec<Redirection>) -> Res<Stage> {
        let subject = word(parts.word)?;
        self.body(redirects, |construct| {
            let Construct::Case(ends) = construct else { return Err(OUT_OF_PLACE) };
            let mut ends = ends.into_iter();
            let arms = parts.arms.into_iter().map(|arm| {
                let patterns = arm.patterns.pattern_alternatives.into_iter().map(word).collect::<Res<_>>()?;
                Ok(CaseArm { patterns, body: script(arm.body), end: ends.next().unwrap_or_default() })
            });
            Ok(Compound::Case { word: subject, arms: arms.collect::<Res<_>>()? })
        })
    }

    fn compound_command_into_pipeable(&mut self, body: Stage) -> Res<Stage> {
        Ok(body)
    }

    fn function_declaration(&mut self, stand_in: String, _: Vec<Newline>, body: Stage) -> Res<Stage> {
        let slot = self.slot(&stand_in)?;
        let (line, prefix) = (slot.line, slot.prefix);
        let kind = CommandKind::Function { name: name(slot)?, body: Arc::new(body.command) };
        Ok(Stage { command: Command { kind, redirects: Vec::new(), line }, prefix })
    }

    fn comments(&mut self, _: Vec<Newline>) -> Res<()> {
        Ok(())
    }

    fn word(&mut self, kind: ComplexWordKind<Line>) -> Res<Slot> {
        match kind {
            ComplexWordKind::Single(WordKind::Simple(SimpleWordKind::Literal(stand_in))) => self.slot(&stand_in),
            _ => Err(OUT_OF_PLACE),
        }
    }

    fn redirect(&mut self, kind: RedirectKind<Slot>) -> Res<Redirection> {
        match kind {
            RedirectKind::Read(None, Slot { meaning: Meaning::Redirect(redirect), line, prefix }) => {
                let slot = Slot { meaning: Meaning::Nothing, line, prefix };
                Ok(Redirection { redirect: redirect.finish(), slot })
            }
            _ => Err(OUT_OF_PLACE),
        }
    }
}
