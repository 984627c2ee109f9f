//! What the words of `column` ask for.
use crate::{
    Call, Error, Opt, Result,
    args::{self, Parsed},
};

pub(super) const TABLE: &[Opt] = &[
    Opt::flag('t', &["table"], "t", "create a table"),
    Opt::value('n', &["table-name"], "n", "NAME", "table name for JSON output"),
    Opt::value('O', &["table-order"], "O", "COLUMNS", "specify order of output columns"),
    Opt::value('C', &["table-column"], "C", "PROPERTIES", "define a column: name=NAME,right,trunc,wrap,hide,noextreme"),
    Opt::value('N', &["table-columns"], "N", "NAMES", "comma separated columns names"),
    Opt::value('l', &["table-columns-limit"], "l", "NUM", "maximal number of input columns"),
    Opt::value('E', &["table-noextreme"], "E", "COLUMNS", "don't count long text from the columns to column width"),
    Opt::flag('d', &["table-noheadings"], "d", "don't print header"),
    Opt::flag('m', &["table-maxout"], "m", "fill all available space"),
    Opt::flag('e', &["table-header-repeat"], "e", "repeat header for each page"),
    Opt::value('H', &["table-hide"], "H", "COLUMNS", "don't print the columns"),
    Opt::value('R', &["table-right"], "R", "COLUMNS", "right align text in these columns"),
    Opt::value('T', &["table-truncate"], "T", "COLUMNS", "truncate text in the columns when necessary"),
    Opt::value('W', &["table-wrap"], "W", "COLUMNS", "wrap text in the columns when necessary"),
    Opt::flag('L', &["keep-empty-lines", "table-empty-lines"], "L", "don't ignore empty lines"),
    Opt::flag('J', &["json"], "J", "use JSON output format for table"),
    Opt::value('r', &["tree"], "r", "COLUMN", "column to use tree-like output for the table"),
    Opt::value('i', &["tree-id"], "i", "COLUMN", "line ID to specify child-parent relation"),
    Opt::value('p', &["tree-parent"], "p", "COLUMN", "parent to specify child-parent relation"),
    Opt::value('c', &["output-width", "columns"], "c", "WIDTH", "width of output in number of characters"),
    Opt::value('o', &["output-separator"], "o", "STRING", "columns separator for table output"),
    Opt::value('s', &["separator"], "s", "STRING", "possible table delimiters"),
    Opt::flag('x', &["fillrows"], "x", "fill rows before columns"),
    Opt::flag('h', &["help"], args::HELP, "display this help"),
    Opt::flag('V', &["version"], args::VERSION, "display version"),
];

/// What is made of the lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Columns filled one after another.
    Columns,
    /// Rows filled one after another.
    Rows,
    /// The fields of the lines, aligned.
    Table,
}

/// Columns by name or by number, as the words name them; they are looked up once the table is known.
pub(super) type Names = Vec<String>;

/// What was asked for.
pub(super) struct Options {
    pub(super) mode: Mode,
    pub(super) json: bool,
    pub(super) keep_empty: bool,
    /// Columns of the screen.
    pub(super) width: usize,
    /// Characters that end a field, each of them one; `None` for runs of blanks.
    pub(super) separators: Option<String>,
    pub(super) output_separator: String,
    /// At most so many fields; the last takes the rest of the line.
    pub(super) limit: Option<usize>,
    pub(super) header: bool,
    pub(super) header_repeats: bool,
    pub(super) maximal: bool,
    pub(super) table_name: String,
    pub(super) names: Names,
    pub(super) order: Names,
    pub(super) hidden: Names,
    pub(super) right: Names,
    pub(super) truncated: Names,
    pub(super) wrapped: Names,
    pub(super) extreme: Option<Names>,
    pub(super) tree: Option<Tree>,
}

/// The columns that make a tree of the lines.
pub(super) struct Tree {
    /// Shown with branches.
    pub(super) shown: String,
    pub(super) id: String,
    pub(super) parent: String,
}

/// Lines of a page where no terminal says how many there are.
pub(super) const PAGE: usize = 24;

