//! Reads a recording line by line.

use super::error::RecordingError;
use super::line::{CutLine, Line, LineKind, RecordingHeader, TickLine};
use super::place::{Step, Wrong, column};
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Bytes that a line may have: a hostile file must not fill the memory.
const MOST_LINE_BYTES: u64 = 64 << 20;
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// A recording that is being read.
pub struct Recording {
    path: PathBuf,
    bytes: Box<dyn BufRead + Send>,
    header: RecordingHeader,
    /// Lines read.
    line: u64,
    /// Tick of the last line that was taken; the next has to be later.
    last_tick: Option<u32>,
    text: Vec<u8>,
    consumed: Arc<Consumed>,
    file_bytes: u64,
}

/// What was read of the file as it lies on the disk.
#[derive(Default)]
struct Consumed {
    bytes: AtomicU64,
    hash: Mutex<blake3::Hasher>,
}

#[derive(Deserialize)]
struct Peek {
    #[serde(rename = "type")]
    kind: LineKind,
}

/// Counts what is read of a file.
struct Counted<R> {
    inner: R,
    consumed: Arc<Consumed>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(room)?;
        self.consumed.bytes.fetch_add(count as u64, Ordering::Relaxed);
        if let Ok(mut hash) = self.consumed.hash.lock() {
            hash.update(&room[..count]);
        }
        Ok(count)
    }
}

impl Recording {
    /// Opens a recording, gzipped or not, and reads its header.
    ///
    /// # Errors
    /// Where the file can't be read, or its first line is no header of version 1.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        let path = path.as_ref();
        let io = |source| RecordingError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        let file_bytes = file.metadata().map_err(io)?.len();
        let consumed = Arc::<Consumed>::default();
        let counted = Counted { inner: file, consumed: Arc::clone(&consumed) };
        let mut raw = BufReader::with_capacity(1 << 16, counted);
        let is_gzip = raw.fill_buf().map_err(io)?.starts_with(&GZIP_MAGIC);
        let bytes: Box<dyn BufRead + Send> =
            if is_gzip { Box::new(BufReader::new(MultiGzDecoder::new(raw))) } else { Box::new(raw) };
        let header = RecordingHeader {
            kind: LineKind::Header,
            version: 1,
            map: String::new(),
            tick_hz: 0.0,
            interp_ms: None,
            observers: Vec::new(),
            ext: None,
        };
        let path = path.to_owned();
        let mut recording =
            Self { path, bytes, header, line: 0, last_tick: None, text: Vec::new(), consumed, file_bytes };
        recording.header = recording.read_header()?;
        Ok(recording)
    }

    /// Its first line.
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// Lines that were read.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Bytes of the file that were read, and that it has.
    pub fn progress(&self) -> (u64, u64) {
        (self.consumed.bytes.load(Ordering::Relaxed), self.file_bytes)
    }

    /// Hash (BLAKE3) of what was read of the file; of all of it, once its last line was read.
    pub(crate) fn hash(&self) -> [u8; 32] {
        let hash = self.consumed.hash.lock();
        hash.map_or([0; 32], |hash| *hash.finalize().as_bytes())
    }

    /// An error about the line that was read last.
    pub(crate) fn fault(&self, column: usize, what: impl Into<String>) -> RecordingError {
        RecordingError::Line { path: self.path.clone(), line: self.line, column, what: what.into() }
    }

    /// An error about an element of the line that was read last.
    pub(crate) fn wrong(&self, wrong: &Wrong) -> RecordingError {
        self.fault(column(&self.text, &wrong.way), wrong.what.as_str())
    }

    /// The next line; none at the end.
    ///
    /// # Errors
    /// Where the file can't be read, or a line is faulty: the one after it may then be read.
    pub fn read(&mut self) -> Result<Option<Line>, RecordingError> {
        loop {
            if !self.fetch()? {
                return Ok(None);
            }
            if self.text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let line = self.parse_line()?;
            let tick = match &line {
                Line::Cut(cut) => cut.tick,
                Line::Tick(tick) => tick.tick,
            };
            let is_cut = matches!(line, Line::Cut(_));
            if self.last_tick.is_some_and(|last| tick < last || tick == last && !is_cut) {
                let what = format!("tick {tick} does not come after the one before");
                return Err(self.wrong(&Wrong::at(&[Step::Key("tick")], what)));
            }
            // A cut names the tick that follows it.
            self.last_tick = if is_cut { tick.checked_sub(1) } else { Some(tick) };
            return Ok(Some(line));
        }
    }

    fn parse_line(&self) -> Result<Line, RecordingError> {
        match self.parse::<Peek>()?.kind {
            LineKind::Header => Err(self.fault(1, "a second header")),
            LineKind::Cut => Ok(Line::Cut(self.parse::<CutLine>()?)),
            LineKind::Tick => {
                let tick = self.parse::<TickLine>()?;
                check_names(&tick).map_err(|wrong| self.wrong(&wrong))?;
                Ok(Line::Tick(tick))
            }
        }
    }

    fn read_header(&mut self) -> Result<RecordingHeader, RecordingError> {
        if !self.fetch()? {
            return Err(self.fault(1, "the file is empty"));
        }
        if self.parse::<Peek>()?.kind != LineKind::Header {
            return Err(self.fault(1, "the first line is no header"));
        }
        let header: RecordingHeader = self.parse()?;
        if header.version != 1 {
            return Err(self.fault(1, format!("version {}: only 1 is read", header.version)));
        }
        let twice = twice(header.observers.iter().map(|observer| observer.id));
        if let Some((item, id)) = twice {
            let what = format!("observer {id} is named twice");
            return Err(self.wrong(&Wrong::of("observers", item, "id", what)));
        }
        let is_ms = |ms: f64| (0.0..=1000.0).contains(&ms);
        if !(1.0..=1000.0).contains(&header.tick_hz) || !header.interp_ms.is_none_or(is_ms) {
            return Err(self.fault(1, "tick_hz has to be from 1 to 1000, and interp_ms from 0 to 1000"));
        }
        Ok(header)
    }

    /// Reads a line's bytes; whether there was one.
    fn fetch(&mut self) -> Result<bool, RecordingError> {
        self.text.clear();
        self.line += 1;
        let read = (&mut self.bytes).take(MOST_LINE_BYTES).read_until(b'\n', &mut self.text);
        let count = read.map_err(|source| RecordingError::Io { path: self.path.clone(), source })?;
        if count as u64 == MOST_LINE_BYTES {
            return Err(self.fault(1, "a line of over 64 MiB"));
        }
        Ok(count > 0)
    }

    fn parse<'a, T: Deserialize<'a>>(&'a self) -> Result<T, RecordingError> {
        serde_json::from_slice(&self.text).map_err(|error| {
            let text = error.to_string();
            // Each line is read by itself: the place is told by the error's own.
            let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
            self.fault(error.column().max(1), what)
        })
    }
}

