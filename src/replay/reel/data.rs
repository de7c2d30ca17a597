//! A reel as the page's script reads it: JSON with columns in base64.
//!
//! Promises: the contract at the head of `report/head.js`; numbers are little-endian. Must not choose what is shown.

use super::{Finding, HEAT_M, Level, MapPicture, Reel, ReelNames};
use crate::replay::report::Report;
use serde_json::{Value as Json, json};

/// Width of the bars of the leads, milliseconds.
const LEAD_STEP_MS: f64 = 25.0;
const LEAD_BARS: usize = 40;

impl Reel {
    /// The data of a page as JSON, by the contract at the head of the page's script.
    pub fn to_json(&self, names: &ReelNames<'_>, report: &Report, picture: &MapPicture) -> Json {
        let (step, header) = (self.header.tick_hz, &self.header);
        let lookup = |id: u32| self.entities.iter().position(|(other, ..)| *other == id);
        let entities = self
            .entities
            .iter()
            .map(|(id, class, team)| json!({"id": id, "name": id.to_string(), "class": class, "team": team}));
        let observers = self.observers.iter().map(|(id, entity, team, kind)| {
            json!({"id": id, "name": id.to_string(), "entity": entity.and_then(lookup), "team": team, "kind": kind})
        });
        let mut teams: Vec<&String> = self.entities.iter().filter_map(|(.., team)| team.as_ref()).collect();
        teams.sort_unstable();
        teams.dedup();
        json!({
            "version": 1,
            "title": header.map,
            "match": names.recording,
            "filter": names.filter,
            "tick_hz": step,
            "rtt_ms": report.options.rtt_ms.or(header.observers.first().and_then(|first| first.rtt_ms)),
            "interp_ms": header.interp_ms.unwrap_or(1000.0 / step),
            "spotted_step_m": names.spotted_step_m,
            "hashes": report.hashes,
            "map": {"svg": picture.svg, "low": picture.low, "high": picture.high},
            "entities": entities.collect::<Vec<_>>(),
            "observers": observers.collect::<Vec<_>>(),
            "teams": teams,
            "frames": self.frames_json(),
            "verdicts": self.verdicts.iter().map(verdict_json).collect::<Vec<_>>(),
            "smokes": self.smokes.iter().map(|(at, radius, from, to)| json!({
                "from": self.frame_of(*from), "to": self.frame_of(*to), "at": [at[0], at[1]], "radius": radius,
            })).collect::<Vec<_>>(),
            "sounds": self.sounds.iter().filter_map(|(tick, observer, class, at, step_m)| Some(json!({
                "frame": self.frame_of(*tick), "observer": self.observer(*observer)?, "class": class,
                "at": [at[0], at[1]], "step_m": step_m,
            }))).collect::<Vec<_>>(),
            "findings": self.found.iter().filter_map(|finding| self.finding_json(finding)).collect::<Vec<_>>(),
            "heat": self.heat_json(),
            "charts": self.charts_json(report),
            "summary": report.summary_rows(),
        })
    }

    fn frames_json(&self) -> Json {
        let (count, bodies, observers) = (self.frames.len(), self.entities.len(), self.observers.len());
        let pairs = count * observers * bodies;
        let (mut pos, mut yaw, mut flags) = (Vec::new(), Vec::new(), Vec::new());
        let (mut verdict, mut marks, mut shift) =
            (Vec::with_capacity(pairs), Vec::with_capacity(pairs), Vec::new());
        for frame in &self.frames {
            for body in 0..bodies {
                let known = frame.bodies.get(body).copied().flatten();
                let (at, turn, bits) = known.unwrap_or(([f32::NAN; 3], 0, 0));
                pos.extend(at.iter().flat_map(|v| v.to_le_bytes()));
                yaw.extend(turn.to_le_bytes());
                flags.push(bits);
            }
            for observer in 0..observers as u16 {
                for body in 0..bodies as u16 {
                    let pair = frame.pair((observer, body)).copied().unwrap_or_default();
                    verdict.push(pair.verdict);
                    marks.push(pair.mark);
                    shift.extend(pair.shift.iter().flat_map(|v| v.to_le_bytes()));
                }
            }
        }
        let ticks: Vec<u8> = self.frames.iter().flat_map(|frame| (frame.tick as i32).to_le_bytes()).collect();
        let cuts: Vec<u8> = self.frames.iter().map(|frame| u8::from(frame.is_cut)).collect();
        json!({
            "count": count, "tick": base64(&ticks), "cut": base64(&cuts), "pos": base64(&pos), "yaw": base64(&yaw),
            "flags": base64(&flags), "verdict": base64(&verdict), "mark": base64(&marks), "shift": base64(&shift),
        })
    }

