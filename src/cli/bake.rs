//! `fogwall bake MAP.ron`: from a map source to a baked file.
//!
//! Owns the order of the steps and the summary. Promises: the file is written whole or not at all; Ctrl-C ends
//! with exit 130 and no file. Must not know how pairs of cells are classified.

use super::output::{self, Pairs};
use super::progress::{INTERRUPTED, Meter, catch_interrupts, stopped};
use super::words::counted;
use super::{Failure, Outcome, diagnostics, target, watch};
use fogwall::{
    BakeOptions, BakeQuality, Baked, Cell, Cells, DEFAULT_HEARABLE_RADIUS_M, Earlier, Hearable, Map, Solids,
    bake_from,
};
use serde::Serialize;
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Unresolved of revealed pairs above which the summary points to `info`.
const WORTH_A_LOOK: f64 = 0.005;

/// Bake a map source: which cells may see which, certified
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The map source
    map: PathBuf,
    /// Where to write the baked file; beside the source if left out
    #[arg(short, long, value_name = "OUT.pvs")]
    output: Option<PathBuf>,
    /// An earlier bake of your own; what the change since can't affect is taken over, unchecked
    #[arg(long, value_name = "OLD.pvs")]
    from: Option<PathBuf>,
    /// How many threads to use; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Bake coarser in a fraction of the time; as safe, with more pairs unresolved
    #[arg(long)]
    draft: bool,
    /// Bake again whenever the source changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `fogwall bake`.
pub(crate) fn run(args: &Args) -> Outcome {
    catch_interrupts()?;
    let threads = usize::from(args.threads.unwrap_or(0));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut earlier = match &args.from {
        Some(path) => Some(Baked::load(path).map_err(|error| Failure::about(path, error))?),
        None => None,
    };
    let job = Job {
        source: &args.map,
        output: args.output.clone().unwrap_or_else(|| args.map.with_extension("pvs")),
        quality: if args.draft { BakeQuality::Draft } else { BakeQuality::Full },
        json: args.json,
        pool,
    };
    target::differs(&job.output, job.source, "the baked file")?;
    if args.watch {
        return watch::run(&job, earlier);
    }
    job.run(&mut earlier)?;
    Ok(if earlier.is_some() { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

/// What is baked to where, and how.
pub(super) struct Job<'a> {
    pub(super) source: &'a Path,
    output: PathBuf,
    quality: BakeQuality,
    json: bool,
    pool: rayon::ThreadPool,
}

impl Job<'_> {
    /// Bakes, writes the file and prints the summary.
    ///
    /// `earlier` is the bake to start from, and then the new one; none if Ctrl-C ended it; as before if the source
    /// is faulty.
    pub(super) fn run(&self, earlier: &mut Option<Baked>) -> Result<(), Failure> {
        let map = diagnostics::load(self.source)?;
        let start = Instant::now();
        let known = earlier.take().filter(|earlier| self.has_settings_of(earlier, &map));
        let baked = match known {
            Some(known) if known.check_source(&map).is_ok() => Some(known),
            known => self.pool.install(|| self.bake(map, known.as_ref()))?,
        };
        let Some(baked) = baked.filter(|_| !stopped()) else {
            anstream::eprintln!("stopped; nothing was written");
            return Ok(());
        };
        let written = self.pool.install(|| baked.save(&self.output));
        let file_bytes = written.map_err(|error| Failure::about(&self.output, error))?;
        let seconds = start.elapsed().as_secs_f64();
        Summary::of(&baked, seconds, self.pool.current_num_threads(), file_bytes).print(self)?;
        *earlier = Some(baked);
        Ok(())
    }

    /// Whether an earlier bake has the settings of this one; tells if not.
    fn has_settings_of(&self, earlier: &Baked, map: &Map) -> bool {
        let draft = self.quality == BakeQuality::Draft;
        let same_measures = earlier.map.player == map.player && earlier.map.cell_size == map.cell_size;
        match (earlier.draft, draft) {
            (true, false) => tell_full("it is a draft"),
            (false, true) => tell_full("it is no draft"),
            _ if !same_measures => tell_full("its player or cell_size differs"),
            _ => {}
        }
        earlier.draft == draft && same_measures
    }

    fn bake(&self, map: Map, known: Option<&Baked>) -> Result<Option<Baked>, Failure> {
        let meter = Meter::new();
        meter.say("cells");
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids).map_err(|error| Failure::about(self.source, error))?;
        if cells.is_empty() {
            anstream::eprintln!("warning: there are no cells: nobody can stand anywhere on this map");
        }
        if known.is_some_and(|known| !share_a_cell(&known.cells, &cells)) {
            tell_full("no cell of it is a cell of this map");
        }
        meter.say("pairs of cells");
        let known = known.map(|Baked { solids, cells, pvs, .. }| Earlier { solids, cells, pvs });
        let options = BakeOptions { quality: self.quality, ..BakeOptions::default() };
        let (pvs, hearable) = rayon::join(
            || bake_from(&map.player, map.cell_size, &solids, &cells, options, known, &meter),
            || Hearable::build(&map, &solids, &cells, DEFAULT_HEARABLE_RADIUS_M),
        );
        meter.clear();
        // The one reason to fail is that the meter said to stop.
        let Ok(pvs) = pvs else { return Ok(None) };
        Ok(Some(Baked::new(map, solids, cells, pvs, hearable, self.quality == BakeQuality::Draft)))
    }
}

