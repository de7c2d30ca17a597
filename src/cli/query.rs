//! `fogwall query OUT.pvs|MAP.ron [PAIRS.csv]`: what the bake and the rays say of pairs of points.
//!
//! Owns the flow of rows: read in batches, answered on all cores, written in their order.
//! Promises: rows before a bad one are written, then the bad one is named by line and column.
//! Must not know how an answer is found (see `answer`).

mod answer;
mod columns;

use super::{Failure, Outcome};
use answer::{Answers, Subject};
use columns::Columns;
use csv::{ByteRecord, Reader, ReaderBuilder};
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufWriter, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Rows read at once; two batches are in memory.
const BATCH_ROWS: usize = 1 << 15;
/// Rows that one task answers.
const TASK_ROWS: usize = 1 << 10;

/// Ask of pairs of points whether they may see each other
///
/// Reads CSV with the columns ex,ey,ez (an eye) and tx,ty,tz (a point of a body), in metres, and perhaps er,tr
/// (how far either may have moved). Other columns are passed through. Writes the rows with three more
/// columns: may_see (the baked answer over all cells the points can belong to), sighted (the segment is free)
/// and possible (some segment between the two disks is free). Of a map source, may_see stays empty.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The baked file, or a map source
    subject: PathBuf,
    /// The pairs; standard input if left out
    pairs: Option<PathBuf>,
}

/// Runs `fogwall query`.
pub(crate) fn run(args: &Args) -> Outcome {
    let subject = Subject::load(&args.subject)?;
    let output = BufWriter::with_capacity(1 << 16, stdout().lock());
    match args.pairs.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| Failure::about(path, error))?;
            answer_all(&subject, file, &name, output)?;
        }
        None => answer_all(&subject, stdin(), "standard input", output)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn answer_all(
    subject: &Subject,
    input: impl Read + Send,
    name: &str,
    mut output: impl Write,
) -> Result<(), Failure> {
    let mut reader = ReaderBuilder::new().buffer_capacity(1 << 16).from_reader(input);
    let in_file = |error: csv::Error| Failure::message(format!("{name}: {error}"));
    let mut header = reader.byte_headers().map_err(in_file)?.clone();
    let columns = Columns::find(&header).map_err(|text| Failure::message(format!("{name}: {text}")))?;
    answer::ADDED_COLUMNS.iter().for_each(|added| header.push_field(added.as_bytes()));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_byte_record(&header)?;
    output.write_all(&writer.into_inner().map_err(|error| Failure::message(error.to_string()))?)?;

    let mut batch = Batch::default();
    let mut next = Batch::default();
    batch.fill(&mut reader);
    while batch.rows > 0 {
        let (answered, ()) = rayon::join(|| batch.answer(subject, &columns), || next.fill(&mut reader));
        for task in answered {
            output.write_all(&task.written)?;
            if let Some(text) = task.wrong {
                output.flush()?;
                return Err(Failure::message(format!("{name}:{text}")));
            }
        }
        if let Some(error) = batch.error.take() {
            output.flush()?;
            return Err(in_file(error));
        }
        std::mem::swap(&mut batch, &mut next);
    }
    output.flush()?;
    batch.error.take().map_or(Ok(()), |error| Err(in_file(error)))
}

/// Rows in the order of the input, and what ended them early.
#[derive(Default)]
struct Batch {
    records: Vec<ByteRecord>,
    rows: usize,
    error: Option<csv::Error>,
}

/// What one task made of its rows.
struct Answered {
    written: Vec<u8>,
    wrong: Option<String>,
}

impl Batch {
    fn fill(&mut self, reader: &mut Reader<impl Read>) {
        self.rows = 0;
        while self.rows < BATCH_ROWS {
            if self.rows == self.records.len() {
                self.records.push(ByteRecord::new());
            }
            match reader.read_byte_record(&mut self.records[self.rows]) {
                Ok(true) => self.rows += 1,
                Ok(false) => break,
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
    }

    fn answer(&self, subject: &Subject, columns: &Columns) -> Vec<Answered> {
        let tasks = self.records[..self.rows].par_chunks(TASK_ROWS);
        tasks
            .map_init(Answers::default, |answers, rows| answer_rows(subject, columns, answers, rows))
            .collect()
    }
}

fn answer_rows(subject: &Subject, columns: &Columns, answers: &mut Answers, rows: &[ByteRecord]) -> Answered {
    let mut writer = csv::Writer::from_writer(Vec::with_capacity(rows.len() * 96));
    let mut wrong = None;
    for row in rows {
        let answered = columns.pair(row).and_then(|pair| answers.answer(subject, &pair));
        match answered {
            Ok(added) => {
                // Writing to memory does not fail, and every row has the header's width.
                let fields = row.iter().chain(added.iter().map(|text| text.as_bytes()));
                if let Err(error) = writer.write_record(fields) {
                    wrong = Some(format!(" {error}"));
                    break;
                }
            }
            Err(text) => {
                let line = row.position().map_or(0, csv::Position::line);
                wrong = Some(format!("{line}: {text}"));
                break;
            }
        }
    }
    let written = writer.into_inner().unwrap_or_default();
    Answered { written, wrong }
}
