//! The client of every server that is asked over HTTP: it follows no redirects, asks no proxy, trusts whom [`tls`] says,
//! and gives up on a server that is silent.
use super::tls;
use reqwest::{Client, ClientBuilder, redirect};
use std::time::Duration;

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(5);

/// A client to be, for servers that may be silent for so long.
pub(super) fn builder(silence: Duration) -> Result<ClientBuilder, String> {
    let builder = Client::builder().tls_backend_preconfigured(tls::config()?);
    let builder = builder.redirect(redirect::Policy::none()).no_proxy();
    Ok(builder.connect_timeout(CONNECT).read_timeout(silence))
}

/// The same as a client.
pub(super) fn client(silence: Duration) -> Result<Client, String> {
    builder(silence)?.build().map_err(|error| error.to_string())
}
