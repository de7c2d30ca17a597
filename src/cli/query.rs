//! `fogwall query OUT.pvs|MAP.ron [PAIRS.csv]`: what the bake and the rays say of pairs of points.
//!
//! Owns the flow of rows: read in batches, answered on all cores, written in their order.
//! Promises: rows before a bad one are written, then the bad one is named by line and column.
//! Must not know how an answer is found (see `answer`).

mod answer;
mod columns;

use super::words::counted;
use super::{Failure, Outcome};
use answer::{Answer, Answers, Subject};
use columns::Columns;
use csv::{ByteRecord, Reader, ReaderBuilder};
use fogwall::Witnesses;
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
    /// Write wex,wey,wez,wtx,wty,wtz too: a free segment between two cells of the points, if one is certified
    #[arg(long)]
    witness: bool,
}

/// Runs `fogwall query`.
pub(crate) fn run(args: &Args) -> Outcome {
    let subject = Subject::load(&args.subject)?;
    let witnesses = if args.witness { subject.witnesses() } else { None };
    if args.witness && witnesses.is_none() {
        return Err(Failure::message("--witness needs a baked file: a map source certifies nothing"));
    }
    let added = [&columns::ADDED[..], if args.witness { &columns::WITNESS } else { &[] }].concat();
    let job = Job { subject: &subject, witnesses: witnesses.as_ref(), added };
    let output = BufWriter::with_capacity(1 << 16, stdout().lock());
    match args.pairs.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| Failure::about(path, error))?;
            job.answer_all(file, &name, output)?;
        }
        None => job.answer_all(stdin(), "standard input", output)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What is asked, and what is written of it.
struct Job<'a> {
    subject: &'a Subject,
    witnesses: Option<&'a Witnesses<'a>>,
    added: Vec<&'static str>,
}

impl Job<'_> {
    fn answer_all(&self, input: impl Read + Send, name: &str, mut output: impl Write) -> Result<(), Failure> {
        let mut reader = ReaderBuilder::new().buffer_capacity(1 << 16).from_reader(input);
        let in_file = |error: csv::Error| Failure::message(format!("{name}:{}", placed(&error)));
        let mut header = reader.byte_headers().map_err(in_file)?.clone();
        let columns = Columns::find(&header, &self.added);
        let columns = columns.map_err(|text| Failure::message(format!("{name}: {text}")))?;
        self.added.iter().for_each(|added| header.push_field(added.as_bytes()));
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_byte_record(&header)?;
        output.write_all(&writer.into_inner().map_err(|error| Failure::message(error.to_string()))?)?;

        let mut batch = Batch::default();
        let mut next = Batch::default();
        batch.fill(&mut reader);
        while batch.rows > 0 {
            let (answered, ()) = rayon::join(|| batch.answer(self, &columns), || next.fill(&mut reader));
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

    fn answer(&self, job: &Job, columns: &Columns) -> Vec<Answered> {
        let tasks = self.records[..self.rows].par_chunks(TASK_ROWS);
        let answers = || Answers::new(job.subject, job.witnesses);
        tasks
            .map_init(answers, |answers, rows| answer_rows(columns, answers, rows, job.added.len()))
            .collect()
    }
}

/// What is wrong with a row before its numbers are looked at, behind its line if that is known.
fn placed(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos: Some(at), expected_len, len } => {
            format!(
                "{}: the row has {}, the header {expected_len}",
                at.line(),
                counted(*len as usize, "field")
            )
        }
        _ => format!(" {error}"),
    }
}

fn answer_rows(columns: &Columns, answers: &mut Answers, rows: &[ByteRecord], added: usize) -> Answered {
    let mut writer = csv::Writer::from_writer(Vec::with_capacity(rows.len() * 96));
    let mut wrong = None;
    let mut out = ByteRecord::new();
    for row in rows {
        match columns.pair(row) {
            Ok(pair) => {
                out.clone_from(row);
                push(&mut out, &answers.answer(&pair), row.len() + added);
                // Writing to memory does not fail, and every row has the header's width.
                if let Err(error) = writer.write_byte_record(&out) {
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

/// Appends an answer's fields; what has no value stays empty, up to `width` fields.
fn push(out: &mut ByteRecord, answer: &Answer, width: usize) {
    let bit = |value: bool| if value { b"1" } else { b"0" };
    out.push_field(answer.may_see.map_or(b"", |value| bit(value)));
    out.push_field(bit(answer.sighted));
    out.push_field(bit(answer.possible));
    if let Some((from, to)) = answer.witness {
        for value in from.iter().chain(to.iter()) {
            out.push_field(value.to_string().as_bytes());
        }
    }
    while out.len() < width {
        out.push_field(b"");
    }
}
