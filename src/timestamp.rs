//! Times as authors and pipelines write them. The build script reads them too.

/// Seconds since the epoch of an RFC 3339 time, or of a date.
pub(crate) fn seconds(text: &str) -> Option<i64> {
    let utc = |time| jiff::tz::TimeZone::UTC.to_timestamp(time).ok();
    let time = text.parse().ok().or_else(|| utc(text.parse().ok()?));
    time.map(|time: jiff::Timestamp| time.as_second())
}
