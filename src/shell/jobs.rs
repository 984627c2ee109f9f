//! Background jobs: lists that end with `&`. They run and are collected; there is no job control.
//!
//! Jobs belong to the run: at its end they are waited for until the deadline, then stopped.
use super::{interp::Interp, jump::Outcome};
use docsh_builtins::{Cancel, Status, Stop};
use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
    time::Duration,
};

/// One job.
pub struct Job {
    /// How it ended.
    pub status: Arc<OnceLock<Status>>,
    /// Stops it alone.
    pub cancel: Cancel,
}

/// The jobs of one shell, by virtual process id.
#[derive(Default)]
pub struct Jobs(pub BTreeMap<u32, Job>);

impl Jobs {
    /// How many have not ended.
    pub fn running(&self) -> usize {
        self.0.values().filter(|job| job.status.get().is_none()).count()
    }

    /// Stop what still runs.
    pub fn stop(&self) {
        for job in self.0.values() {
            job.cancel.stop(Stop::Abandoned);
        }
    }
}

impl Interp {
    /// Wait for job `pid` to end and forget it; 127 when there is none.
    pub fn wait_for(&mut self, pid: u32) -> Outcome {
        let Some(job) = self.jobs.0.get(&pid) else { return Ok(Status(127)) };
        let status = job.status.clone();
        loop {
            if let Some(status) = status.get() {
                self.jobs.0.remove(&pid);
                return Ok(*status);
            }
            self.cancel.sleep(Duration::from_millis(1))?;
        }
    }

    /// This subshell ends: its jobs go on, and belong to the run.
    pub fn leave_jobs(&mut self) {
        let jobs = std::mem::take(&mut self.jobs.0);
        self.world.orphans.lock().extend(jobs.into_values());
    }

    /// Wait for all jobs at the end of the run. A limit that the last of them has reached is one of the run.
    pub fn wait_for_jobs(&mut self) -> Outcome<()> {
        self.wait_for_all()?;
        self.wait_for_orphans()?;
        Ok(self.cancel.was_asked()?)
    }

    /// Wait for the jobs that subshells have left, those that they leave meanwhile included.
    fn wait_for_orphans(&mut self) -> Outcome<()> {
        loop {
            let orphan = self.world.orphans.lock().pop();
            let Some(orphan) = orphan else { return Ok(()) };
            while orphan.status.get().is_none() {
                if let Err(stop) = self.cancel.sleep(Duration::from_millis(1)) {
                    orphan.cancel.stop(Stop::Abandoned);
                    return Err(stop.into());
                }
            }
        }
    }

    /// Wait for every job. A stop ends the waiting and the jobs.
    pub fn wait_for_all(&mut self) -> Outcome<()> {
        let pids: Vec<u32> = self.jobs.0.keys().copied().collect();
        for pid in pids {
            self.wait_for(pid)?;
        }
        Ok(())
    }
}
