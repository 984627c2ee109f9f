//! The client of every server that is asked over HTTP: it follows no redirects, asks no proxy, trusts whom [`tls`]
//! says, and gives up on a server that is silent.
use super::tls;
use reqwest::{Client, ClientBuilder, redirect};
use rustls::ClientConfig;
use std::time::Duration;

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(5);

/// A client to be, for servers that may be silent for so long.
pub(super) fn builder(silence: Duration) -> Result<ClientBuilder, String> {
    Ok(with(tls::config()?, silence))
}

/// The same for the server at `url` alone. Where that speaks no TLS nobody is trusted, which saves reading whom to
/// trust.
pub(super) fn builder_for(url: &str, silence: Duration) -> Result<ClientBuilder, String> {
    if url.starts_with("http://") { Ok(with(tls::trusting_nobody()?, silence)) } else { builder(silence) }
}

fn with(tls: ClientConfig, silence: Duration) -> ClientBuilder {
    let builder = Client::builder().tls_backend_preconfigured(tls);
    let builder = builder.redirect(redirect::Policy::none()).no_proxy();
    builder.connect_timeout(CONNECT).read_timeout(silence)
}

/// A client for servers that may be silent for so long.
pub(super) fn client(silence: Duration) -> Result<Client, String> {
    builder(silence)?.build().map_err(|error| error.to_string())
}