    fn finding_json(&self, finding: &Finding) -> Option<Json> {
        let observer = self.observer(finding.observer)?;
        let entity = self.entities.iter().position(|(id, ..)| *id == finding.entity)?;
        let (first, last) =
            (self.frame_of(finding.tick), self.frame_of(finding.tick.saturating_add(finding.ticks - 1)));
        let ms = f64::from(finding.ticks) * 1000.0 / self.header.tick_hz;
        let text = match finding.name() {
            "late" => "in sight, and the client held no state of it",
            "outside" => "in sight by a motion beyond the movement limits",
            "beyond" => "in sight, and its datagram took longer than the lead allows for",
            "loss" => "in sight, and more datagrams in a row were lost than the rules survive",
            _ => "told exactly, out of sight for a quarter of a second on both sides",
        };
        Some(json!({
            "kind": finding.name(), "frame": first, "frames": last - first + 1, "observer": observer,
            "entity": entity, "ms": ms, "text": text,
        }))
    }

    fn heat_json(&self) -> Json {
        let xs = || self.heat.keys().map(|(x, _)| *x);
        let ys = || self.heat.keys().map(|(_, y)| *y);
        let (Some(left), Some(right), Some(low), Some(high)) =
            (xs().min(), xs().max(), ys().min(), ys().max())
        else {
            return json!({"low": [0, 0], "cell_m": HEAT_M, "width": 0, "height": 0, "values": "", "unit": ""});
        };
        let (width, height) = ((right - left + 1) as usize, (high - low + 1) as usize);
        let mut values = vec![0.0_f32; width * height];
        for ((x, y), count) in &self.heat {
            values[(y - low) as usize * width + (x - left) as usize] = *count as f32;
        }
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        json!({
            "low": [f64::from(left) * HEAT_M, f64::from(low) * HEAT_M], "cell_m": HEAT_M, "width": width,
            "height": height, "values": base64(&bytes), "unit": "exposed pair ticks",
        })
    }

    fn charts_json(&self, report: &Report) -> Json {
        let floats = |values: &mut dyn Iterator<Item = f32>| -> String {
            base64(&values.flat_map(f32::to_le_bytes).collect::<Vec<u8>>())
        };
        let mean = |sums: &Vec<u32>| sums.iter().sum::<u32>() as f32 / sums.len().max(1) as f32;
        let most = |sums: &Vec<u32>| sums.iter().copied().max().unwrap_or(0) as f32;
        let packets = report.packet_sizes();
        json!({
            "bytes": {
                "seconds": floats(&mut self.bytes.keys().map(|second| *second as f32)),
                "mean": floats(&mut self.bytes.values().map(mean)),
                "max": floats(&mut self.bytes.values().map(most)),
            },
            "lead": report.lead_bars(LEAD_STEP_MS, LEAD_BARS),
            "packets": {"edges_bytes": packets.0, "counts": packets.1},
        })
    }
}

fn verdict_json((name, level): &(String, Level)) -> Json {
    let inner =
        name.split_once('(').map_or(name.as_str(), |(_, rest)| rest.split(')').next().unwrap_or(rest));
    let short = if name.starts_with("Hidden") { inner.to_lowercase() } else { level.name().to_owned() };
    json!({"name": name, "short": short, "level": level.name()})
}

/// Bytes as text that a page can hold.
pub fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
