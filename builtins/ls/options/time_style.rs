//! How `--time-style` writes times.
use crate::{Error, Result};

/// The forms of a time: of one older than six months or in the future, and of a recent one.
#[derive(Clone, Debug)]
pub(in crate::ls) struct TimeStyle {
    pub(in crate::ls) old: String,
    pub(in crate::ls) recent: String,
}

impl TimeStyle {
    /// The style that `name` names, or that it spells after a `+`.
    pub(super) fn named(style: &str) -> Result<TimeStyle> {
        // In the C locale, which docsh speaks, `posix-` asks for the default.
        let style = if style.starts_with("posix-") { "locale" } else { style };
        let (old, recent) = match style {
            "full-iso" => ("%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M:%S.%N %z"),
            "long-iso" => ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M"),
            "iso" => ("%Y-%m-%d ", "%m-%d %H:%M"),
            "locale" => ("%b %e  %Y", "%b %e %H:%M"),
            custom => match custom.strip_prefix('+') {
                Some(format) => format.split_once('\n').unwrap_or((format, format)),
                None => {
                    let message = format!(
                        "invalid argument ‘{style}’ for ‘time style’\nValid arguments are:\n  - [posix-]full-iso\n  - \
                     [posix-]long-iso\n  - [posix-]iso\n  - [posix-]locale\n  - +FORMAT (e.g., +%H:%M) for a \
                     'date'-style format"
                    );
                    return Err(Error::Usage(message));
                }
            },
        };
        Ok(TimeStyle { old: old.to_string(), recent: recent.to_string() })
    }
}
