//! What one file says, whatever its folder says of it: its hash, its chunks, its frontmatter. It depends on the file's
//! name and bytes alone, so that it may be kept until they change (`known`).
use super::{
    chunks::cut,
    frontmatter::{Frontmatter, is_view},
};
use crate::tree::Hash;
use serde::{Deserialize, Serialize};
use std::{iter, ops::Range};

/// What a file of text says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    /// Bytes of its text.
    pub(super) size: usize,
    /// The hash of its text.
    pub(super) hash: Hash,
    /// Where its chunks end; each begins where the one before does.
    ends: Vec<usize>,
    /// Whether no line of it is spread over two chunks.
    pub(super) line_aligned: bool,
    /// Whether it may describe an API with parts for some visitors only.
    pub(super) view: bool,
    #[serde(with = "FrontmatterFields")]
    pub(super) front: Frontmatter,
}

/// Why a file is no text, and what to tell its author of it: nothing of images and their like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NoText(pub(super) Option<String>);

impl Facts {
    /// What the file `slug` says, of this text.
    pub(super) fn of(slug: &str, text: &str) -> Facts {
        let cut = cut(text);
        Facts {
            size: text.len(),
            hash: Hash::of(text.as_bytes()),
            ends: cut.chunks.into_iter().map(|chunk| chunk.end).collect(),
            line_aligned: cut.line_aligned,
            view: is_view(slug, text),
            front: Frontmatter::of(slug, text),
        }
    }

    /// Where its chunks are.
    pub(super) fn chunks(&self) -> Vec<Range<usize>> {
        let starts = iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| start..end).collect()
    }
}

/// The text of the file `slug`.
pub(super) fn text(slug: &str, bytes: Vec<u8>) -> Result<String, NoText> {
    let is_markdown = [".md", ".mdx"].iter().any(|suffix| slug.ends_with(suffix));
    if let Some(at) = memchr::memchr(0, &bytes) {
        return Err(NoText(is_markdown.then(|| format!("left out: there is a NUL in it, at byte {at}"))));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        NoText(Some(format!("left out: it is not UTF-8, from byte {at} on")))
    })
}

/// The fields of [`Frontmatter`], which the build script uses without serde.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Frontmatter")]
struct FrontmatterFields {
    title: Option<String>,
    label: Option<String>,
    heading: Option<String>,
    public: Option<bool>,
    groups: Vec<String>,
    hidden: bool,
    draft: bool,
    id: Option<String>,
    slug: Option<String>,
    position: Option<i64>,
    openapi: Option<String>,
    updated: Option<i64>,
    fault: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_told_unless_it_is_an_image() {
        let no_text = |slug, bytes: &[u8]| text(slug, bytes.to_vec()).unwrap_err().0;
        assert_eq!(no_text("a.md", b"a\xffb").as_deref(), Some("left out: it is not UTF-8, from byte 1 on"));
        assert_eq!(no_text("a.md", b"ab\0").as_deref(), Some("left out: there is a NUL in it, at byte 2"));
        assert_eq!(no_text("a.png", b"\x89PNG\0"), None);
        assert_eq!(text("a.txt", "é".into()), Ok("é".into()));
    }
}
