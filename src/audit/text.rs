//! One tick as text: a line per observer and entity, then what was heard and what happened.
//!
//! Promises: lines are in the order of handles; values are those of the records, as a client decodes them.
//! Must not know how a verdict came about.

use super::lines::Lines;
use crate::filter::{Frame, Relevancy, Verdict};
use crate::ids::EntityId;
use crate::server::Server;
use crate::wire::{Layout, Level, Value};
use crate::world::{Entity, Observer, World};
use std::fmt::{self, Write};

/// What each observer was told in the last tick, and why; `world` is the one that this tick was given.
///
/// ```text
/// observer 0 · player 1 · Hidden(Pvs)
/// observer 0 · player 2 · Sighted(head from left lean) · seen · pos (4.00, 6.00, 0.00) yaw 90.0 stance standing
/// ```
///
/// `Sighted` names a line that is free as everybody stands; without one, a line may be free within the lead.
///
/// Of an observer under a delay it tells what was decided, which is sent later.
pub fn render_tick(server: &Server, world: &World<'_>) -> String {
    let (mut out, lines) = (String::new(), Lines::new(server, world));
    let mut observers: Vec<_> = world.observers.iter().collect();
    observers.sort_by_key(|observer| (observer.id.index, observer.id.generation));
    let mut entities: Vec<_> = world.entities.iter().collect();
    entities.sort_by_key(|entity| (entity.id.index, entity.id.generation));
    for observer in observers {
        // A string takes everything.
        let _ = render_observer(&mut out, (server, &lines), observer, &entities);
    }
    out
}

fn render_observer(
    out: &mut String,
    (server, lines): (&Server, &Lines<'_>),
    observer: &Observer<'_>,
    entities: &[&Entity<'_>],
) -> fmt::Result {
    let who = observer.id.index;
    let schema = server.rules().schema();
    for entity in entities {
        let class = schema.class(entity.class).map_or("?", |class| class.name.as_str());
        write!(out, "observer {who} · {class} {} · ", entity.id.index)?;
        match server.verdict(observer.id, entity.id) {
            None => writeln!(out, "not served")?,
            Some(Verdict { relevancy, level }) => {
                render_relevancy(out, relevancy)?;
                let line = (relevancy == Relevancy::Sighted).then(|| lines.free(observer, entity)).flatten();
                line.map_or(Ok(()), |line| write!(out, "({line})"))?;
                if level > Level::Hidden {
                    write!(out, " · {}", level.name())?;
                    let frame = server.frame(observer.id);
                    frame.map_or(Ok(()), |frame| render_record(out, server, frame, entity.id))?;
                }
                out.push('\n');
            }
        }
    }
    let Some(frame) = server.frame(observer.id) else { return Ok(()) };
    for sound in frame.sounds() {
        let sound = sound.get();
        let Some(class) = schema.sound(sound.class) else { continue };
        write!(out, "observer {who} · sound {}", class.name)?;
        if let Some(coding) = class.band(sound.band) {
            write!(out, " · near ")?;
            render_value(out, &coding.value(sound.place), &[])?;
            write!(out, " to {} m", class.steps_m[usize::from(sound.band)])?;
        }
        writeln!(out, "{}", if sound.emitter.is_some() { " · emitter named" } else { "" })?;
    }
    for event in frame.events() {
        let event = event.get();
        let Some(class) = schema.event(event.class) else { continue };
        write!(out, "observer {who} · event {} · {}", class.name, event.level.name())?;
        if let Some(layout) = class.layout(event.level) {
            render_columns(out, layout, &class.fields, event.record, event.references)?;
        }
        out.push('\n');
    }
    Ok(())
}

fn render_relevancy(out: &mut String, relevancy: Relevancy) -> fmt::Result {
    match relevancy {
        Relevancy::Granted(_) => write!(out, "Granted"),
        Relevancy::Sighted => write!(out, "Sighted"),
        Relevancy::Hidden(by) => write!(out, "Hidden({by:?})"),
    }
}

fn render_record(out: &mut String, server: &Server, frame: &Frame, entity: EntityId) -> fmt::Result {
    let Some(told) = frame.entities().find(|told| told.get().entity == entity) else { return Ok(()) };
    let told = told.get();
    let class = server.rules().schema().class(told.class);
    let Some((class, layout)) = class.and_then(|class| Some((class, class.layout(told.level)?))) else {
        return Ok(());
    };
    render_columns(out, layout, &class.fields, told.record, told.references)
}

fn render_columns(
    out: &mut String,
    layout: &Layout,
    fields: &[crate::wire::Field],
    record: &[u8],
    references: &[Option<EntityId>],
) -> fmt::Result {
    out.push_str(" ·");
    for (index, column) in layout.columns().iter().enumerate() {
        let field = &fields[column.field];
        write!(out, " {} ", field.name)?;
        let value = match layout.reference_of(index) {
            Some(place) => Value::Reference(references.get(place).copied().flatten()),
            None => layout.value(index, record),
        };
        let names: &[String] = match &field.encoding {
            crate::wire::Encoding::Enum(names) => names,
            _ => &[],
        };
        render_value(out, &value, names)?;
    }
    Ok(())
}

fn render_value(out: &mut String, value: &Value<'_, EntityId>, names: &[String]) -> fmt::Result {
    match value {
        Value::Bool(value) => write!(out, "{value}"),
        Value::Int(value) => write!(out, "{value}"),
        Value::Float(value) => write!(out, "{value:.1}"),
        Value::Vector([x, y, z]) => write!(out, "({x:.2}, {y:.2}, {z:.2})"),
        Value::Choice(choice) => match names.get(usize::from(*choice)) {
            Some(name) => out.write_str(name),
            None => write!(out, "#{choice}"),
        },
        Value::Bytes(bytes) => write!(out, "{} bytes", bytes.len()),
        Value::Reference(None) => out.write_str("none"),
        Value::Reference(Some(id)) => write!(out, "→{}", id.index),
    }
}
