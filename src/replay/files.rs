//! What a replay leaves in its directory: what each client received, its datagrams, and what was decided.
//!
//! Promises: lines and bytes as FORMATS.md has them, written as the match goes. Must not know what they show.

use super::client::Arrival;
use super::findings::Findings;
use super::run::{View, verdict_name};
use super::{ReplayError, Sink};
use crate::audit::measure::Outcome;
use crate::filter::Verdict;
use crate::ids::NetRef;
use crate::replica::ReplicaEntity;
use crate::wire::{ColumnSet, Encoding, Schema, Value};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the file that holds what was decided.
pub(super) const VERDICTS: &str = "verdicts.jsonl.gz";

/// Name of the file that holds what came late and what was told too much.
pub(super) const FINDINGS: &str = "findings.jsonl";

/// The files of a replay.
pub(super) struct Files {
    directory: PathBuf,
    schema: Arc<Schema>,
    lines: BTreeMap<u32, Received>,
    packets: BTreeMap<u32, BufWriter<File>>,
    verdicts: GzEncoder<BufWriter<File>>,
    findings: Findings,
    found: BufWriter<File>,
    /// The last verdict of each pair, by its place among those that fell so far.
    known: HashMap<(u32, u32), u16>,
    names: Vec<(Verdict, String)>,
}

struct Received {
    file: BufWriter<File>,
    pending: Option<Pending>,
}

/// What arrived within one tick.
#[derive(Default, Serialize)]
struct Pending {
    tick: u32,
    server_tick: u32,
    packet_bytes: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    created: Vec<Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    updated: Vec<Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    removed: Vec<Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sounds: Vec<Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<Json>,
}

/// One change of what was decided about a pair.
#[derive(Serialize)]
struct VerdictLine<'a> {
    tick: u32,
    observer: u32,
    entity: u32,
    class: &'a str,
    /// What a player is to the observer: `own`, `ally` or `enemy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    verdict: &'a str,
}

impl Files {
    /// Begins the files of a replay in a directory, which is made where it is not there.
    pub(super) fn new(directory: &Path, schema: &Arc<Schema>) -> Result<Self, ReplayError> {
        // What an earlier replay left says nothing of this one.
        for name in ["report.json", "report.html"] {
            remove(std::fs::remove_file(directory.join(name)), directory)?;
        }
        for name in ["received", "packets"] {
            let path = directory.join(name);
            remove(std::fs::remove_dir_all(&path), &path)?;
            std::fs::create_dir_all(&path).map_err(|source| ReplayError::io(&path, source))?;
        }
        let path = directory.join(VERDICTS);
        let verdicts = File::create(&path).map_err(|source| ReplayError::io(&path, source))?;
        let path = directory.join(FINDINGS);
        let found = File::create(&path).map_err(|source| ReplayError::io(&path, source))?;
        Ok(Self {
            directory: directory.to_owned(),
            schema: Arc::clone(schema),
            lines: BTreeMap::new(),
            packets: BTreeMap::new(),
            verdicts: GzEncoder::new(BufWriter::new(verdicts), Compression::fast()),
            findings: Findings::default(),
            found: BufWriter::new(found),
            known: HashMap::new(),
            names: Vec::new(),
        })
    }

    fn create(&self, folder: &str, name: &str) -> Result<BufWriter<File>, ReplayError> {
        let path = self.directory.join(folder).join(name);
        Ok(BufWriter::new(File::create(&path).map_err(|source| ReplayError::io(&path, source))?))
    }

    /// Begins an observer's files, where they are not there yet.
    fn open(&mut self, observer: u32) -> Result<(), ReplayError> {
        if !self.lines.contains_key(&observer) {
            let file = self.create("received", &format!("{observer}.jsonl"))?;
            self.lines.insert(observer, Received { file, pending: None });
            let file = self.create("packets", &format!("{observer}.bin"))?;
            self.packets.insert(observer, file);
        }
        Ok(())
    }

