//! `fogwall bake --watch`: baking again whenever the source changes.
//!
//! Owns the waiting. Promises: what counts is the source's content, not its time; a faulty source is reported
//! and waited on; Ctrl-C ends it. Must not know how a bake is made.

use super::bake::Job;
use super::progress::stopped;
use super::{Failure, Outcome};
use fogwall::Baked;
use notify::{RecursiveMode, Watcher};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How often Ctrl-C is looked for.
const POLL: Duration = Duration::from_millis(100);
/// Editors write in several steps: the source is read when nothing came for this long.
const SETTLE: Duration = Duration::from_millis(150);

/// Bakes now and after each change, until Ctrl-C.
pub(super) fn run(job: &Job, mut earlier: Option<Baked>) -> Outcome {
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(move |event| {
        // The receiver goes only when the command ends.
        let _ = sender.send(event);
    })?;
    // Editors put a new file in the place of the old one: only the folder sees that.
    let folder = job.source.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    watcher.watch(folder, RecursiveMode::NonRecursive)?;
    anstream::eprintln!("watching {}; Ctrl-C ends it", job.source.display());
    let mut content = None;
    while !stopped() {
        let now = std::fs::read(job.source).ok();
        if now.is_some() && now != content {
            content = now;
            if let Err(failure) = job.run(&mut earlier) {
                failure.print();
            }
        }
        wait(&changes)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns when something changed and then settled, or Ctrl-C was pressed.
fn wait(changes: &Receiver<notify::Result<notify::Event>>) -> Result<(), Failure> {
    loop {
        match changes.recv_timeout(POLL) {
            Ok(change) => {
                change?;
                break;
            }
            Err(RecvTimeoutError::Timeout) if stopped() => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::message("the watch on the source ended"));
            }
        }
    }
    while changes.recv_timeout(SETTLE).is_ok() {}
    Ok(())
}
