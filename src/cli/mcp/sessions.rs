//! The sessions of the HTTP server: to each a queue of what its client says, and back the streams of its requests.
//!
//! The SDK has a manager of its own, which passes whole messages through queues of 32 places each: once used they hold
//! some 90 KB a session, for as long as it lives. Here a place is a pointer. A stream that broke can be taken up again
//! (`Last-Event-ID`) until its request is answered; answers are not kept, since a call is read-only, and asked again.
use futures_util::{Stream, StreamExt, future, stream};
use parking_lot::Mutex;
use rmcp::{
    RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, JsonRpcMessage, JsonRpcRequest,
        ProgressToken, RequestId, ServerJsonRpcMessage, ServerNotification,
    },
    transport::{
        Transport,
        common::server_side_http::session_id,
        streamable_http_server::{SessionId, SessionManager, session::ServerSseMessage},
    },
};
use std::{collections::HashMap, sync::Arc, time::Duration};
use tokio::{
    sync::{mpsc, watch},
    time,
};

/// How long a session lives without a request.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// How long a client waits before it takes a broken stream up again.
const RETRY: Duration = Duration::from_secs(3);
/// Messages of a client that its session has not yet taken.
const UNREAD: usize = 16;
/// Events of a request that its client has not yet taken; of progress beyond them it is not told.
const UNSENT: usize = 16;

/// Who asks a session that is not there any more.
#[derive(Debug, thiserror::Error)]
#[error("the session has ended")]
pub(super) struct Ended;

/// All sessions, by their ids.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<SessionId, Arc<Session>>>);

/// A session as its client sees it. It ends when nobody has this any more.
struct Session {
    inbox: mpsc::Sender<Box<ClientJsonRpcMessage>>,
    requests: Arc<Mutex<Requests>>,
    /// Nothing is ever sent: that it is gone tells the streams that belong to no request.
    alive: watch::Sender<()>,
}

/// A session as its service sees it.
pub(super) struct Line {
    inbox: mpsc::Receiver<Box<ClientJsonRpcMessage>>,
    requests: Arc<Mutex<Requests>>,
}

/// The requests of a session that are not yet answered: a few at a time.
#[derive(Default)]
struct Requests {
    open: Vec<Open>,
    /// How many there have been.
    count: u64,
}

/// A request that is not yet answered.
struct Open {
    /// Which of the session's it is: the event that its stream is taken up again after.
    number: u64,
    id: RequestId,
    progress: Option<ProgressToken>,
    events: mpsc::Sender<ServerSseMessage>,
}

impl Requests {
    /// Note a request; its number, and what will be told of it.
    fn begin(&mut self, request: &JsonRpcRequest<ClientRequest>) -> (u64, mpsc::Receiver<ServerSseMessage>) {
        let (events, stream) = mpsc::channel(UNSENT);
        let number = self.count;
        self.count += 1;
        let progress = request.request.get_meta().get_progress_token();
        self.open.push(Open { number, id: request.id.clone(), progress, events });
        (number, stream)
    }

    /// Where the answer to the request `id` goes; it is the last that is told of it.
    fn end(&mut self, id: &RequestId) -> Option<mpsc::Sender<ServerSseMessage>> {
        let at = self.open.iter().position(|open| open.id == *id)?;
        Some(self.open.swap_remove(at).events)
    }

    /// From now on tell of the request `number` here.
    fn resume(&mut self, number: u64) -> Option<mpsc::Receiver<ServerSseMessage>> {
        let open = self.open.iter_mut().find(|open| open.number == number)?;
        let (events, stream) = mpsc::channel(UNSENT);
        open.events = events;
        Some(stream)
    }
}

impl Sessions {
    fn session(&self, id: &SessionId) -> Result<Arc<Session>, Ended> {
        self.0.lock().get(id).cloned().ok_or(Ended)
    }
}

impl Session {
    async fn tell(&self, message: ClientJsonRpcMessage) -> Result<(), Ended> {
        self.inbox.send(Box::new(message)).await.map_err(|_| Ended)
    }

