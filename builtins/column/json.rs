//! The table as JSON: `{"NAME": [{"column": "cell", …}, …]}`, the children of a row within it.
use super::{
    options::Options,
    table::{Row, Table},
};
use crate::{Call, Result};
use std::io::Write;

pub(super) fn print(call: &mut Call<'_>, options: &Options, table: &Table) -> Result<()> {
    write!(call.stdout, "{{\n   {}: [\n", text(&options.table_name.to_lowercase()))?;
    let mut depth = 0;
    let mut begins = true;
    for (at, row) in table.rows.iter().enumerate() {
        call.cancel.check()?;
        if row.branch.len() > depth {
            depth = row.branch.len();
        } else {
            while depth > row.branch.len() {
                close(call, depth)?;
                depth -= 1;
            }
            if at > 0 {
                call.stdout.write_all(b",")?;
            }
        }
        open(call, table, row, depth, begins)?;
        begins = table.rows.get(at + 1).is_some_and(|next| next.branch.len() > depth);
        match begins {
            true => write!(call.stdout, ",\n{}\"children\": [\n", indent(depth, 3))?,
            false => write!(call.stdout, "\n{}}}", indent(depth, 2))?,
        }
    }
    for depth in (1..=depth).rev() {
        close(call, depth)?;
    }
    call.stdout.write_all(b"\n   ]\n}\n")?;
    Ok(())
}

/// The beginning of an object and its own cells; `begins` if it is the first in its list.
fn open(call: &mut Call<'_>, table: &Table, row: &Row, depth: usize, begins: bool) -> Result<()> {
    let before = if begins { indent(depth, 2) } else { String::new() };
    write!(call.stdout, "{before}{{")?;
    for (place, column) in table.columns.iter().filter(|column| !column.hidden).enumerate() {
        let comma = if place > 0 { "," } else { "" };
        let name = text(&column.name.as_deref().unwrap_or_default().to_lowercase());
        let value = row.cell(column).filter(|cell| !cell.is_empty()).map_or("null".to_string(), text);
        write!(call.stdout, "{comma}\n{}{name}: {value}", indent(depth, 3))?;
    }
    Ok(())
}

/// The end of the children of depth `depth`, and of the object that holds them.
fn close(call: &mut Call<'_>, depth: usize) -> Result<()> {
    write!(call.stdout, "\n{}]\n{}}}", indent(depth - 1, 3), indent(depth - 1, 2))?;
    Ok(())
}

/// Three blanks a level; each level of the tree is two of them.
fn indent(depth: usize, levels: usize) -> String {
    "   ".repeat(levels + 2 * depth)
}

fn text(cell: &str) -> String {
    let mut text = String::from("\"");
    for character in cell.chars() {
        match character {
            '"' => text += "\\\"",
            '\\' => text += "\\\\",
            '\u{8}' => text += "\\b",
            '\u{c}' => text += "\\f",
            '\n' => text += "\\n",
            '\r' => text += "\\r",
            '\t' => text += "\\t",
            control if control < ' ' || control == '\u{7f}' => text += &format!("\\u{:04x}", control as u32),
            character => text.push(character),
        }
    }
    text + "\""
}
