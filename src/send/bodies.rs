//! Bodies of records, encoded once per tick, share and mask.
//!
//! Promises: a body is a function of the record and the mask alone, so that it does not matter who asked first;
//! no memory is taken once the table has its size. Must not know observers.

use crate::held::Held;
use crate::tick::Tick;
use crate::wire::{BitWriter, Body, ColumnSet, Layout};

/// Entries of the table for each entity, of which half may be filled: a body for each level and set of columns.
const WAYS: usize = 16;
/// Bytes of a body that room is made for, in the mean.
const BYTES_OF_A_BODY: usize = 16;

/// Encoded bodies of one tick, shared by all observers that a thread serves; it changes no byte of a packet.
///
/// [`Bodies::clear`] it before each tick of the server: bodies are kept by the `share` of each record, which is of one tick.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    table: Vec<Entry>,
    bits: BitWriter,
    used: usize,
    turn: u32,
}

/// A body: what it is of, and where its bits are.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    mask: ColumnSet,
    tick: Tick,
    share: u32,
    /// The table's turn in which it was made; entries of others are empty.
    turn: u32,
    at_byte: u32,
    bits: u32,
}

impl Bodies {
    /// Bytes that are held.
    pub(crate) fn held_bytes(&self) -> usize {
        self.table.held_bytes() + self.bits.held_bytes()
    }

    /// Drops all bodies and keeps the room.
    pub fn clear(&mut self) {
        self.bits.clear();
        self.used = 0;
        self.turn = self.turn.wrapping_add(1);
        if self.turn == 0 {
            self.table.fill(Entry::default());
            self.turn = 1;
        }
    }

    /// Makes room for the bodies of so many entities, in memory for twice as many: each is told in a few ways.
    pub fn make_room(&mut self, entities: usize) {
        while self.table.len() < entities * WAYS {
            self.grow();
        }
        self.bits.make_room(entities * WAYS * BYTES_OF_A_BODY);
    }

    /// The columns of `mask` of a record of `tick`; a reference is no part of it.
    pub(super) fn get(
        &mut self,
        tick: Tick,
        share: u32,
        layout: &Layout,
        mask: ColumnSet,
        record: &[u8],
    ) -> Body<'_> {
        if self.turn == 0 {
            self.clear();
        }
        if self.used * 2 >= self.table.len() {
            self.grow();
        }
        let key = Entry { mask, tick, share, turn: self.turn, ..Entry::default() };
        let place = self.place(&key);
        if self.table[place].turn != self.turn {
            let rest = self.bits.bits() % 8;
            self.bits.write(0, if rest == 0 { 0 } else { 8 - rest as u32 });
            let start = self.bits.bits();
            layout.write_body(record, mask, &mut self.bits);
            let bits = self.bits.bits() - start;
            self.table[place] = Entry { at_byte: (start / 8) as u32, bits: bits as u32, ..key };
            self.used += 1;
        }
        let Entry { at_byte, bits, .. } = self.table[place];
        Body { bytes: &self.bits.as_bytes()[at_byte as usize..], bits: bits as usize }
    }

    /// Where the entry is, or belongs.
    fn place(&self, key: &Entry) -> usize {
        let last = self.table.len() - 1;
        let mixed = u64::from(key.share) << 32 ^ u64::from(key.tick.0) ^ key.mask.0.rotate_left(17);
        let mut place = (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & last;
        loop {
            let entry = &self.table[place];
            let is_it = entry.share == key.share && entry.mask == key.mask && entry.tick == key.tick;
            if entry.turn != self.turn || is_it {
                return place;
            }
            place = (place + 1) & last;
        }
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        let before = std::mem::replace(&mut self.table, vec![Entry::default(); size]);
        for entry in before.into_iter().filter(|entry| entry.turn == self.turn) {
            let place = self.place(&entry);
            self.table[place] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{ClassSchema, Disclosure, Encoding, Field, Leave, Level};

    #[test]
    fn a_body_is_the_same_whoever_asks_first() {
        let field = |name: &str, max| Field {
            name: name.into(),
            encoding: Encoding::Int { min: 0, max },
            levels: [Disclosure::Exact; 5],
        };
        let class = ClassSchema::new("c".into(), vec![field("a", 1000), field("b", 6)], Leave::Removal, 10.0);
        let layout = class.layout(Level::Seen).unwrap();
        let mut bodies = Bodies::default();
        for turn in 0..3 {
            for share in (0..400_u32).chain(0..400) {
                let mask = ColumnSet(u64::from(share % 4));
                let record = [share as u8, (share >> 8) as u8, (share % 7) as u8];
                let mut direct = BitWriter::default();
                layout.write_body(&record, mask, &mut direct);
                let body = bodies.get(Tick(turn), share, layout, mask, &record);
                assert_eq!(body.bits, direct.bits());
                let mut appended = BitWriter::default();
                appended.append(body.bytes, body.bits);
                assert_eq!(appended.as_bytes(), direct.as_bytes());
            }
            assert_eq!(bodies.used, 400);
            bodies.clear();
        }
    }
}