    /// The place of a verdict's name.
    fn name(&mut self, verdict: Verdict) -> u16 {
        let place = self.names.iter().position(|(other, _)| *other == verdict);
        place.unwrap_or_else(|| {
            self.names.push((verdict, verdict_name(verdict)));
            self.names.len() - 1
        }) as u16
    }

    fn failed(&self) -> impl Fn(std::io::Error) -> ReplayError + use<> {
        let directory = self.directory.clone();
        move |source| ReplayError::io(&directory, source)
    }

    /// Ends all files.
    pub(super) fn finish(mut self) -> Result<(), ReplayError> {
        let failed = self.failed();
        for received in self.lines.values_mut() {
            received.flush().and_then(|()| received.file.flush()).map_err(&failed)?;
        }
        self.packets.values_mut().try_for_each(Write::flush).map_err(&failed)?;
        let Self { findings, found, .. } = &mut self;
        let mut written = Ok(());
        findings.finish(|finding| {
            if written.is_ok() {
                written = write_line(found, &finding);
            }
        });
        written.and_then(|()| self.found.flush()).map_err(&failed)?;
        self.verdicts.finish().and_then(|mut file| file.flush()).map_err(&failed)
    }
}

impl Sink for Files {
    fn progress(&mut self, _: u64, _: u64) -> bool {
        true
    }

    fn arrival(&mut self, observer: u32, arrival: &Arrival<'_>, tick_ms: f64) -> Result<(), ReplayError> {
        let failed = self.failed();
        let tick = (arrival.arrives_ms / tick_ms).ceil() as u32;
        self.open(observer)?;
        if let Some(packets) = self.packets.get_mut(&observer) {
            let (send_tick, arrival_tick) = (u64::from(arrival.send_tick), u64::from(tick));
            let head = [
                &send_tick.to_le_bytes()[..],
                &arrival_tick.to_le_bytes(),
                &(arrival.bytes.len() as u32).to_le_bytes(),
            ];
            head.iter()
                .chain([&arrival.bytes])
                .try_for_each(|part| packets.write_all(part))
                .map_err(&failed)?;
        }
        let Some(received) = self.lines.get_mut(&observer) else { return Ok(()) };
        if received.pending.as_ref().is_some_and(|pending| pending.tick != tick) {
            received.flush().map_err(&failed)?;
        }
        let pending = received.pending.get_or_insert_with(Pending::default);
        (pending.tick, pending.server_tick) = (tick, pending.server_tick.max(arrival.changes.server_tick.0));
        pending.packet_bytes += arrival.bytes.len();
        pending.take(arrival, &self.schema);
        Ok(())
    }

    fn outcomes(&mut self, outcomes: &[Outcome]) -> Result<(), ReplayError> {
        let failed = self.failed();
        let Self { findings, found, .. } = self;
        let mut written = Ok(());
        findings.take(outcomes, |finding| {
            if written.is_ok() {
                written = write_line(found, &finding);
            }
        });
        written.map_err(failed)
    }

    fn moment(&mut self, view: &View<'_, '_>) -> Result<(), ReplayError> {
        // Who receives nothing has files too.
        for observer in view.cast.watchers.keys() {
            self.open(*observer)?;
        }
        let Some(moment) = view.past.last() else { return Ok(()) };
        let mut changed = Vec::new();
        for (pair, decided) in &moment.decided {
            let name = self.name(decided.verdict);
            if self.known.insert(*pair, name) != Some(name) {
                changed.push((*pair, name));
            }
        }
        changed.sort_unstable();
        let failed = self.failed();
        for ((observer, entity), name) in changed {
            let ends = view.cast.watchers.get(&observer).zip(view.cast.actors.get(&entity));
            let Some((watcher, actor)) = ends else { continue };
            let line = VerdictLine {
                tick: moment.tick,
                observer,
                entity,
                class: &actor.line.class,
                side: view.cast.side(watcher, actor),
                verdict: &self.names[usize::from(name)].1,
            };
            write_line(&mut self.verdicts, &line).map_err(&failed)?;
        }
        Ok(())
    }
}

