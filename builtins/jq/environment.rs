//! What names mean while a filter runs, and how definitions are called.
use super::{
    evaluate::{Interpreter, Item, Out, Result, Stop},
    filter::{Filter, Function},
    meter,
    natives::ValueFn,
    value::Value,
};
use crate::{Error, Status};
use std::rc::Rc;

/// What names mean: a list with the innermost binding first, shared by all that was bound later.
pub(super) type Env<'p> = Option<Rc<Node<'p>>>;

pub(super) struct Node<'p> {
    pub(super) binding: Binding<'p>,
    outer: Env<'p>,
}

pub(super) enum Binding<'p> {
    Value(Value),
    /// A definition; its own environment begins with this node.
    Function(&'p Function),
    /// A filter as an argument, and the environment it was given in.
    Filter(&'p Filter, Env<'p>),
    Label(u64),
}

pub(super) fn bind<'p>(env: &Env<'p>, value: Value) -> Env<'p> {
    push(env, Binding::Value(value))
}

pub(super) fn push<'p>(env: &Env<'p>, binding: Binding<'p>) -> Env<'p> {
    Some(Rc::new(Node { binding, outer: env.clone() }))
}

pub(super) fn node<'e, 'p>(env: &'e Env<'p>, place: usize) -> &'e Env<'p> {
    let mut env = env;
    for _ in 0..place {
        if let Some(node) = env {
            env = &node.outer;
        }
    }
    env
}

/// Calls inside each other, at most. jq's own recursion goes deeper only where it is the last thing done.
const DEPTH: usize = 20_000;

impl<'p, 'm, 'c> Interpreter<'p, 'm, 'c> {
    /// Go one call deeper.
    pub(super) fn nested(&mut self, step: impl FnOnce(&mut Self) -> Result) -> Result {
        if self.depth >= DEPTH {
            let message = format!("filter call depth limit of {DEPTH} reached");
            return Err(Stop::Fatal(Error::Failed(message, Status(126))));
        }
        meter::check()?;
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        result
    }

    pub(super) fn call_function(
        &mut self,
        function: &'p Function,
        outer: &Env<'p>,
        arguments: &'p [Filter],
        env: &Env<'p>,
        input: Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        let mut inner = outer.clone();
        for argument in arguments {
            // A parameter that is handed on is what it was, not a filter that asks for it.
            inner = match argument {
                Filter::Parameter(place) => match node(env, *place).as_deref() {
                    Some(Node { binding: Binding::Filter(filter, outer), .. }) => {
                        push(&inner, Binding::Filter(filter, outer.clone()))
                    }
                    _ => push(&inner, Binding::Filter(argument, env.clone())),
                },
                argument => push(&inner, Binding::Filter(argument, env.clone())),
            };
        }
        self.nested(|this| this.bind_values(function, &function.values, arguments, env, &inner, input, out))
    }

    /// Bind those parameters that are values, too, and run the body.
    #[allow(clippy::too_many_arguments, reason = "what a call of a function is: who, with what, where, on what")]
    fn bind_values(
        &mut self,
        function: &'p Function,
        values: &[usize],
        arguments: &'p [Filter],
        env: &Env<'p>,
        inner: &Env<'p>,
        input: Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        let Some((first, rest)) = values.split_first() else { return self.eval(&function.body, inner, input, out) };
        self.eval(&arguments[*first], env, Item::plain(input.value.clone()), &mut |this, item| {
            let inner = bind(inner, item.value);
            this.bind_values(function, rest, arguments, env, &inner, input.clone(), out)
        })
    }

    /// Call a function of values for every combination of its arguments; the last argument is run first.
    pub(super) fn native(
        &mut self,
        function: ValueFn,
        arguments: &'p [Filter],
        env: &Env<'p>,
        input: Item,
        values: &mut Vec<Value>,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        let Some((last, rest)) = arguments.split_last() else {
            let ordered: Vec<Value> = values.iter().rev().cloned().collect();
            let value = function(self, &input.value, &ordered)?;
            meter::check()?;
            return self.hand(out, input.made(value));
        };
        self.eval(last, env, Item::plain(input.value.clone()), &mut |this, item| {
            values.push(item.value);
            let result = this.native(function, rest, env, input.clone(), values, out);
            values.pop();
            result
        })
    }
}
