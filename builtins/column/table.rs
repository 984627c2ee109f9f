//! The lines as a table: rows of cells, and what is asked of each column.
use super::options::{Names, Options};
use crate::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// A column and how it is shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    /// Its place in a row.
    pub(super) field: usize,
    pub(super) name: Option<String>,
    pub(super) hidden: bool,
    pub(super) right: bool,
    pub(super) truncated: bool,
    pub(super) wrapped: bool,
    /// Unusually long cells do not count for its width.
    pub(super) extremes: bool,
    /// Shown with the branches of the tree.
    pub(super) tree: bool,
}

/// A row and its place among the others.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) cells: Vec<String>,
    /// For each ancestor below the root, and last for itself: whether it is the last child.
    pub(super) branch: Vec<bool>,
}

/// All of it; rows stand as they are shown.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
}

impl Row {
    pub(super) fn cell(&self, column: &Column) -> Option<&str> {
        self.cells.get(column.field).map(String::as_str)
    }
}

impl Table {
    pub(super) fn new(options: &Options, lines: &[String]) -> Result<Table> {
        let rows: Vec<Row> =
            lines.iter().map(|line| Row { cells: fields(line, options), branch: Vec::new() }).collect();
        let names = &options.names;
        if let (true, Some(line)) = (options.json, rows.iter().position(|row| row.cells.len() > names.len())) {
            // The real one counts the columns that are named, and says so of the line.
            let (line, column) = (line + 1, names.len() + 1);
            let message = format!("line {line}: for JSON the name of the column {column} is required");
            return Err(Error::failed(message));
        }
        let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0).max(names.len());
        let column = |field| Column { field, name: names.get(field).cloned(), ..Column::default() };
        let mut table = Table { columns: (0..width).map(column).collect(), rows };
        table.mark(&options.right, |column| column.right = true)?;
        table.mark(&options.truncated, |column| column.truncated = true)?;
        table.mark(options.extreme.as_deref().unwrap_or_default(), |column| column.extremes = true)?;
        table.mark(&options.wrapped, |column| column.wrapped = true)?;
        let named: Names = options.hidden.iter().filter(|name| *name != "-").cloned().collect();
        table.mark(&named, |column| column.hidden = true)?;
        if options.hidden.iter().any(|name| name == "-") {
            table.columns.iter_mut().filter(|column| column.name.is_none()).for_each(|column| column.hidden = true);
        }
        if options.extreme.is_none()
            && let Some(last) = table.columns.iter_mut().rfind(|column| !column.hidden)
        {
            last.extremes = true;
        }
        if let Some(tree) = &options.tree {
            let [shown, id, parent] = [&tree.shown, &tree.id, &tree.parent].map(|name| table.find(name));
            if let (Some(shown), Some(id), Some(parent)) = (shown?, id?, parent?) {
                table.columns[shown].tree = true;
                table.grow(id, parent);
            }
        }
        table.reorder(&options.order)?;
        Ok(table)
    }

    /// The column that `name` names, by its name or by its number; `None` for a number that has none.
    fn find(&self, name: &str) -> Result<Option<usize>> {
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
            let number: Option<usize> = name.parse().ok();
            return Ok(number.and_then(|number| number.checked_sub(1)).filter(|at| *at < self.columns.len()));
        }
        match self
            .columns
            .iter()
            .position(|column| column.name.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(name)))
        {
            Some(at) => Ok(Some(at)),
            None => Err(Error::failed(format!("undefined column name '{name}'"))),
        }
    }

    fn mark(&mut self, names: &[String], set: impl Fn(&mut Column)) -> Result<()> {
        if names.len() == 1 && names[0] == "0" {
            self.columns.iter_mut().for_each(&set);
            return Ok(());
        }
        for name in names {
            if let Some(at) = self.find(name)? {
                set(&mut self.columns[at]);
            }
        }
        Ok(())
    }

    /// The columns of `order` come first.
    fn reorder(&mut self, order: &Names) -> Result<()> {
        let mut first = Vec::new();
        for name in order {
            first.extend(self.find(name)?);
        }
        let rank = |column: &Column| first.iter().rposition(|at| *at == column.field).unwrap_or(first.len());
        self.columns.sort_by_key(rank);
        Ok(())
    }

    /// Put each row below its parent. Rows whose ancestors lead in a circle stand as if they had none.
    fn grow(&mut self, id: usize, parent: usize) {
        let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, row) in self.rows.iter().enumerate() {
            if let Some(id) = row.cells.get(id) {
                by_id.insert(id, at);
            }
        }
        let mut parents: Vec<Option<usize>> = self
            .rows
            .iter()
            .enumerate()
            .map(|(at, row)| {
                row.cells.get(parent).and_then(|id| by_id.get(id.as_str())).copied().filter(|up| *up != at)
            })
            .collect();
        for at in 0..parents.len() {
            let mut seen = BTreeSet::from([at]);
            let mut up = parents[at];
            while let Some(next) = up {
                if !seen.insert(next) {
                    parents[at] = None;
                    break;
                }
                up = parents[next];
            }
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.rows.len()];
        for (at, up) in parents.iter().enumerate() {
            if let Some(up) = up {
                children[*up].push(at);
            }
        }
        let mut waiting: Vec<(usize, Vec<bool>)> =
            (0..parents.len()).rev().filter(|at| parents[*at].is_none()).map(|at| (at, Vec::new())).collect();
        let mut order = Vec::new();
        while let Some((at, branch)) = waiting.pop() {
            for (place, child) in children[at].iter().enumerate().rev() {
                let mut below = branch.clone();
                below.push(place + 1 == children[at].len());
                waiting.push((*child, below));
            }
            order.push((at, branch));
        }
        let mut rows: Vec<Option<Row>> = std::mem::take(&mut self.rows).into_iter().map(Some).collect();
        self.rows =
            order.into_iter().filter_map(|(at, branch)| rows[at].take().map(|row| Row { branch, ..row })).collect();
    }
}

/// The fields of a line.
fn fields(line: &str, options: &Options) -> Vec<String> {
    let limit = options.limit.unwrap_or(usize::MAX);
    let Some(separators) = &options.separators else { return words(line, limit) };
    if line.is_empty() {
        return Vec::new();
    }
    line.splitn(limit, |character| separators.contains(character)).map(str::to_string).collect()
}

/// What stands between runs of blanks. Of the last field of `limit` the real one finds the start by adding up the words
/// before it with one blank each, and its end at the end of the next word that it has already cut off.
fn words(line: &str, limit: usize) -> Vec<String> {
    let is_blank = |character: char| matches!(character, ' ' | '\t');
    let mut words: Vec<String> = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    let mut at = 0;
    let mut start = line.len() - line.trim_start_matches(is_blank).len();
    while words.len() + 1 < limit {
        at += line[at..].len() - line[at..].trim_start_matches(is_blank).len();
        if at == line.len() {
            return words;
        }
        let end = line[at..].find(is_blank).map_or(line.len(), |length| at + length);
        words.push(line[at..end].to_string());
        ends.push(end);
        start += end - at + 1;
        at = end;
        if at < line.len() {
            // The blank that ended the word is gone.
            at += 1;
        }
    }
    let start = if words.is_empty() { 0 } else { start };
    let end = ends.into_iter().find(|end| *end >= start).unwrap_or(line.len());
    words.extend(line.get(start..end).map(str::to_string));
    words
}
