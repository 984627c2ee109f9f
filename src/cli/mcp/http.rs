//! Streamable HTTP: who may connect, who asks, and how many at once.
//!
//! A bearer token is the visitor's session token, checked with every request; a request without one is an anonymous
//! visitor's, and one with a bad one is refused (401). A session belongs to the token that opened it: to all others its
//! id is unknown. `Host` and `Origin` are checked against lists, so that no web page reaches a server of this machine.
use super::{
    Args,
    server::{Docs, Service},
    sessions::Sessions,
};
use crate::cli::{Refusal, open::Visit};
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited, combinators::BoxBody};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use rmcp::transport::streamable_http_server::{SessionManager, StreamableHttpServerConfig, StreamableHttpService};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    convert::Infallible,
    io::{self, Write},
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use tokio::{
    net::TcpListener,
    sync::{OwnedSemaphorePermit, Semaphore},
    time,
};

/// Where the server answers.
const ENDPOINT: &str = "/mcp";
/// Names of this machine, which may always be asked for.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
/// Between two looks at which sessions have ended.
const SWEEP: Duration = Duration::from_secs(10);
/// How long a connection may stay open without the head of a request: clients keep theirs for the next one.
const HEAD: Duration = Duration::from_secs(60);
/// How long the body of a request may take to come.
const BODY: Duration = Duration::from_secs(30);
/// The most bytes of a request: command lines are short.
const REQUEST: usize = 256 * 1024;
/// Files that are kept open besides connections: those of the site and its store, and the process's own.
const OTHER_FILES: usize = 64;
/// What is said to one connection too many. Nothing of it is read first: it might have nothing to say for long.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nConnection: close\r\n\
    Content-Type: text/plain\r\nContent-Length: 39\r\n\r\ntoo many connections; come back later\r\n";
/// From this version of the protocol on there are no sessions.
const SESSIONLESS: &str = "2026-07-28";

/// Where to listen, and whom to answer.
pub(super) struct Rules {
    address: SocketAddr,
    hosts: Vec<String>,
    origins: Vec<String>,
    max_sessions: usize,
    max_connections: usize,
}

impl Rules {
    /// What the flags say; a server that others than this machine can reach must name its hosts.
    pub(super) fn new(args: &Args, address: SocketAddr) -> Result<Rules, Refusal> {
        if args.allow_host.is_empty() && !is_loopback(address.ip()) {
            return Err(Refusal::usage(format_args!(
                "--listen {address}: others than this machine can reach it: name the host that they ask for with \
                 --allow-host"
            )));
        }
        let hosts = LOOPBACK.into_iter().map(String::from).chain(args.allow_host.iter().cloned()).collect();
        Ok(Rules {
            address,
            hosts,
            origins: args.allow_origin.clone(),
            max_sessions: args.max_sessions,
            max_connections: args.max_connections.min(open_files().saturating_sub(OTHER_FILES)),
        })
    }
}

