//! The cache that a fleet of machines shares. It holds text of pages under the hash of their site, name and version,
//! and nothing else: no tree, no access rule, no name. Whoever can write to it can at worst make it miss, since what it
//! gives is checked against the tree's hash; text without a hash never goes there.
//!
//! A Redis that is slow or gone is left alone for a while, which is told once: a cache must never cost more than it
//! saves.
use super::{
    bridge,
    shelf::{Shelf, ShelfKey},
};
use bytes::Bytes;
use docsh_builtins::Cancel;
use parking_lot::Mutex;
use redis::{AsyncConnectionConfig, Client, RedisResult, aio::MultiplexedConnection};
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long one that failed is left alone.
const REST: Duration = Duration::from_secs(5);
/// How long text is kept that nobody asks for.
const LIFE: u64 = 7 * 24 * 3600;
/// Text above this size is quicker to read from the store than to move around.
const LARGEST: usize = 8 << 20;

/// A Redis server.
pub struct Redis {
    client: Client,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    connection: Option<MultiplexedConnection>,
    rests_until: Option<Instant>,
    trouble: Trouble,
}

/// Whether the server has failed, and whether somebody has been told so.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Trouble {
    #[default]
    None,
    New,
    Told,
}

impl Redis {
    /// The server at `url` (`redis://` or `rediss://`); nobody is asked yet.
    pub fn new(url: &str) -> Result<Redis, String> {
        let client = Client::open(url).map_err(|_| "is not an address, such as redis://host:6379".to_string())?;
        Ok(Redis { client, state: Mutex::default() })
    }

    /// What `work` does with the connection, unless the server fails or rests.
    fn with<T>(
        &self,
        cancel: &Cancel,
        work: impl AsyncFnOnce(&mut MultiplexedConnection) -> RedisResult<T>,
    ) -> Option<T> {
        let known = {
            let state = self.state.lock();
            if state.rests_until.is_some_and(|end| Instant::now() < end) {
                return None;
            }
            state.connection.clone()
        };
        let done = bridge::wait(cancel, async || {
            let mut connection = match known {
                Some(connection) => connection,
                None => {
                    let config = AsyncConnectionConfig::new();
                    let config = config.set_connection_timeout(Some(PATIENCE)).set_response_timeout(Some(PATIENCE));
                    self.client.get_multiplexed_async_connection_with_config(&config).await?
                }
            };
            let result = work(&mut connection).await?;
            Ok::<_, redis::RedisError>((connection, result))
        });
        let mut state = self.state.lock();
        match done {
            Ok(Ok((connection, result))) => {
                *state = State { connection: Some(connection), rests_until: None, trouble: state.trouble };
                Some(result)
            }
            Ok(Err(_)) => {
                let trouble = if state.trouble == Trouble::None { Trouble::New } else { state.trouble };
                *state = State { connection: None, rests_until: Some(Instant::now() + REST), trouble };
                None
            }
            // The run was stopped: nothing is known of the server.
            Err(_) => {
                state.connection = None;
                None
            }
        }
    }
}

fn name(key: &ShelfKey) -> String {
    format!("docsh:v1:{}", key.id)
}

impl Shelf for Redis {
    fn get(&self, keys: &[ShelfKey], cancel: &Cancel) -> Vec<Option<Bytes>> {
        let asked: Vec<&ShelfKey> = keys.iter().filter(|key| key.is_lasting).collect();
        if asked.is_empty() {
            return vec![None; keys.len()];
        }
        let found = self.with(cancel, async |connection| {
            let mut command = redis::cmd("MGET");
            for key in &asked {
                command.arg(name(key));
            }
            command.query_async::<Vec<Option<Bytes>>>(connection).await
        });
        let mut texts: HashMap<ShelfKey, Bytes> = HashMap::new();
        for (key, text) in asked.into_iter().zip(found.unwrap_or_default()) {
            texts.extend(text.map(|text| (*key, text)));
        }
        keys.iter().map(|key| texts.get(key).cloned()).collect()
    }

    fn put(&self, texts: &[(ShelfKey, Bytes)], cancel: &Cancel) {
        let mut pipe = redis::pipe();
        let mut any = false;
        for (key, text) in texts.iter().filter(|(key, text)| key.is_lasting && text.len() <= LARGEST) {
            pipe.cmd("SET").arg(name(key)).arg(&text[..]).arg("EX").arg(LIFE).ignore();
            any = true;
        }
        if any {
            let _ = self.with(cancel, async |connection| pipe.query_async::<()>(connection).await);
        }
    }

    fn trouble(&self) -> Option<&'static str> {
        let mut state = self.state.lock();
        let is_new = state.trouble == Trouble::New;
        if is_new {
            state.trouble = Trouble::Told;
        }
        is_new.then_some("the Redis of [cache] does not answer; its pages are read from the site's store meanwhile")
    }
}
