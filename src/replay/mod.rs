//! Replays of recorded matches: what every client knew, and what came late or too early.
//!
//! Owns the course of a replay: a server, simulated links, a replica per observer, the judgement by the second opinion,
//! and what is written of it. Promises: what clients knew is decoded from the datagrams' own bytes.
//! Must not know how the filter decides.

mod baseline;
mod cast;
mod channel;
mod client;
mod files;
mod findings;
mod judge;
mod past;
mod reel;
mod report;
mod rows;
mod run;
mod stopwatch;
mod totals;
mod values;

pub use baseline::Baseline;
pub use channel::LinkOptions;
pub use reel::{MapPicture, Reel, ReelNames, base64};
pub use report::{FieldLine, LeadMs, Quantiles, Report};
pub use run::{Faults, ReplayOptions};

use crate::audit::measure::Outcome;
use crate::map::Baked;
use crate::recording::{Recording, RecordingError};
use crate::rules::{Rules, RulesErrors};
use crate::server::ServerError;
use client::Arrival;
use files::Files;
use run::{Run, View};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a replay ended before its time.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The recording can't be read on.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The rules and the map do not go together.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The rules of another filter do not hold.
    #[error("the rules with another filter: {0}")]
    Rules(#[from] RulesErrors),
    /// A file can't be written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file, or its directory.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

impl ReplayError {
    fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}

/// What is told of a replay in its course.
trait Sink {
    /// Bytes of the recording that were read, and all; whether to go on.
    fn progress(&mut self, done: u64, all: u64) -> bool;
    /// A datagram arrived at an observer's client.
    fn arrival(&mut self, observer: u32, arrival: &Arrival<'_>, tick_ms: f64) -> Result<(), ReplayError>;
    /// Pairs of earlier ticks were judged.
    fn outcomes(&mut self, outcomes: &[Outcome]) -> Result<(), ReplayError>;
    /// A tick ended.
    fn moment(&mut self, view: &View<'_, '_>) -> Result<(), ReplayError>;
}

/// Where a replay writes, and whom it tells how far it is.
pub struct ReplayOutput<'a> {
    /// The directory for `received/`, `packets/` and what was decided; none writes nothing.
    pub directory: Option<&'a Path>,
    /// Whether to keep what a page shows.
    pub reel: bool,
    /// Told how many bytes of how many were read; whether to go on.
    pub progress: &'a mut dyn FnMut(u64, u64) -> bool,
}

/// Replays a recorded match by some rules on a baked map.
///
/// # Errors
/// Where the recording is faulty, where it, the rules and the map do not go together, or where a file can't be written.
pub fn replay(
    recording: Recording,
    baked: &Arc<Baked>,
    rules: &Arc<Rules>,
    options: ReplayOptions,
    output: ReplayOutput<'_>,
) -> Result<Replayed, ReplayError> {
    let rules = options.filter.rules(rules)?;
    let opinion = run::opinion(baked);
    let header = recording.header().clone();
    let files = output.directory.map(|directory| Files::new(directory, rules.schema())).transpose()?;
    let reel = output.reel.then(|| Reel::new(&header));
    let mut sinks = Sinks { files, reel, progress: output.progress };
    let run = Run::new(recording, (baked, &rules), &opinion, options)?;
    let (totals, measures) = run.run(&mut sinks)?;
    if let Some(files) = sinks.files {
        files.finish()?;
    }
    if let Some(reel) = &mut sinks.reel {
        reel.finish();
    }
    Ok(Replayed { report: Report::new(&header, options, &totals, &measures.counts), reel: sinks.reel })
}

/// What came of a replay.
pub struct Replayed {
    /// Its figures.
    pub report: Report,
    /// What a page shows, where that was asked for.
    pub reel: Option<Reel>,
}

/// All who are told.
struct Sinks<'a> {
    files: Option<Files>,
    reel: Option<Reel>,
    progress: &'a mut dyn FnMut(u64, u64) -> bool,
}

impl Sinks<'_> {
    fn all(&mut self) -> impl Iterator<Item = &mut dyn Sink> {
        let files = self.files.iter_mut().map(|files| files as &mut dyn Sink);
        files.chain(self.reel.iter_mut().map(|reel| reel as &mut dyn Sink))
    }
}

impl Sink for Sinks<'_> {
    fn progress(&mut self, done: u64, all: u64) -> bool {
        (self.progress)(done, all)
    }

    fn arrival(&mut self, observer: u32, arrival: &Arrival<'_>, tick_ms: f64) -> Result<(), ReplayError> {
        self.all().try_for_each(|sink| sink.arrival(observer, arrival, tick_ms))
    }

    fn outcomes(&mut self, outcomes: &[Outcome]) -> Result<(), ReplayError> {
        self.all().try_for_each(|sink| sink.outcomes(outcomes))
    }

    fn moment(&mut self, view: &View<'_, '_>) -> Result<(), ReplayError> {
        self.all().try_for_each(|sink| sink.moment(view))
    }
}
