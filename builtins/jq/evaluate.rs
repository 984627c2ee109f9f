//! Runs filters. Each output is handed on as soon as there is one, to whoever asked for it; with it goes its path, when
//! paths are asked for. What is in a value is `access`'s.
use super::{
    compile::Program,
    construct::Template,
    environment::{Binding, Env, Node, bind, node, push},
    filter::{Filter, Pattern},
    math, meter,
    natives::Native,
    path::Path,
    regex::Regexes,
    value::{Object, Value},
    write,
};
use crate::{Call, Error};
use jaq_core::ops::Cmp;

/// Why a filter ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// An error that `try` can catch.
    Error(Value),
    /// `break`, to the label of that number.
    Break(u64),
    /// `halt` with a status, and what goes to stderr.
    Halt(u8, Option<Value>),
    /// The run must end: a limit, a deadline, a reader that has gone.
    Fatal(Error),
}

impl Stop {
    pub(super) fn error(message: impl Into<String>) -> Stop {
        Stop::Error(Value::text(message.into()))
    }
}

/// Any error of the outside ends the run.
impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Fatal(error.into())
    }
}

pub(super) type Result<T = (), E = Stop> = std::result::Result<T, E>;

/// Who takes the outputs.
pub(super) type Out<'o, 'p, 'm, 'c> = &'o mut dyn FnMut(&mut Interpreter<'p, 'm, 'c>, Item) -> Result;

/// A value on its way, and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) value: Value,
    pub(super) path: Path,
}

impl Item {
    /// A value whose path nobody asks for.
    pub(super) fn plain(value: Value) -> Item {
        Item { value, path: Path::Untracked }
    }

    /// A new value in the place of this one: it has no path any more.
    pub(super) fn made(&self, value: Value) -> Item {
        Item { value, path: self.path.lost() }
    }
}

pub(super) struct Interpreter<'p, 'm, 'c> {
    pub(super) call: &'m mut Call<'c>,
    pub(super) program: &'p Program,
    pub(super) inputs: super::input::Inputs,
    pub(super) regexes: Regexes,
    pub(super) labels: u64,
    pub(super) depth: usize,
}

impl<'p, 'm, 'c> Interpreter<'p, 'm, 'c> {
    pub(super) fn new(call: &'m mut Call<'c>, program: &'p Program, inputs: super::input::Inputs) -> Self {
        Interpreter { call, program, inputs, regexes: Regexes::default(), labels: 0, depth: 0 }
    }

    /// Hand every output of `filter` for `input` to `out`.
    pub(super) fn eval(&mut self, filter: &'p Filter, env: &Env<'p>, input: Item, out: Out<'_, 'p, 'm, 'c>) -> Result {
        meter::deeper(|| self.run(filter, env, input, out))
    }

    /// Hand an output on, which may go through as many hands as the filters were deep that led to it.
    pub(super) fn hand(&mut self, out: Out<'_, 'p, 'm, 'c>, item: Item) -> Result {
        meter::deeper(|| out(self, item))
    }