pub(super) fn read(call: &Call<'_>, parsed: &Parsed) -> Result<Options> {
    exclusive(parsed)?;
    let mut options = Options {
        mode: Mode::Columns,
        json: parsed.has("J"),
        keep_empty: parsed.has("L"),
        width: screen(call),
        separators: parsed.value("s").map(str::to_string),
        output_separator: parsed.value("o").unwrap_or("  ").to_string(),
        limit: None,
        header: !parsed.has("d"),
        header_repeats: parsed.has("e"),
        maximal: parsed.has("m"),
        table_name: parsed.value("n").unwrap_or("table").to_string(),
        names: Names::new(),
        order: list(parsed.value("O")),
        hidden: list(parsed.value("H")),
        right: list(parsed.value("R")),
        truncated: list(parsed.value("T")),
        wrapped: list(parsed.value("W")),
        extreme: parsed.value("E").map(|names| list(Some(names))),
        tree: None,
    };
    for (key, value) in &parsed.options {
        let value = value.as_deref().unwrap_or_default();
        match *key {
            "t" | "J" => options.mode = Mode::Table,
            "x" => options.mode = Mode::Rows,
            "c" if value == "unlimited" => options.width = usize::MAX / 2,
            "c" => options.width = number(value, "columns")?,
            "l" => {
                let limit = number(value, "columns limit")?;
                if limit == 0 {
                    return Err(Error::failed("columns limit must be greater than zero"));
                }
                options.limit = Some(limit);
            }
            "N" => options.names = list(Some(value)),
            "C" => define(&mut options, value)?,
            _ => {}
        }
    }
    options.tree = tree(parsed)?;
    let of_tables = ["O", "n", "H", "R", "T", "W", "E", "N", "C"];
    if options.mode != Mode::Table && of_tables.iter().any(|key| parsed.has(key)) {
        return Err(Error::failed("option --table required for all --table-*"));
    }
    if options.json && options.names.is_empty() {
        return Err(Error::failed("option --table-columns required for --json"));
    }
    Ok(options)
}

fn exclusive(parsed: &Parsed) -> Result<()> {
    for (key, name) in [("J", "--json"), ("t", "--table")] {
        if parsed.has(key) && parsed.has("x") {
            return Err(Error::failed(format!("mutually exclusive arguments: {name} --fillrows")));
        }
    }
    Ok(())
}

/// Columns of the screen: of the terminal, of `COLUMNS`, or 80.
fn screen(call: &Call<'_>) -> usize {
    let terminal = call.stdout.terminal().map(|terminal| usize::from(terminal.columns));
    let asked = || call.session.env("COLUMNS")?.parse().ok();
    terminal.or_else(asked).unwrap_or(80)
}

fn number(text: &str, what: &str) -> Result<usize> {
    match text.trim_start().trim_start_matches('+').parse::<u32>() {
        Ok(number) => Ok(number as usize),
        Err(_) => Err(Error::failed(format!("invalid {what} argument: '{text}'"))),
    }
}

fn list(text: Option<&str>) -> Names {
    text.unwrap_or_default().split(',').filter(|name| !name.is_empty()).map(str::to_string).collect()
}

fn tree(parsed: &Parsed) -> Result<Option<Tree>> {
    let Some(shown) = parsed.value("r") else { return Ok(None) };
    match (parsed.value("i"), parsed.value("p")) {
        (Some(id), Some(parent)) => {
            Ok(Some(Tree { shown: shown.to_string(), id: id.to_string(), parent: parent.to_string() }))
        }
        _ => Err(Error::failed("options --tree-id and --tree-parent are required for tree formatting")),
    }
}

/// `-C name=NAME,PROPERTY...`: one more column.
fn define(options: &mut Options, properties: &str) -> Result<()> {
    let number = (options.names.len() + 1).to_string();
    let mut name = String::new();
    for property in properties.split(',') {
        let property = property.trim();
        match property.split_once('=').unwrap_or((property, "")) {
            ("name", value) => name = value.trim_matches('"').to_string(),
            ("right", _) => options.right.push(number.clone()),
            ("trunc", _) => options.truncated.push(number.clone()),
            ("wrap", _) => options.wrapped.push(number.clone()),
            ("hide" | "hidden", _) => options.hidden.push(number.clone()),
            ("noextreme" | "noextremes", _) => options.extreme.get_or_insert_default().push(number.clone()),
            ("left" | "strictwidth" | "", _) => {}
            _ => return Err(Error::failed(format!("failed to parse column properties: '{properties}'"))),
        }
    }
    options.names.push(name);
    Ok(())
}
