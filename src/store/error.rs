//! What goes wrong below a site. `Display` is one line for whoever runs docsh: it names the site and what to mend.
//! [`StoreError::cause`] is what a visitor may read.
use crate::tree::Refusal;
use docsh_builtins::Stop;
use std::sync::Arc;

/// A failed request to a store.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be read.
    #[error("{folder}: {cause}")]
    Folder {
        /// The folder as named.
        folder: String,
        /// The system's words.
        cause: String,
    },
    /// There is no such site.
    #[error("site {site}: there is no {file}; make it with `docsh ingest DIR --site {site}`")]
    NoSite {
        /// The site's name.
        site: Arc<str>,
        /// The file looked for.
        file: String,
    },
    /// The file is not a site.
    #[error("site {site}: {file} {reason}")]
    BadFile {
        /// The site's name.
        site: Arc<str>,
        /// The file.
        file: String,
        /// What is wrong, as the end of a sentence.
        reason: String,
    },
    /// The server does not answer.
    #[error("site {site}: the Chroma server at {url} cannot be reached ({cause}); is it running, and is `url` right?")]
    Unreachable {
        /// The site's name.
        site: Arc<str>,
        /// The server's address, as configured.
        url: Arc<str>,
        /// Why not.
        cause: String,
    },
    /// The server refuses these credentials.
    #[error("site {site}: the Chroma server at {url} refuses the request ({message}); check the site's `headers`")]
    Refused {
        /// The site's name.
        site: Arc<str>,
        /// The server's address.
        url: Arc<str>,
        /// The server's words.
        message: String,
    },
    /// The server answers, but not what was asked.
    #[error("site {site}: the Chroma server at {url} gives an unexpected answer ({message})")]
    Unexpected {
        /// The site's name.
        site: Arc<str>,
        /// The server's address.
        url: Arc<str>,
        /// What it answers.
        message: String,
    },
    /// There is no such collection.
    #[error(
        "site {site}: there is no collection {collection:?} in {database} at {url}; check `collection`, `database` and `tenant`, or make it with `docsh ingest DIR --site {site} --to chroma`"
    )]
    NoCollection {
        /// The site's name.
        site: Arc<str>,
        /// The server's address.
        url: Arc<str>,
        /// The collection.
        collection: Arc<str>,
        /// Tenant and database.
        database: String,
    },
    /// The collection is not a site.
    #[error("site {site}: the collection {collection:?} has no record `__path_tree__`; write one with `docsh ingest`")]
    NoTree {
        /// The site's name.
        site: Arc<str>,
        /// The collection.
        collection: Arc<str>,
    },
    /// The record of the tree is there and cannot be used.
    #[error("site {site}: the record `__path_tree__` {reason}; write it again with `docsh ingest`")]
    BadRecord {
        /// The site's name.
        site: Arc<str>,
        /// What is wrong, as the end of a sentence.
        reason: String,
    },
    /// The tree is not one.
    #[error("site {site}: its path tree cannot be used: {refusal}")]
    BadTree {
        /// The site's name.
        site: Arc<str>,
        /// What is wrong with it.
        refusal: Refusal,
    },
    /// A page is not as the tree says.
    #[error("site {site}: the page {slug:?} {reason}; write it again with `docsh ingest`")]
    BadPage {
        /// The site's name.
        site: Arc<str>,
        /// The page.
        slug: String,
        /// What is wrong, as the end of a sentence.
        reason: String,
    },
    /// The store belongs to somebody else.
    #[error("site {site}: {reason}")]
    Foreign {
        /// The site's name.
        site: Arc<str>,
        /// Why it is not written to, and what to do.
        reason: String,
    },
    /// A file that the site only points to.
    #[error("the file {reason}")]
    Lazy {
        /// What is wrong, as the end of a sentence that names no address.
        reason: String,
    },
    /// The server of embeddings does not give any.
    #[error("the server of embeddings at {url} cannot be used: {reason}; see the configuration's [embeddings]")]
    Embeddings {
        /// The server's address, as configured.
        url: Arc<str>,
        /// Why not.
        reason: String,
    },
    /// The cache cannot be as configured.
    #[error("the `redis` of the configuration's [cache] {reason}")]
    BadCache {
        /// What is wrong, as the end of a sentence.
        reason: String,
    },
    /// The machine has nothing left for a runtime or a client.
    #[error("site {site}: no connection can be made ({cause})")]
    NoClient {
        /// The site's name.
        site: Arc<str>,
        /// The system's words.
        cause: String,
    },
    /// The run was stopped while waiting.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl StoreError {
    /// The status of a process that cannot start for this reason.
    pub fn status(&self) -> u8 {
        match self {
            StoreError::Unreachable { .. }
            | StoreError::Unexpected { .. }
            | StoreError::Embeddings { .. }
            | StoreError::NoClient { .. } => 69,
            StoreError::Stopped(stop) => stop.status(),
            StoreError::Folder { .. }
            | StoreError::NoSite { .. }
            | StoreError::BadFile { .. }
            | StoreError::Refused { .. }
            | StoreError::NoCollection { .. }
            | StoreError::NoTree { .. }
            | StoreError::BadRecord { .. }
            | StoreError::BadTree { .. }
            | StoreError::BadPage { .. }
            | StoreError::Foreign { .. }
            | StoreError::Lazy { .. }
            | StoreError::BadCache { .. } => 78,
        }
    }

    /// The cause in a visitor's words: no host, no credential, no name of what the visitor may not see.
    pub fn cause(&self) -> Arc<str> {
        match self {
            StoreError::Unreachable { .. } | StoreError::NoClient { .. } => "the site's store cannot be reached".into(),
            StoreError::Refused { .. } | StoreError::Unexpected { .. } => "the site's store gives no answer".into(),
            StoreError::Lazy { reason } => format!("the file {reason}").into(),
            StoreError::BadPage { reason, .. } => format!("the page {reason}").into(),
            StoreError::Stopped(stop) => stop.to_string().into(),
            StoreError::Folder { .. }
            | StoreError::NoSite { .. }
            | StoreError::BadFile { .. }
            | StoreError::NoCollection { .. }
            | StoreError::NoTree { .. }
            | StoreError::BadRecord { .. }
            | StoreError::BadTree { .. }
            | StoreError::Foreign { .. }
            | StoreError::Embeddings { .. }
            | StoreError::BadCache { .. } => "the site cannot be read".into(),
        }
    }
}