    fn run(&mut self, filter: &'p Filter, env: &Env<'p>, input: Item, out: Out<'_, 'p, 'm, 'c>) -> Result {
        match filter {
            Filter::Identity => out(self, input),
            Filter::Recurse => self.descend(input, out),
            Filter::Literal(value) => out(self, input.made(value.clone())),
            Filter::Format(format) => {
                let text = format.apply(&input.value)?;
                out(self, input.made(text))
            }
            Filter::Text(format, parts) => {
                self.text(&Template { format: *format, parts }, parts, env, &input, &mut Vec::new(), out)
            }
            Filter::Array(items) => {
                let array = match items {
                    Some(items) => self.all(items, env, input.value.clone())?,
                    None => Value::array(Vec::new()),
                };
                out(self, input.made(array))
            }
            Filter::Object(members) => self.object(members, env, &input, Object::default(), out),
            Filter::Negate(operand) => self.eval(operand, env, input, &mut |this, item| {
                let value = math::negate(&item.value)?;
                this.hand(out, item.made(value))
            }),
            Filter::Pipe(left, right) => {
                self.eval(left, env, input, &mut |this, item| this.eval(right, env, item, out))
            }
            Filter::Comma(left, right) => {
                self.eval(left, env, input.clone(), out)?;
                self.eval(right, env, input, out)
            }
            Filter::Alternative(left, right) => self.alternative(left, right, env, input, out),
            Filter::And(left, right) => self.logic(left, right, false, env, &input, out),
            Filter::Or(left, right) => self.logic(left, right, true, env, &input, out),
            // What grows by one output at a time (`. + [$x]`) is moved, so that it need not be copied.
            Filter::Math(math, left, right) if matches!(**left, Filter::Identity) && right.is_single() => {
                let right = self.only(right, env, &input.value)?;
                let path = input.path.lost();
                let value = math::calculate(*math, input.value, right)?;
                out(self, Item { value, path })
            }
            Filter::Math(math, left, right) => self.both(left, right, env, &input, &mut |this, left, right| {
                let value = math::calculate(*math, left, right)?;
                this.hand(out, input.made(value))
            }),
            Filter::Compare(comparison, left, right) => {
                self.both(left, right, env, &input, &mut |this, left, right| {
                    let truth = compare(*comparison, &left, &right)?;
                    this.hand(out, input.made(Value::Bool(truth)))
                })
            }
            Filter::Bind(source, Pattern::Variable, body) if source.is_single() => {
                let value = self.only(source, env, &input.value)?;
                self.eval(body, &bind(env, value), input, out)
            }
            Filter::Bind(source, pattern, body) => {
                self.eval(source, env, Item::plain(input.value.clone()), &mut |this, item| {
                    this.destructure(pattern, env, &item.value, &mut |this, env| {
                        this.eval(body, env, input.clone(), out)
                    })
                })
            }
            Filter::Label(body) => self.label(body, env, input, out),
            Filter::Break(place) => match node(env, *place).as_deref() {
                Some(Node { binding: Binding::Label(label), .. }) => Err(Stop::Break(*label)),
                _ => Err(Stop::error("break")),
            },
            Filter::Reduce(fold) => self.reduce(fold, env, input, out),
            Filter::Foreach(fold) => self.foreach(fold, env, input, out),
            Filter::Try(body, catch) => self.catch(body, catch.as_deref(), env, input, out),
            Filter::If(branches, otherwise) => self.branch(branches, otherwise.as_deref(), env, input, out),
            Filter::Variable(place) => match node(env, *place).as_deref() {
                Some(Node { binding: Binding::Value(value), .. }) => out(self, input.made(value.clone())),
                _ => Err(Stop::error("variable is not bound")),
            },
            Filter::Define(function, body) => {
                let env = push(env, Binding::Function(function));
                self.eval(body, &env, input, out)
            }
            Filter::Call(place, arguments) => {
                let outer = node(env, *place);
                match outer.as_deref() {
                    Some(Node { binding: Binding::Function(function), .. }) => {
                        self.call_function(function, outer, arguments, env, input, out)
                    }
                    _ => Err(Stop::error("function is not bound")),
                }
            }
            Filter::CallGlobal(place, arguments) => {
                let program = self.program;
                self.call_function(&program.globals[*place], &None, arguments, env, input, out)
            }
            Filter::Parameter(place) => match node(env, *place).as_deref() {
                Some(Node { binding: Binding::Filter(filter, outer), .. }) => {
                    let (filter, outer) = (*filter, outer.clone());
                    self.nested(|this| this.eval(filter, &outer, input, out))
                }
                _ => Err(Stop::error("parameter is not bound")),
            },
            Filter::Native(native, arguments) => match native {
                Native::Value(function) => self.native(*function, arguments, env, input, &mut Vec::new(), out),
                Native::Filter(function) => function(self, arguments, env, input, out),
            },
            Filter::Index(base, key, optional) => self.index(base, key, *optional, env, &input, out),
            Filter::Slice(base, from, to, optional) => {
                self.bounds(from.as_deref(), to.as_deref(), env, &input, &mut |this, key| {
                    this.step(base, &key, *optional, env, &input, out)
                })
            }
            Filter::Each(base, optional) => self.elements(base, *optional, env, input, out),
            Filter::Assign(left, right) => self.assign(left, right, env, input, out),
            Filter::Update(left, right) => self.update_by(left, right, env, input, out),
            Filter::UpdateMath(math, left, right) => self.update_math(*math, left, right, env, input, out),
            Filter::UpdateAlternative(left, right) => self.update_alternative(left, right, env, input, out),
        }
    }

