//! The lines above the first prompt: which site this is, how much of it there is for whom, and how to get on.
use crate::{cli::open::Visit, site::Visitor};

/// The banner of a visit.
pub fn text(visit: &Visit) -> String {
    let pages = match visit.pages() {
        1 => "1 page".to_string(),
        count => format!("{count} pages"),
    };
    let standing = visit.visitor().map_or("as it is".to_string(), standing);
    // A folder's or a group's name is not to steer the terminal.
    let text = format!("docsh: {}, {pages}, {standing}; read-only.", visit.name).replace(char::is_control, "?");
    format!("{text}\n`help` lists the commands. Tab completes, Ctrl-R searches, Ctrl-D leaves.\n")
}

/// How the site sees a visitor.
fn standing(visitor: &Visitor) -> String {
    match visitor {
        Visitor::Anonymous => "as anonymous".to_string(),
        Visitor::SignedIn { groups } if groups.is_empty() => "signed in".to_string(),
        Visitor::SignedIn { groups } => {
            let names: Vec<&str> = groups.iter().map(String::as_str).collect();
            format!("signed in, in {}", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_is_told_as_whom() {
        assert_eq!(standing(&Visitor::Anonymous), "as anonymous");
        assert_eq!(standing(&Visitor::member::<String>([])), "signed in");
        assert_eq!(standing(&Visitor::member(["staff", "beta"])), "signed in, in beta, staff");
    }
}
