//! A session of the MCP server: what it says of itself, and how it runs a call.
use super::{
    resources,
    tool::{self, Arguments},
};
use crate::{
    cli::{
        Refusal,
        answer::{self, Answer},
        observe::Watch,
        open::{self, Visit},
        portrait::Portrait,
    },
    shell::{Mode, Shell},
    site::{Scratch, SharedRoom},
};
use docsh_builtins::{Cancel, Fs, Input, Limits, Stop};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
        ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
};
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    task,
    time::{self, Instant},
};

/// Between two reports of progress.
const REPORT: Duration = Duration::from_millis(500);
/// Calls of one session that may wait for their turn.
const WAITING: usize = 64;

/// What all sessions share.
pub(super) struct Service {
    /// The site, as whoever started the process sees it; over HTTP, as nobody in particular does.
    pub(super) visit: Arc<Visit>,
    limits: Limits,
    /// Ends everything.
    signals: Cancel,
    terms: Terms,
    /// What the scratch folders of all sessions take their room from.
    scratch: SharedRoom,
    /// A permit a call that runs.
    calls: Semaphore,
}

/// How calls are run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// At once, of all sessions.
    pub(super) calls: usize,
    /// At once, of one session.
    pub(super) session_calls: usize,
    /// Bytes shown of each stream.
    pub(super) shown: usize,
    /// `--scratch`, in bytes.
    pub(super) scratch: Option<u64>,
    /// `--max-scratch`, in bytes.
    pub(super) max_scratch: u64,
    /// `--trace`.
    pub(super) is_traced: bool,
}

/// One session.
pub(super) struct Docs {
    service: Arc<Service>,
    /// Its `/tmp`, if it has one.
    scratch: Option<Scratch>,
    /// A permit a call that runs.
    calls: Semaphore,
    /// A permit a call that runs or waits.
    places: Semaphore,
}

impl Service {
    pub(super) fn new(visit: Visit, limits: Limits, signals: Cancel, terms: Terms) -> Service {
        let (scratch, calls) = (SharedRoom::new(terms.max_scratch), Semaphore::new(terms.calls));
        Service { visit: Arc::new(visit), limits, signals, terms, scratch, calls }
    }

    /// Run one call in a fresh shell, with the `/tmp` of its session.
    fn answer(
        &self,
        visit: &Visit,
        scratch: Option<&Scratch>,
        arguments: &Arguments,
        cancel: &Cancel,
    ) -> Result<Answer, Refusal> {
        let watch = Watch::start(self.terms.is_traced);
        let time = self.limits.time;
        let cancel = time.map_or(cancel.clone(), |time| cancel.within(time));
        let site = visit.renew(&cancel)?;
        let fs = scratch.map_or(site.clone(), |scratch| scratch.over(site));
        let session = open::session(&*fs, arguments.cwd.as_deref())?;
        let mut shell = Shell::new(fs, self.limits.clone(), session, Mode::Command);
        let terms = answer::Terms {
            stdin: Input::empty(),
            time,
            output: self.limits.output,
            shown: self.terms.shown,
            is_last: true,
        };
        Ok(answer::run(&mut shell, &arguments.command, terms, watch, &cancel).0)
    }
}

impl Docs {
    pub(super) fn new(service: Arc<Service>) -> Docs {
        let Terms { session_calls, scratch, .. } = service.terms;
        let scratch = scratch.map(|size| Scratch::sharing(size, &service.scratch));
        Docs { scratch, calls: Semaphore::new(session_calls), places: Semaphore::new(session_calls + WAITING), service }
    }

    /// The site as whoever asks sees it: the request's bearer, else whoever started the process.
    fn visit(&self, context: &RequestContext<RoleServer>) -> Arc<Visit> {
        let bearer = context.extensions.get::<::http::request::Parts>();
        bearer.and_then(|parts| parts.extensions.get::<Arc<Visit>>()).unwrap_or(&self.service.visit).clone()
    }

    /// A turn among the session's calls, and among all.
    async fn turn(&self) -> Option<(SemaphorePermit<'_>, SemaphorePermit<'_>)> {
        Some((self.calls.acquire().await.ok()?, self.service.calls.acquire().await.ok()?))
    }