    /// `and` and `or`, which look at the right side unless the left one is `decided`.
    fn logic(
        &mut self,
        left: &'p Filter,
        right: &'p Filter,
        decided: bool,
        env: &Env<'p>,
        input: &Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        self.eval(left, env, Item::plain(input.value.clone()), &mut |this, item| {
            if item.value.is_true() == decided {
                return this.hand(out, input.made(Value::Bool(decided)));
            }
            this.eval(right, env, Item::plain(input.value.clone()), &mut |this, item| {
                this.hand(out, input.made(Value::Bool(item.value.is_true())))
            })
        })
    }

    /// A body that `break` leaves.
    fn label(&mut self, body: &'p Filter, env: &Env<'p>, input: Item, out: Out<'_, 'p, 'm, 'c>) -> Result {
        self.labels += 1;
        let label = self.labels;
        let env = push(env, Binding::Label(label));
        match self.eval(body, &env, input, out) {
            Err(Stop::Break(broken)) if broken == label => Ok(()),
            result => result,
        }
    }

    /// `//`: what is true of the left side, else the right one.
    fn alternative(
        &mut self,
        left: &'p Filter,
        right: &'p Filter,
        env: &Env<'p>,
        input: Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        let mut any = false;
        self.eval(left, env, input.clone(), &mut |this, item| {
            if !item.value.is_true() {
                return Ok(());
            }
            any = true;
            this.hand(out, item)
        })?;
        if any { Ok(()) } else { self.eval(right, env, input, out) }
    }

    /// `try`, which catches no error of whoever takes the outputs.
    fn catch(
        &mut self,
        body: &'p Filter,
        catch: Option<&'p Filter>,
        env: &Env<'p>,
        input: Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        let mut later = None;
        let result = self.eval(body, env, input.clone(), &mut |this, item| {
            this.hand(out, item).map_err(|stop| match stop {
                Stop::Error(error) => {
                    later = Some(error);
                    Stop::Error(Value::Null)
                }
                stop => stop,
            })
        });
        match (result, later) {
            (Err(Stop::Error(_)), Some(error)) => Err(Stop::Error(error)),
            (Err(Stop::Error(error)), None) => match catch {
                Some(catch) => self.eval(catch, env, input.made(error), out),
                None => Ok(()),
            },
            (result, _) => result,
        }
    }

    /// `if`, of which `branches` are left.
    fn branch(
        &mut self,
        branches: &'p [(Filter, Filter)],
        otherwise: Option<&'p Filter>,
        env: &Env<'p>,
        input: Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        let Some(((when, then), rest)) = branches.split_first() else {
            return match otherwise {
                Some(otherwise) => self.eval(otherwise, env, input, out),
                None => self.hand(out, input),
            };
        };
        if when.is_single() {
            return match self.only(when, env, &input.value)?.is_true() {
                true => self.eval(then, env, input, out),
                false => self.branch(rest, otherwise, env, input, out),
            };
        }
        self.eval(when, env, Item::plain(input.value.clone()), &mut |this, item| match item.value.is_true() {
            true => this.eval(then, env, input.clone(), out),
            false => this.branch(rest, otherwise, env, input.clone(), out),
        })
    }
}

fn compare(comparison: Cmp, left: &Value, right: &Value) -> Result<bool> {
    Ok(match comparison {
        Cmp::Eq => left.equals(right)?,
        Cmp::Ne => !left.equals(right)?,
        Cmp::Lt => left.order(right)?.is_lt(),
        Cmp::Le => left.order(right)?.is_le(),
        Cmp::Gt => left.order(right)?.is_gt(),
        Cmp::Ge => left.order(right)?.is_ge(),
    })
}

/// A message for an error that nobody caught.
pub(super) fn message(error: &Value) -> String {
    match error {
        Value::Text(text) => text.text.clone(),
        other => format!("(not a string): {}", write::compact(other).unwrap_or_else(|_| write::excerpt(other))),
    }
}
