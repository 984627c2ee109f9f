//! TLS, built at first use (40 µs): rustls on ring, with Mozilla's roots compiled in. The machine's own roots cost 3
//! ms, and are read only where somebody asks for them.
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Whether the machine's roots count, and not the compiled-in ones.
static NATIVE: AtomicBool = AtomicBool::new(false);

/// From now on, trust the machine's certificates, or those in `$SSL_CERT_FILE` and `$SSL_CERT_DIR` where these are set,
/// and no others.
pub fn trust_native_certificates() {
    NATIVE.store(true, Ordering::Relaxed);
}

/// The configuration of every connection.
pub(super) fn config() -> Result<ClientConfig, String> {
    trusting(if NATIVE.load(Ordering::Relaxed) { native()? } else { compiled_in() })
}

/// The configuration where nobody is spoken to over TLS: every connection over it would fail.
pub(super) fn trusting_nobody() -> Result<ClientConfig, String> {
    trusting(RootCertStore::empty())
}

fn trusting(roots: RootCertStore) -> Result<ClientConfig, String> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

fn compiled_in() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    roots
}

fn native() -> Result<RootCertStore, String> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(found.certs);
    match (added, found.errors.first()) {
        (0, Some(error)) => Err(format!("no certificate to trust: {error}")),
        (0, None) => Err("no certificate to trust: this machine has none".into()),
        _ => Ok(roots),
    }
}