    async fn call(&self, arguments: Arguments, context: RequestContext<RoleServer>) -> CallToolResult {
        let Ok(_place) = self.places.try_acquire() else {
            return tool::failed("too many calls of this session at once; wait for their results");
        };
        let turn = tokio::select! {
            turn = self.turn() => turn,
            () = context.ct.cancelled() => None,
        };
        let Some(_turn) = turn else { return tool::failed("cancelled") };
        let run = Stopped(self.service.signals.alone());
        let (service, visit, cancel) = (self.service.clone(), self.visit(&context), run.0.clone());
        let scratch = self.scratch.clone();
        let mut work = task::spawn_blocking(move || service.answer(&visit, scratch.as_ref(), &arguments, &cancel));
        let start = Instant::now();
        let mut reports = time::interval_at(start + REPORT, REPORT);
        let token = context.meta.get_progress_token();
        let answer = loop {
            tokio::select! {
                answer = &mut work => break answer,
                // The shell notices, and its answer then says so; nobody may wait for it any more.
                () = context.ct.cancelled(), if run.0.check().is_ok() => run.0.stop(Stop::Interrupted),
                _ = reports.tick(), if token.is_some() => {
                    let Some(token) = token.clone() else { continue };
                    let cost = run.0.usage().look();
                    let report = ProgressNotificationParam::new(token, start.elapsed().as_secs_f64());
                    let told = format!("{} pages read, {} requests", cost.pages_read, cost.requests);
                    // A client that does not take it still gets its answer.
                    let _ = context.peer.notify_progress(report.with_message(told)).await;
                }
            }
        };
        match answer {
            Ok(Ok(answer)) => tool::shown(&answer),
            Ok(Err(refusal)) => tool::failed(&format!("docsh: {}", refusal.message)),
            Err(_) => tool::failed("docsh: the command broke off; this is a fault of docsh"),
        }
    }
}

/// A run that stops when nobody waits for it any more.
struct Stopped(Cancel);

impl Drop for Stopped {
    fn drop(&mut self) {
        self.0.stop(Stop::Abandoned);
    }
}

impl ServerHandler for Docs {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let name = &self.service.visit.name;
        let server = Implementation::new("docsh", env!("CARGO_PKG_VERSION")).with_title(format!("The {name} docs"));
        ServerConfig::new(capabilities).with_server_info(server).with_instructions(format!(
            "The documentation of {name}, explored with shell commands. Search it before you answer from memory."
        ))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let (visit, cancel) = (self.visit(&context), self.service.signals.alone());
        let portrait = blocking(move || Ok(Portrait::of(&visit.name, &*renewed(&visit, &cancel)?))).await??;
        Ok(ListToolsResult::with_all_items(vec![tool::tool(&portrait, &self.service.terms)]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = Portrait { site: self.service.visit.name.clone(), ..Portrait::default() }.tool();
        if request.name != name {
            return Err(ErrorData::invalid_params(format!("there is no tool {}; there is {name}", request.name), None));
        }
        Ok(match Arguments::read(request.arguments) {
            Ok(arguments) => self.call(arguments, context).await,
            Err(wrong) => tool::failed(&wrong),
        }
        .into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let (visit, cancel) = (self.visit(&context), self.service.signals.alone());
        let cursor = request.and_then(|request| request.cursor);
        blocking(move || Ok(resources::list(&visit.name, &*renewed(&visit, &cancel)?, cursor.as_deref()))).await?
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![resources::template(&self.service.visit.name)]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let visit = self.visit(&context);
        let run = Stopped(self.service.signals.alone());
        let cancel = self.service.limits.time.map_or(run.0.clone(), |time| run.0.within(time));
        let read = blocking(move || {
            let fs = renewed(&visit, &cancel)?;
            resources::read(&visit.name, &*fs, &request.uri, &cancel)
        });
        tokio::select! {
            read = read => read?.map(ReadResourceResponse::from),
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
        }
    }
}

/// The site as the visitor sees it now, if the session has not ended.
fn renewed(visit: &Visit, cancel: &Cancel) -> Result<Arc<dyn Fs>, ErrorData> {
    visit.renew(cancel).map_err(|refusal| ErrorData::internal_error(refusal.message, None))
}

/// Do what may wait on a thread where waiting is no harm.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ErrorData> {
    task::spawn_blocking(work).await.map_err(|_| ErrorData::internal_error("the work broke off", None))
}
