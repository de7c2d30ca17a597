//! What both ends must agree on to read a datagram: classes, columns, codings.
//!
//! Owns the layout of a record: the columns of a class that a level is told, each at its fixed place.
//! Promises: equal schemas have equal marks, and others almost surely do not.
//! Must not know why a level is told what it is: that is the rules'.

use super::bits::{BitReader, BitWriter, bits_below};
use super::{Coding, DecodeError, Field, Level, Unfit, Value};
use crate::ids::{ClassId, EventClassId, SoundClassId};
use serde::Deserialize;
use std::ops::Range;

/// Most fields of a class.
pub const MAX_FIELDS: usize = 64;
/// Most classes of entities, of sounds, of events.
pub const MAX_CLASSES: usize = 1024;

/// Columns of a layout, by bit: bit i is column i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ColumnSet(pub u64);

impl ColumnSet {
    /// Whether it has no column.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has the column.
    pub fn has(self, column: usize) -> bool {
        column < MAX_FIELDS && self.0 >> column & 1 == 1
    }

    /// The columns of both together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What becomes of an entity on a client when it is no longer disclosed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Leave {
    /// A removal is sent.
    Removal,
    /// The client drops it by itself after so many ticks without an update.
    Timeout {
        /// At least 1.
        ticks: u32,
    },
    /// It stays known as it was last.
    Never,
}

/// One field as a level is told it.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Place of the field in its class.
    pub field: usize,
    /// How it is told.
    pub coding: Coding,
    /// Its first byte in a record.
    at: usize,
}

/// The columns that one level is told of one class; a record of it is [`Layout::bytes`] long.
///
/// References are no part of a record: each observer has its own names. They are kept beside it, by
/// their order among the columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    columns: Vec<Column>,
    bytes: usize,
    references: usize,
}

impl Layout {
    fn new(fields: &[Field], level: Level, extent_m: f64) -> Self {
        let mut layout = Self::default();
        for (field, rules) in fields.iter().enumerate() {
            if let Some(coding) = Coding::new(&rules.encoding, rules.at(level), extent_m) {
                layout.columns.push(Column { field, coding, at: layout.bytes });
                layout.bytes += coding.bytes();
                layout.references += usize::from(coding.is_reference());
            }
        }
        layout
    }

    /// The columns, in the order of the class's fields.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Bytes of a record.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many of the columns are references.
    pub fn references(&self) -> usize {
        self.references
    }

    /// Most bits that a message's references and body take.
    pub fn most_bits(&self) -> usize {
        self.columns.iter().map(|column| column.coding.most_bits()).sum()
    }

    /// All columns.
    pub fn all(&self) -> ColumnSet {
        ColumnSet(u64::MAX.checked_shr(64 - self.columns.len() as u32).unwrap_or(0))
    }

    /// The column of a field of the class, if the level is told it.
    pub fn column_of(&self, field: usize) -> Option<usize> {
        self.columns.binary_search_by_key(&field, |column| column.field).ok()
    }

    /// Place of a reference column among the references.
    pub fn reference_of(&self, column: usize) -> Option<usize> {
        let is_one = self.columns.get(column)?.coding.is_reference();
        is_one.then(|| self.columns[..column].iter().filter(|c| c.coding.is_reference()).count())
    }

    /// The part of a record that holds `column`, empty for a reference.
    pub fn part<'a>(&self, column: usize, record: &'a [u8]) -> &'a [u8] {
        &record[self.place(column)]
    }

    /// Where in a record a column is; empty for a reference.
    pub(crate) fn place(&self, column: usize) -> Range<usize> {
        let Column { at, coding, .. } = &self.columns[column];
        *at..*at + coding.bytes()
    }

    /// Writes the code of `value` into `record`; of a reference, nothing.
    ///
    /// # Errors
    /// Where the value does not fit the field; `record` is left as it was.
    pub fn quantise<R>(&self, column: usize, value: &Value<'_, R>, record: &mut [u8]) -> Result<(), Unfit> {
        let Column { at, coding, .. } = &self.columns[column];
        coding.quantise(value, &mut record[*at..][..coding.bytes()])
    }

    /// The value of a column of `record`; of a reference, none: see [`Layout::reference_of`].
    pub fn value<'a, R>(&self, column: usize, record: &'a [u8]) -> Value<'a, R> {
        self.columns[column].coding.value(self.part(column, record))
    }

    /// The columns in which two records differ; references are not looked at.
    pub fn changed(&self, before: &[u8], after: &[u8]) -> ColumnSet {
        let differs = |column: &usize| self.part(*column, before) != self.part(*column, after);
        ColumnSet((0..self.columns.len()).filter(differs).fold(0, |mask, column| mask | 1 << column))
    }

    /// Copies the columns of `columns` from one record to another.
    pub fn copy(&self, columns: ColumnSet, from: &[u8], to: &mut [u8]) {
        for (column, Column { at, coding, .. }) in self.columns.iter().enumerate() {
            if columns.has(column) {
                to[*at..][..coding.bytes()].copy_from_slice(self.part(column, from));
            }
        }
    }

    /// Writes the columns of `mask` but its references: a body, the same for every observer that is told it.
    pub fn write_body(&self, record: &[u8], mask: ColumnSet, out: &mut BitWriter) {
        for (column, Column { coding, .. }) in self.columns.iter().enumerate() {
            if mask.has(column) {
                coding.write(self.part(column, record), out);
            }
        }
    }

    /// Reads what [`Layout::write_body`] wrote; other columns of `record` are left as they are.
    pub(super) fn read_body(
        &self,
        record: &mut [u8],
        mask: ColumnSet,
        bits: &mut BitReader<'_>,
    ) -> Result<(), DecodeError> {
        for (column, Column { at, coding, .. }) in self.columns.iter().enumerate() {
            if mask.has(column) {
                coding.read(&mut record[*at..][..coding.bytes()], bits)?;
            }
        }
        Ok(())
    }
}