/// What was not there need not be removed.
fn remove(removed: std::io::Result<()>, path: &Path) -> Result<(), ReplayError> {
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(ReplayError::io(path, error)),
        _ => Ok(()),
    }
}

fn write_line(file: &mut impl Write, line: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *file, line)?;
    file.write_all(b"\n")
}

impl Received {
    fn flush(&mut self) -> std::io::Result<()> {
        if let Some(pending) = self.pending.take() {
            write_line(&mut self.file, &pending)?;
        }
        Ok(())
    }
}

impl Pending {
    fn take(&mut self, arrival: &Arrival<'_>, schema: &Schema) {
        let entity = |net: &NetRef| arrival.names.get(&(net.id.0, net.generation)).copied();
        let entry = |net: &NetRef, columns: Option<ColumnSet>| {
            let held = arrival.replica.get(*net)?;
            Some(json!({
                "net_id": net.id.0,
                "generation": net.generation,
                "entity": entity(net),
                "level": held.level().name(),
                "fields": fields(schema, &held, columns),
            }))
        };
        let changes = arrival.changes;
        self.created.extend(changes.created.iter().filter_map(|net| entry(net, None)));
        self.updated.extend(changes.updated.iter().filter_map(|(net, columns)| entry(net, Some(*columns))));
        let gone =
            |net: &NetRef| json!({"net_id": net.id.0, "generation": net.generation, "entity": entity(net)});
        self.removed.extend(changes.removed.iter().map(gone));
        self.sounds.extend(changes.sounds.iter().map(|sound| {
            json!({
                "class": schema.sound(sound.class).map(|class| class.name.as_str()),
                "tick": sound.tick.0,
                "pos": sound.pos,
                "step_m": sound.step_m,
                "emitter": sound.emitter.as_ref().map(name),
            })
        }));
        self.events.extend(changes.events.iter().map(|event| {
            let told = event.fields(schema).map(|(name, value)| (name.to_owned(), told(&value, None)));
            json!({
                "class": schema.event(event.class).map(|class| class.name.as_str()),
                "tick": event.tick.0,
                "level": event.level.name(),
                "fields": told.collect::<Map<_, _>>(),
            })
        }));
    }
}

/// The fields of an entity that a message told.
fn fields(schema: &Schema, held: &ReplicaEntity<'_>, columns: Option<ColumnSet>) -> Map<String, Json> {
    let Some(class) = schema.class(held.class()) else { return Map::new() };
    let Some(layout) = class.layout(held.level()) else { return Map::new() };
    let is_told = |name: &str| {
        let field = class.fields.iter().position(|field| field.name == name)?;
        let column = layout.column_of(field)?;
        let is_told = columns.is_none_or(|columns| columns.has(column));
        is_told.then_some(&class.fields[field].encoding)
    };
    held.fields()
        .filter_map(|(name, value)| Some((name.to_owned(), told(&value, Some(is_told(name)?)))))
        .collect()
}

fn name(net: &NetRef) -> Json {
    json!({"net_id": net.id.0, "generation": net.generation})
}

/// A value as JSON; numbers are those that a client decodes, to a tenth of a millimetre.
fn told(value: &Value<'_, NetRef>, encoding: Option<&Encoding>) -> Json {
    let round = |number: f64| (number * 1e4).round() / 1e4;
    match value {
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Float(value) => json!(round(*value)),
        Value::Vector(vector) => json!(vector.map(round)),
        Value::Choice(choice) => match encoding {
            Some(Encoding::Enum(names)) => json!(names.get(usize::from(*choice))),
            _ => json!(choice),
        },
        Value::Bytes(bytes) => json!(String::from_utf8_lossy(bytes)),
        Value::Reference(net) => net.as_ref().map_or(Json::Null, name),
    }
}
