//! Writes a recording line by line.

use super::error::RecordingError;
use super::line::{CutLine, RecordingHeader, TickLine};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A recording that is being written.
pub struct RecordingWriter {
    path: PathBuf,
    bytes: Sink,
}

enum Sink {
    Plain(BufWriter<File>),
    Gzip(Box<GzEncoder<BufWriter<File>>>),
}

impl RecordingWriter {
    /// Begins a recording; gzipped where the name ends with `.gz`.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn create(path: impl AsRef<Path>, header: &RecordingHeader) -> Result<Self, RecordingError> {
        let path = path.as_ref().to_owned();
        let file = File::create(&path).map_err(|source| RecordingError::Io { path: path.clone(), source })?;
        let plain = BufWriter::new(file);
        let is_gzip = path.extension().is_some_and(|extension| extension == "gz");
        let bytes = if is_gzip {
            Sink::Gzip(Box::new(GzEncoder::new(plain, Compression::default())))
        } else {
            Sink::Plain(plain)
        };
        let mut writer = Self { path, bytes };
        writer.line(header)?;
        Ok(writer)
    }

    /// Writes a tick.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn tick(&mut self, tick: &TickLine) -> Result<(), RecordingError> {
        self.line(tick)
    }

    /// Writes that what follows does not go on from what went before.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn cut(&mut self, cut: &CutLine) -> Result<(), RecordingError> {
        self.line(cut)
    }

    /// Ends the recording: it is not whole before.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn finish(self) -> Result<(), RecordingError> {
        let Self { path, bytes } = self;
        let ended = match bytes {
            Sink::Plain(mut plain) => plain.flush(),
            Sink::Gzip(gzip) => gzip.finish().and_then(|mut plain| plain.flush()),
        };
        ended.map_err(|source| RecordingError::Io { path, source })
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), RecordingError> {
        let written = match &mut self.bytes {
            Sink::Plain(plain) => write_line(plain, line),
            Sink::Gzip(gzip) => write_line(gzip, line),
        };
        written.map_err(|source| RecordingError::Io { path: self.path.clone(), source })
    }
}

fn write_line(bytes: &mut impl Write, line: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *bytes, line)?;
    bytes.write_all(b"\n")
}