/// A class of entities or events as both ends know it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassSchema {
    /// Unique among classes of its kind.
    pub name: String,
    /// Its fields.
    pub fields: Vec<Field>,
    /// What happens when an entity of it is no longer disclosed; events have none.
    pub leave: Leave,
    layouts: [Layout; 5],
}

impl ClassSchema {
    /// A class in a world whose coordinates stay within ±`extent_m`.
    ///
    /// At most [`MAX_FIELDS`] fields, whose encodings are as [`Coding::new`] wants them.
    pub fn new(name: String, fields: Vec<Field>, leave: Leave, extent_m: f64) -> Self {
        let layouts = Level::TOLD.map(|level| Layout::new(&fields, level, extent_m));
        Self { name, fields, leave, layouts }
    }

    /// What a level is told; `None` for [`Level::Hidden`].
    pub fn layout(&self, level: Level) -> Option<&Layout> {
        level.index().map(|index| &self.layouts[index])
    }
}

/// A class of sounds as both ends know it.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundSchema {
    /// Unique among classes of sounds.
    pub name: String,
    /// Edges of the grid's cells, metres, per band: by rising distance, then for those who know the emitter well.
    pub steps_m: Vec<f64>,
    bands: Vec<Coding>,
}

impl SoundSchema {
    /// A class of 1 to 256 bands; how finely each tells a place, in metres.
    pub fn new(name: String, steps_m: Vec<f64>, extent_m: f64) -> Self {
        let bands = steps_m.iter().map(|&step| Coding::place(step, extent_m)).collect();
        Self { name, steps_m, bands }
    }

    /// How a band tells a place.
    pub fn band(&self, band: u8) -> Option<&Coding> {
        self.bands.get(usize::from(band))
    }
}

/// All that both ends must agree on.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    pub(super) parts: SchemaParts,
    pub(super) bits: NumberBits,
    mark: u16,
}

/// What a [`Schema`] is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaParts {
    /// Coordinates stay within ± this, metres.
    pub extent_m: f64,
    /// Ticks without an update after which a client takes an entity for stale.
    pub stale_ticks: u32,
    /// Entity classes, by [`ClassId`]; at most [`MAX_CLASSES`].
    pub classes: Vec<ClassSchema>,
    /// Sound classes, by [`SoundClassId`]; at most [`MAX_CLASSES`].
    pub sounds: Vec<SoundSchema>,
    /// Event classes, by [`EventClassId`]; at most [`MAX_CLASSES`].
    pub events: Vec<ClassSchema>,
}

/// Bits of the numbers of classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NumberBits {
    pub(super) class: u32,
    pub(super) sound: u32,
    pub(super) event: u32,
}

impl Schema {
    /// The schema of these parts, which were checked: by the rules, or by [`Schema::from_bytes`].
    pub fn new(parts: SchemaParts) -> Self {
        let bits = NumberBits {
            class: bits_below(parts.classes.len() as u64),
            sound: bits_below(parts.sounds.len() as u64),
            event: bits_below(parts.events.len() as u64),
        };
        let hash = blake3::hash(&super::schema_file::write(&parts));
        let mark = u16::from_le_bytes([hash.as_bytes()[0], hash.as_bytes()[1]]);
        Self { parts, bits, mark }
    }

    /// The entity classes, by [`ClassId`].
    pub fn classes(&self) -> &[ClassSchema] {
        &self.parts.classes
    }

    /// The sound classes, by [`SoundClassId`].
    pub fn sounds(&self) -> &[SoundSchema] {
        &self.parts.sounds
    }

    /// The event classes, by [`EventClassId`].
    pub fn events(&self) -> &[ClassSchema] {
        &self.parts.events
    }

    /// A class of entities.
    pub fn class(&self, id: ClassId) -> Option<&ClassSchema> {
        self.parts.classes.get(usize::from(id.0))
    }

    /// A class of sounds.
    pub fn sound(&self, id: SoundClassId) -> Option<&SoundSchema> {
        self.parts.sounds.get(usize::from(id.0))
    }

    /// A class of events.
    pub fn event(&self, id: EventClassId) -> Option<&ClassSchema> {
        self.parts.events.get(usize::from(id.0))
    }

    /// Coordinates stay within ± this, metres.
    pub fn extent_m(&self) -> f64 {
        self.parts.extent_m
    }

    /// Ticks without an update after which a client takes an entity for stale.
    pub fn stale_ticks(&self) -> u32 {
        self.parts.stale_ticks
    }

    /// What every datagram begins with: two ends of other schemas or versions refuse each other's.
    pub fn mark(&self) -> u16 {
        self.mark
    }

    /// The schema as bytes, for clients; equal schemas are equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        super::schema_file::write(&self.parts)
    }

    /// Reads [`Schema::to_bytes`].
    ///
    /// # Errors
    /// For anything that it would not write.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        super::schema_file::read(bytes).map(Self::new)
    }
}

#[cfg(test)]
mod tests;
