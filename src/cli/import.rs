//! `fogwall import`: a level of another format as a map source.
//!
//! Owns the choice of the importer by the file's name, and the writing of the result.
//! Promises: the file appears whole or not at all; notes go to standard error; what it wrote has been checked.
//! Must not know the formats.

use super::words::counted;
use super::{Failure, Outcome, target};
use fogwall::{Imported, Map, import_tiled, import_wad, wad_levels};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Files larger than this are not read: no level is, and the whole file is held in memory.
const MOST_BYTES: u64 = 256 << 20;

/// Turn a Doom level or a Tiled map into a map source
#[derive(clap::Args)]
pub(crate) struct Args {
    /// FILE.wad, MAP.tmx or MAP.tmj
    file: PathBuf,
    /// Level of a WAD, such as MAP01 or E1M1; may be left out where there is only one
    #[arg(long)]
    level: Option<String>,
    /// File to write; standard output where left out
    #[arg(short, long, value_name = "MAP.ron")]
    output: Option<PathBuf>,
}

/// Runs `fogwall import`.
pub(crate) fn run(args: &Args) -> Outcome {
    if let Some(output) = &args.output {
        target::differs(output, &args.file, "the map source")?;
    }
    let imported = match extension(&args.file).as_str() {
        "wad" => from_wad(args)?,
        "tmx" | "tmj" | "json" => import_tiled(&args.file)?,
        other => {
            let text = format!("{}: a .{other} file can't be imported", args.file.display());
            return Err(Failure::message(text));
        }
    };
    for note in &imported.notes {
        anstream::eprintln!("note: {note}");
    }
    let text = imported.map.to_source();
    let name = match &args.output {
        Some(path) => {
            target::write(path, text.as_bytes())?;
            path.display().to_string()
        }
        None => {
            anstream::stdout().write_all(text.as_bytes())?;
            "<standard output>".to_owned()
        }
    };
    report(&text, &name, args.output.as_deref())
}

/// Validates what was written, and says what it is; `file` where it was written to one.
fn report(text: &str, name: &str, file: Option<&Path>) -> Outcome {
    let loaded = Map::parse(text, name)?;
    let Map { solids, doors, floors, areas, spawns, .. } = &loaded.map;
    let counts = [
        counted(solids.len(), "solid"),
        counted(doors.len(), "door"),
        counted(floors.len(), "floor"),
        counted(areas.len(), "area"),
        counted(spawns.len(), "spawn"),
    ];
    anstream::eprintln!("{name}: {}", counts.join(", "));
    let warnings = loaded.warnings.iter().filter(|w| !w.problem.is_note()).count() + loaded.omitted;
    if warnings > 0 {
        let shows = match (file, warnings) {
            (Some(path), 1) => format!("`fogwall check {}` shows it", path.display()),
            (Some(path), _) => format!("`fogwall check {}` shows them", path.display()),
            (None, _) => "save the map and run `fogwall check` on it".to_owned(),
        };
        anstream::eprintln!("{}: {shows}", counted(warnings, "warning"));
    }
    Ok(ExitCode::SUCCESS)
}

fn from_wad(args: &Args) -> Result<Imported, Failure> {
    let path = &args.file;
    let in_file = |text: String| Failure::message(format!("{}: {text}", path.display()));
    let size = std::fs::metadata(path).map_err(|e| in_file(e.to_string()))?.len();
    if size > MOST_BYTES {
        return Err(in_file(format!("{size} bytes; at most {MOST_BYTES} are read")));
    }
    let bytes = std::fs::read(path).map_err(|e| in_file(e.to_string()))?;
    let level = match &args.level {
        Some(level) => level.clone(),
        None => only_level(&bytes).map_err(in_file)?,
    };
    let name = format!("{}_{}", stem(path), level).to_lowercase();
    import_wad(&bytes, &level, &name).map_err(|e| in_file(e.to_string()))
}

fn only_level(bytes: &[u8]) -> Result<String, String> {
    let levels = wad_levels(bytes).map_err(|e| e.to_string())?;
    match levels.as_slice() {
        [level] => Ok(level.clone()),
        [] => Err("it has no levels".to_owned()),
        _ => Err(format!("name one of its levels with --level: {}", levels.join(", "))),
    }
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
