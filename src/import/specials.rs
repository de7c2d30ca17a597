//! What the line specials of vanilla Doom move, as a table.
//!
//! Owns the meaning of special numbers, as the published lists of line types give it. Promises: every number of
//! the vanilla range is listed, what is not listed is unknown and to be taken for moving.
//! Must not know levels or geometry. Boss triggers (tags 666 and 667) move nothing here: no bosses in a duel.

use Move::{
    CeilingToFloor, CeilingToHighest, Donut, Door, FloorBy, FloorToCeiling, FloorToHighest, FloorToLowest,
    FloorToNext, Shuttle, Stairs,
};

/// Which sector a special moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The one behind the line.
    Back,
    /// All that bear the line's tag.
    Tagged,
}

/// How far a sector's floor or ceiling may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Move {
    /// Ceiling between the floor and 4 under the lowest ceiling around.
    Door,
    /// Ceiling down to the floor; crushers too.
    CeilingToFloor,
    /// Ceiling up to the highest around.
    CeilingToHighest,
    /// Floor down to the lowest around, and back where it is a lift.
    FloorToLowest,
    /// Floor to the highest around, fast ones 8 above.
    FloorToHighest,
    /// Floor up to the next higher around; repeated, to the highest.
    FloorToNext,
    /// Floor up to the lowest ceiling around, by a texture's height, or step by step without an end.
    FloorToCeiling,
    /// Floor up by so much, once.
    FloorBy(i32),
    /// Floor between the lowest and the highest around.
    Shuttle,
    /// A chain of sectors, each so much higher than the last.
    Stairs(i32),
    /// A pillar and the ring around it, both to the floor outside.
    Donut,
}

/// Specials that move the sector behind the line.
const BACK: &[(Move, &[u16])] = &[(Door, &[1, 26, 27, 28, 31, 32, 33, 34, 117, 118])];

/// Specials that move the tagged sectors.
const TAGGED: &[(Move, &[u16])] = &[
    (
        Door,
        &[
            2, 4, 16, 29, 46, 61, 63, 76, 86, 90, 99, 103, 105, 106, 108, 109, 111, 112, 114, 115, 133, 134,
            135, 136, 137,
        ],
    ),
    (CeilingToFloor, &[3, 6, 25, 41, 42, 43, 44, 49, 50, 72, 73, 75, 77, 107, 110, 113, 116, 141]),
    (CeilingToHighest, &[40]),
    (FloorToLowest, &[10, 21, 23, 37, 38, 40, 60, 62, 82, 84, 88, 120, 121, 122, 123]),
    (FloorToHighest, &[19, 36, 45, 70, 71, 83, 98, 102]),
    (FloorToNext, &[18, 20, 22, 47, 68, 69, 95, 119, 128, 129, 130, 131, 132]),
    (FloorToCeiling, &[5, 24, 30, 55, 56, 64, 65, 66, 67, 91, 92, 93, 94, 96, 101]),
    (FloorBy(24), &[15, 58, 59]),
    (FloorBy(32), &[14]),
    (FloorBy(512), &[140]),
    (Shuttle, &[53, 87]),
    (Stairs(8), &[7, 8]),
    (Stairs(16), &[100, 127]),
    (Donut, &[9]),
];

/// Specials that move nothing: exits, lights, teleports, scrolling walls, stops, and the two unused numbers.
const STILL: &[u16] = &[
    0, 11, 12, 13, 17, 35, 39, 48, 51, 52, 54, 57, 74, 78, 79, 80, 81, 85, 89, 97, 104, 124, 125, 126, 138,
    139,
];

/// Sector specials that move the sector itself, by time.
const BY_TIME: &[(Move, &[u16])] = &[(CeilingToFloor, &[10]), (Door, &[14])];

/// What a line special moves; `None` for a number that is not vanilla's.
pub(super) fn line_special(number: u16) -> Option<Vec<(Target, Move)>> {
    let rows = |table: &'static [(Move, &'static [u16])], target| {
        table.iter().filter(move |(_, numbers)| numbers.contains(&number)).map(move |(m, _)| (target, *m))
    };
    let moves: Vec<_> = rows(BACK, Target::Back).chain(rows(TAGGED, Target::Tagged)).collect();
    (!moves.is_empty() || STILL.contains(&number)).then_some(moves)
}

/// What a sector special does to its own sector.
pub(super) fn sector_special(number: u16) -> Option<Move> {
    BY_TIME.iter().find(|(_, numbers)| numbers.contains(&number)).map(|(m, _)| *m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_vanilla_is_listed_in_exactly_one_kind_but_the_one_that_moves_both() {
        for number in 0..=141 {
            let listed = [BACK, TAGGED].concat().iter().filter(|(_, n)| n.contains(&number)).count()
                + usize::from(STILL.contains(&number));
            assert_eq!(listed, if number == 40 { 2 } else { 1 }, "special {number}");
        }
        assert_eq!(line_special(142), None);
        assert_eq!(line_special(11), Some(vec![]));
    }
}