/// How many files the process may have open, once it has asked for as many as it can get.
fn open_files() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    // Whoever may not raise it keeps what there is.
    let files = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
    files.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX))
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Serve until the process ends. Says on stderr where, since port 0 stands for any.
pub(super) async fn serve(rules: Rules, service: Arc<Service>) -> io::Result<()> {
    let listener = TcpListener::bind(rules.address).await?;
    crate::cli::host::say(&format!("docsh: listening on http://{}{ENDPOINT}\n", listener.local_addr()?));
    let connections = Arc::new(Semaphore::new(rules.max_connections.min(Semaphore::MAX_PERMITS)));
    let door = Arc::new(Door::new(rules, service));
    tokio::spawn(door.clone().sweep());
    loop {
        // One that is gone before it was taken, or too many open files, is no reason to end the others.
        let Ok((stream, _)) = listener.accept().await else {
            time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let Ok(place) = connections.clone().try_acquire_owned() else {
            // A fresh connection has room for some lines; one that has not is not waited for.
            let _ = stream.into_std().and_then(|mut stream| stream.write(FULL));
            continue;
        };
        let door = door.clone();
        tokio::spawn(async move {
            let _place = place;
            let answer = service_fn(|request| {
                let door = door.clone();
                async move { Ok::<_, Infallible>(door.answer(request).await) }
            });
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(HEAD);
            // A connection that breaks has nobody to be told.
            let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

type Body = BoxBody<Bytes, Infallible>;

/// What stands between the network and the sessions.
struct Door {
    service: Arc<Service>,
    sessions: StreamableHttpService<Docs, Sessions>,
    manager: Arc<Sessions>,
    guests: Mutex<HashMap<String, Guest>>,
    places: Arc<Semaphore>,
}

/// Whose a session is.
struct Guest {
    bearer: Bearer,
    /// The site as the token showed it when the session began.
    visit: Arc<Visit>,
    _place: OwnedSemaphorePermit,
}

/// A token, told apart from others without being kept; `None` for none.
type Bearer = Option<[u8; 32]>;

impl Door {
    fn new(rules: Rules, service: Arc<Service>) -> Door {
        let manager = Arc::new(Sessions::default());
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(rules.hosts)
            .with_allowed_origins(rules.origins)
            .enforce_origin_validation();
        let docs = service.clone();
        let sessions = StreamableHttpService::new(move || Ok(Docs::new(docs.clone())), manager.clone(), config);
        let places = Arc::new(Semaphore::new(rules.max_sessions.min(Semaphore::MAX_PERMITS)));
        Door { service, sessions, manager, guests: Mutex::default(), places }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        if request.uri().path() != ENDPOINT {
            return refused(StatusCode::NOT_FOUND, "there is nothing here; the server is at /mcp");
        }
        let named = text(request.headers(), "mcp-session-id").map(String::from);
        let (visit, bearer) = match self.admit(request.headers(), named.as_deref()) {
            Ok(admitted) => admitted,
            Err(message) => {
                let mut response = refused(StatusCode::UNAUTHORIZED, &message);
                let scheme = header::HeaderValue::from_static("Bearer error=\"invalid_token\"");
                response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
                return response;
            }
        };
        let mut request = match received(request).await {
            Ok(request) => request,
            Err(refusal) => return refusal,
        };
        request.extensions_mut().insert(visit.clone());
        if let Some(id) = named {
            if self.guests.lock().get(&id).is_none_or(|guest| guest.bearer != bearer) {
                return refused(StatusCode::NOT_FOUND, "there is no such session");
            }
            let is_end = request.method() == Method::DELETE;
            let response = self.sessions.handle(request).await;
            if is_end && response.status().is_success() {
                self.guests.lock().remove(&id);
            }
            return response;
        }
        // A request without a session may open one: whether it does shows in the response.
        let opens = text(request.headers(), "mcp-protocol-version").is_none_or(|version| version < SESSIONLESS);
        let place = self.places.clone().try_acquire_owned().ok();
        if opens && place.is_none() {
            let mut response = refused(StatusCode::SERVICE_UNAVAILABLE, "too many sessions; come back later");
            response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("30"));
            return response;
        }
        let response = self.sessions.handle(request).await;
        if let (Some(id), Some(place)) = (text(response.headers(), "mcp-session-id"), place) {
            self.guests.lock().insert(id.to_string(), Guest { bearer, visit, _place: place });
        }
        response
    }

    /// The site as the bearer of the request's token sees it, or why the token is refused. A token that has begun the
    /// session `named` need not be fit to begin another one: what counts is the session's own end.
    fn admit(&self, headers: &HeaderMap, named: Option<&str>) -> Result<(Arc<Visit>, Bearer), String> {
        let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok((self.service.visit.clone(), None)) };
        let token = value.to_str().ok().and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
        });
        let token = token.ok_or("Authorization: use a bearer token")?;
        let bearer = Some(Sha256::digest(token).into());
        let begun = named.and_then(|id| {
            let guests = self.guests.lock();
            guests.get(id).filter(|guest| guest.bearer == bearer).map(|guest| guest.visit.clone())
        });
        let visit = match begun.filter(|visit| !visit.has_ended()) {
            Some(visit) => visit,
            None => Arc::new(self.service.visit.admit(token).map_err(|refusal| refusal.message)?),
        };
        Ok((visit, bearer))
    }

    /// Give the places of sessions back that have ended by themselves.
    async fn sweep(self: Arc<Door>) {
        loop {
            time::sleep(SWEEP).await;
            let known: Vec<String> = self.guests.lock().keys().cloned().collect();
            for id in known {
                if !self.manager.has_session(&id.as_str().into()).await.unwrap_or(false) {
                    self.guests.lock().remove(&id);
                }
            }
        }
    }
}

/// The request with its body, unless that is too large or does not come.
async fn received(request: Request<Incoming>) -> Result<Request<Full<Bytes>>, Response<Body>> {
    let (head, body) = request.into_parts();
    match time::timeout(BODY, Limited::new(body, REQUEST).collect()).await {
        Ok(Ok(body)) => Ok(Request::from_parts(head, Full::new(body.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(refused(StatusCode::PAYLOAD_TOO_LARGE, &format!("a request has at most {REQUEST} bytes")))
        }
        Ok(Err(_)) => Err(refused(StatusCode::BAD_REQUEST, "the request broke off")),
        Err(_) => Err(refused(StatusCode::REQUEST_TIMEOUT, "the request did not come")),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn refused(status: StatusCode, message: &str) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from(format!("{message}\n"))).boxed());
    *response.status_mut() = status;
    response
}
