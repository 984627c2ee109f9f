//! TLS, built at first use (40 µs): rustls on ring, with Mozilla's roots compiled in. The machine's own roots would cost
//! 3 ms at every start.
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use std::sync::Arc;

/// The configuration of every connection.
pub(super) fn config() -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    // The ring provider has the protocol versions that rustls calls safe; anything else is a mistake of the build.
    let builder = builder.with_safe_default_protocol_versions().unwrap_or_else(|error| unreachable!("{error}"));
    builder.with_root_certificates(roots).with_no_client_auth()
}
