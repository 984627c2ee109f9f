//! The files to count: the operands, or the names in a file of names.
use crate::{Call, Error, InputKind, Result, Status, args::Parsed, quoted, quoted_if_odd, records::Records};

/// The files to count.
pub(super) struct Operands {
    /// Without a name, it is standard input.
    pub(super) names: Vec<Option<String>>,
    /// They come from a pipe and are read one by one: nothing is known of their sizes beforehand.
    pub(super) streamed: bool,
    /// Whether there were names that are none.
    pub(super) status: Status,
}

impl Operands {
    /// What `parsed` names.
    pub(super) fn read(call: &mut Call<'_>, parsed: &Parsed) -> Result<Operands> {
        let names = match (parsed.value("files0-from"), parsed.operands.as_slice()) {
            (Some(list), []) => return Operands::listed(call, list),
            (Some(_), [extra, ..]) => {
                let message =
                    format!("extra operand {}\nfile operands cannot be combined with --files0-from", quoted(extra));
                return Err(Error::usage(message));
            }
            (None, []) => vec![None],
            (None, operands) => operands.iter().cloned().map(Some).collect(),
        };
        Ok(Operands { names, streamed: false, status: Status::OK })
    }

    /// The names in the file `list`; those that cannot be meant are reported and left out.
    fn listed(call: &mut Call<'_>, list: &str) -> Result<Operands> {
        let mut names = Vec::new();
        let mut status = Status::OK;
        for (at, name) in read_names(call, list)?.into_iter().enumerate() {
            let message = match name.as_str() {
                "-" if list == "-" => "when reading file names from stdin, no file name of ‘-’ allowed".to_string(),
                "" => format!("{}:{}: invalid zero-length file name", quoted_if_odd(list), at + 1),
                _ => {
                    names.push(Some(name));
                    continue;
                }
            };
            call.warn(message)?;
            status = Status::FAILURE;
        }
        let streamed = list == "-" && call.stdin.kind() != InputKind::File;
        Ok(Operands { names, streamed, status })
    }
}

/// The names in the file `list`, each ended by a NUL.
fn read_names(call: &mut Call<'_>, list: &str) -> Result<Vec<String>> {
    let opened = if list == "-" { Ok(call.stdin.clone()) } else { call.open(list) };
    let mut input =
        opened.map_err(|error| Error::failed(format!("cannot open {} for reading: {error}", quoted(list))))?;
    let mut records = Records::new(0);
    let mut names = Vec::new();
    while let Some(name) = records.next_bare(&mut input, &mut call.memory)? {
        let name = String::from_utf8_lossy(name).into_owned();
        call.memory.take(name.len() + size_of::<String>())?;
        names.push(name);
    }
    Ok(names)
}