/// Tells why an earlier bake saves no work.
fn tell_full(reason: &str) {
    anstream::eprintln!(
        "note: nothing of the earlier bake can be taken over ({reason}): this is a full bake"
    );
}

fn share_a_cell(before: &Cells, now: &Cells) -> bool {
    let mut by_column: HashMap<(i32, i32), Vec<&Cell>> = HashMap::new();
    before.as_slice().iter().for_each(|cell| by_column.entry(cell.column).or_default().push(cell));
    now.as_slice().iter().any(|cell| by_column.get(&cell.column).is_some_and(|near| near.contains(&cell)))
}

#[derive(Serialize)]
struct Summary {
    map: String,
    cells: usize,
    #[serde(flatten)]
    pairs: Pairs,
    seconds: f64,
    threads: usize,
    file_bytes: u64,
    /// How high over its floor an eye is in a jump, metres.
    #[serde(skip)]
    highest_eye_m: f64,
}

impl Summary {
    fn of(baked: &Baked, seconds: f64, threads: usize, file_bytes: u64) -> Self {
        Self {
            map: baked.map.name.clone(),
            cells: baked.cells.len(),
            pairs: baked.pvs.counts().into(),
            seconds,
            threads,
            file_bytes,
            highest_eye_m: baked.map.player.eye_standing + baked.map.player.jump,
        }
    }

    fn print(&self, job: &Job) -> Result<(), Failure> {
        if job.json {
            return output::json_line(self);
        }
        let mut out = std::io::stdout().lock();
        let Self { map, cells, pairs, seconds, threads, file_bytes, highest_eye_m } = self;
        let Pairs { hidden, visible, unresolved, .. } = *pairs;
        let revealed = (visible + unresolved).max(1) as f64;
        writeln!(out, "{map}: {}, {}", counted(*cells, "cell"), counted(pairs.pairs, "pair"))?;
        if pairs.pairs > 0 {
            writeln!(
                out,
                "  hidden {:.2} %, visible {:.2} %, unresolved {:.3} % ({:.2} % of revealed)",
                pairs.percent(hidden),
                pairs.percent(visible),
                pairs.percent(unresolved),
                100.0 * unresolved as f64 / revealed
            )?;
        }
        write!(out, "  {seconds:.1} s on {}", counted(*threads, "thread"))?;
        if visible + unresolved > 0 {
            let micros = seconds * 1e6 * *threads as f64 / revealed;
            write!(out, ", {micros:.1} µs of a thread per revealed pair")?;
        }
        writeln!(out, "\n  {}: {file_bytes} bytes", job.output.display())?;
        if pairs.pairs > 0 && hidden == 0 {
            writeln!(
                out,
                "  nothing is hidden: in a jump an eye is {highest_eye_m:.2} m over its floor, and sees over all that is lower"
            )?;
        }
        if unresolved as f64 > WORTH_A_LOOK * revealed {
            writeln!(
                out,
                "  `fogwall info {}` says which solids leave pairs unresolved",
                job.output.display()
            )?;
        }
        Ok(())
    }
}