/// What is named twice in a tick, if anything is.
fn check_names(tick: &TickLine) -> Result<(), Wrong> {
    let of = |list, key, found: Option<(usize, String)>| match found {
        Some((item, what)) => Err(Wrong::of(list, item, key, format!("{what} is named twice"))),
        None => Ok(()),
    };
    let text = |kind: &str, found: Option<(usize, &str)>| {
        found.map(|(item, name)| (item, format!("{kind} {name:?}")))
    };
    let number =
        |kind: &str, found: Option<(usize, u32)>| found.map(|(item, id)| (item, format!("{kind} {id}")));
    let entities = || tick.entities.iter().map(|entity| entity.id);
    of("entities", "id", number("entity", twice(entities())))?;
    let removed = twice(entities().chain(tick.removed.iter().copied()));
    if let Some((item, id)) = removed {
        let way = [Step::Key("removed"), Step::Item(item - tick.entities.len())];
        return Err(Wrong::at(&way, format!("entity {id} is named twice")));
    }
    of("observers", "id", number("observer", twice(tick.observers.iter().map(|observer| observer.id))))?;
    of("occluders", "id", text("occluder", twice(tick.occluders.iter().map(|line| line.id.as_str()))))?;
    of("doors", "id", text("door", twice(tick.doors.iter().map(|line| line.id.as_str()))))
}

/// The first that was there before, and its place.
fn twice<T: Copy + Eq + std::hash::Hash>(names: impl Iterator<Item = T>) -> Option<(usize, T)> {
    let mut seen = HashSet::with_capacity(names.size_hint().0);
    names.enumerate().find(|(_, name)| !seen.insert(*name))
}
