//! The body of a server's answer, which is read up to a limit: an answer without an end must not fill the memory.
use bytes::{Bytes, BytesMut};
use reqwest::Response;

/// The most bytes that are made ready before they come.
const HINTED: usize = 8 << 20;

/// Why there is no body.
#[derive(Debug)]
pub(super) enum Unread {
    /// It is longer than what is read.
    TooLong,
    /// The connection broke.
    Broken(reqwest::Error),
}

/// The body of `answer`, of at most so many bytes.
pub(super) async fn body(mut answer: Response, most: u64) -> Result<Bytes, Unread> {
    let length = answer.content_length().unwrap_or(0);
    if length > most {
        return Err(Unread::TooLong);
    }
    // What a server says of the length of its answer is a hint.
    let mut body = BytesMut::with_capacity(usize::try_from(length).unwrap_or(0).min(HINTED));
    while let Some(part) = answer.chunk().await.map_err(Unread::Broken)? {
        if (body.len() + part.len()) as u64 > most {
            return Err(Unread::TooLong);
        }
        body.extend_from_slice(&part);
    }
    Ok(body.freeze())
}