    /// Ask what has an answer.
    async fn ask(&self, message: ClientJsonRpcMessage) -> Result<(u64, mpsc::Receiver<ServerSseMessage>), Ended> {
        let JsonRpcMessage::Request(request) = &message else { return Err(Ended) };
        let begun = self.requests.lock().begin(request);
        self.tell(message).await?;
        Ok(begun)
    }
}

/// What comes of `events`, until their request is answered.
fn stream_of(mut events: mpsc::Receiver<ServerSseMessage>) -> impl Stream<Item = ServerSseMessage> + Send + Sync {
    stream::poll_fn(move |context| events.poll_recv(context))
}

impl SessionManager for Sessions {
    type Error = Ended;
    type Transport = Line;

    async fn create_session(&self) -> Result<(SessionId, Line), Ended> {
        let id = session_id();
        let (sender, inbox) = mpsc::channel(UNREAD);
        let requests = Arc::<Mutex<Requests>>::default();
        let session = Session { inbox: sender, requests: requests.clone(), alive: watch::Sender::default() };
        self.0.lock().insert(id.clone(), Arc::new(session));
        Ok((id, Line { inbox, requests }))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Ended> {
        let (_, mut events) = self.session(id)?.ask(message).await?;
        let answer = events.recv().await.and_then(|event| event.message);
        answer.map(Arc::unwrap_or_clone).ok_or(Ended)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Ended> {
        Ok(self.0.lock().contains_key(id))
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Ended> {
        self.0.lock().remove(id);
        Ok(())
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Ended> {
        let (number, events) = self.session(id)?.ask(message).await?;
        let first = ServerSseMessage::priming(number.to_string(), RETRY);
        Ok(stream::once(future::ready(first)).chain(stream_of(events)))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Ended> {
        let session = self.session(id)?;
        if let JsonRpcMessage::Notification(told) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &told.notification
            && let Some(request) = &cancelled.params.request_id
        {
            // Nobody is told what comes of it.
            drop(session.requests.lock().end(request));
        }
        session.tell(message).await
    }

    /// Nothing is told that belongs to no request; the stream is open as long as the session.
    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Ended> {
        let mut alive = self.session(id)?.alive.subscribe();
        let end = async move { while alive.changed().await.is_ok() {} };
        Ok(stream::once(end).filter_map(|()| future::ready(None)))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Ended> {
        let number = last_event_id.parse().map_err(|_| Ended)?;
        let events = self.session(id)?.requests.lock().resume(number).ok_or(Ended)?;
        Ok(stream_of(events))
    }
}

impl Transport<RoleServer> for Line {
    type Error = Ended;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = Result<(), Ended>> + Send + 'static {
        let mut requests = self.requests.lock();
        let last = match &message {
            JsonRpcMessage::Response(answer) => requests.end(&answer.id),
            JsonRpcMessage::Error(error) => error.id.as_ref().and_then(|id| requests.end(id)),
            JsonRpcMessage::Notification(told) => {
                if let ServerNotification::ProgressNotification(told) = &told.notification
                    && let token = Some(&told.params.progress_token)
                    && let Some(open) = requests.open.iter().find(|open| open.progress.as_ref() == token)
                {
                    // A slow client is told later, of more.
                    let _ = open.events.try_send(ServerSseMessage::from_message(message));
                    return future::Either::Left(future::ready(Ok(())));
                }
                None
            }
            JsonRpcMessage::Request(_) => None,
        };
        drop(requests);
        future::Either::Right(async move {
            if let Some(events) = last {
                // Whoever asked may have gone.
                let _ = events.send(ServerSseMessage::from_message(message)).await;
            }
            Ok(())
        })
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match time::timeout(IDLE, self.inbox.recv()).await {
                Ok(message) => return message.map(|message| *message),
                Err(_) if self.requests.lock().open.is_empty() => return None,
                Err(_) => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), Ended> {
        self.inbox.close();
        Ok(())
    }
}
