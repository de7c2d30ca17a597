//! How high and how low each sector's floor and ceiling may ever be.
//!
//! Owns the heights a level can reach through its specials. Promises: a range holds every height that play
//! can bring about, wider where the rule is unknown: what may move is no certain solid (errs towards visible).
//! Must not know polygons or metres.

use super::level::Level;
use super::specials::{Move, Target, line_special, sector_special};
use std::collections::{BTreeMap, BTreeSet};

/// A door stops this far under the lowest ceiling around.
const DOOR_LIP: i32 = 4;
/// A fast floor stops this far above the highest floor around.
const FAST_FLOOR_LIP: i32 = 8;
/// Rounds in which ranges of neighbours are handed on. Real levels settle in two or three; a chain longer than
/// this ends with ranges that are too small (leaves a mover's last stretch solid: pop-in), and is counted.
const MOST_ROUNDS: usize = 64;
/// Sectors in one flight of stairs; beyond it the steps count as still (their last stretch solid: pop-in).
const MOST_STEPS: usize = 1024;

/// Heights from low to high, in Doom units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: i32,
    pub(super) high: i32,
}

impl Range {
    fn include(&mut self, height: i32) {
        self.low = self.low.min(height);
        self.high = self.high.max(height);
    }

    /// Whether there is more than one height.
    pub(super) fn moves(self) -> bool {
        self.low < self.high
    }
}

/// The heights of one sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heights {
    pub(super) floor: Range,
    pub(super) ceiling: Range,
}

/// What the specials of a level can do.
#[derive(Debug)]
pub(super) struct Motion {
    /// One entry a sector.
    pub(super) heights: Vec<Heights>,
    /// Lines whose special is not vanilla's.
    pub(super) unknown: usize,
    /// Lines that would move what bears tag 0, which is taken for nothing.
    pub(super) untagged: usize,
    /// Whether ranges still grew when the rounds were over.
    pub(super) is_cut_short: bool,
}

/// Either a move of the table, or a special of which nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    Known(Move),
    Unknown,
}

/// Rules by the sector they move, with how many lines say so.
type Rules = BTreeMap<(usize, Rule), i32>;

/// Computes the ranges of all sectors.
pub(super) fn motion(level: &Level) -> Motion {
    let around = neighbours(level);
    let mut motion = Motion { heights: start(level), unknown: 0, untagged: 0, is_cut_short: false };
    let rules = collect(level, &mut motion);
    apply_once(level, &around, &rules, &mut motion.heights);
    for round in 0..=MOST_ROUNDS {
        let before = motion.heights.clone();
        for (sector, rule) in rules.keys() {
            apply(*rule, &around[*sector], *sector, &mut motion.heights);
        }
        if before == motion.heights {
            break;
        }
        motion.is_cut_short = round == MOST_ROUNDS;
    }
    motion
}

fn start(level: &Level) -> Vec<Heights> {
    let at = |height| Range { low: height, high: height };
    level.sectors.iter().map(|s| Heights { floor: at(s.floor), ceiling: at(s.ceiling) }).collect()
}

/// The sectors across the two-sided lines of each sector.
fn neighbours(level: &Level) -> Vec<Vec<usize>> {
    let mut around = vec![BTreeSet::new(); level.sectors.len()];
    for line in &level.lines {
        if let (Some(front), Some(back)) = (line.front, line.back)
            && front != back
        {
            around[front].insert(back);
            around[back].insert(front);
        }
    }
    around.into_iter().map(|set| set.into_iter().collect()).collect()
}

/// The rules of all lines and sectors; lines that say the same are counted, not repeated.
fn collect(level: &Level, motion: &mut Motion) -> Rules {
    let mut rules = Rules::new();
    let mut by_tag: BTreeMap<(u16, Rule), i32> = BTreeMap::new();
    for line in &level.lines {
        let Some(moves) = line_special(line.special) else {
            motion.unknown += 1;
            *by_tag.entry((line.tag, Rule::Unknown)).or_default() += 1;
            line.back.into_iter().for_each(|sector| *rules.entry((sector, Rule::Unknown)).or_default() += 1);
            continue;
        };
        for (target, m) in moves {
            match (target, line.back) {
                (Target::Back, Some(back)) => *rules.entry((back, Rule::Known(m))).or_default() += 1,
                (Target::Back, None) => {}
                (Target::Tagged, _) if line.tag == 0 => motion.untagged += 1,
                (Target::Tagged, _) => *by_tag.entry((line.tag, Rule::Known(m))).or_default() += 1,
            }
        }
    }
    for (index, sector) in level.sectors.iter().enumerate() {
        if let Some(m) = sector_special(sector.special) {
            rules.insert((index, Rule::Known(m)), 1);
        }
        if sector.tag != 0 {
            for ((_, rule), count) in
                by_tag.range((sector.tag, Rule::Known(Move::Door))..=(sector.tag, Rule::Unknown))
            {
                *rules.entry((index, *rule)).or_default() += count;
            }
        }
    }
    rules
}

/// The moves that add up, or spread over several sectors, from the heights at the start.
fn apply_once(level: &Level, around: &[Vec<usize>], rules: &Rules, heights: &mut [Heights]) {
    let mut behind = vec![Vec::new(); level.sectors.len()];
    for line in &level.lines {
        if let (Some(front), Some(back)) = (line.front, line.back) {
            behind[front].push(back);
        }
    }
    for ((sector, rule), count) in rules {
        match rule {
            Rule::Known(Move::FloorBy(step)) => {
                let floor = &mut heights[*sector].floor;
                floor.high = floor.high.saturating_add(step.saturating_mul(*count));
            }
            Rule::Known(Move::Stairs(step)) => climb(level, &behind, (*sector, *step), heights),
            Rule::Known(Move::Donut) => {
                let ring = around[*sector].first().copied();
                let outside = ring.and_then(|ring| around[ring].iter().copied().find(|s| s != sector));
                if let (Some(ring), Some(outside)) = (ring, outside) {
                    heights[ring].floor.include(level.sectors[outside].floor);
                    heights[*sector].floor.include(level.sectors[outside].floor);
                }
            }
            _ => {}
        }
    }
}

/// Stairs: from sector to sector, over lines that face the last one, as long as the floor's texture stays.
fn climb(level: &Level, behind: &[Vec<usize>], (first, step): (usize, i32), heights: &mut [Heights]) {
    let texture = &level.sectors[first].floor_texture;
    let mut height = level.sectors[first].floor;
    let mut seen = BTreeSet::from([first]);
    let mut at = first;
    while seen.len() <= MOST_STEPS {
        height = height.saturating_add(step);
        heights[at].floor.include(height);
        let is_next = |s: &&usize| level.sectors[**s].floor_texture == *texture && !seen.contains(*s);
        let Some(next) = behind[at].iter().find(is_next) else { return };
        at = *next;
        seen.insert(at);
    }
}

/// Widens the ranges of one sector by what its neighbours' ranges allow.
fn apply(rule: Rule, around: &[usize], sector: usize, heights: &mut [Heights]) {
    let floors = || around.iter().map(|&n| heights[n].floor);
    let ceilings = || around.iter().map(|&n| heights[n].ceiling);
    let lowest_floor = floors().map(|r| r.low).min();
    let highest_floor = floors().map(|r| r.high).max();
    let least_highest_floor = floors().map(|r| r.low).max();
    let lowest_ceiling = ceilings().map(|r| r.high).min();
    let highest_ceiling = ceilings().map(|r| r.high).max();
    let Heights { mut floor, mut ceiling } = heights[sector];
    let top = lowest_ceiling.map_or(ceiling.high, |c| c.min(ceiling.high));
    match rule {
        Rule::Known(Move::Door) => {
            ceiling.include(floor.low);
            lowest_ceiling.into_iter().for_each(|c| ceiling.include(c.saturating_sub(DOOR_LIP)));
        }
        Rule::Known(Move::CeilingToFloor) => ceiling.include(floor.low),
        Rule::Known(Move::CeilingToHighest) => highest_ceiling.into_iter().for_each(|c| ceiling.include(c)),
        Rule::Known(Move::FloorToLowest) => floor.low = floor.low.min(lowest_floor.unwrap_or(floor.low)),
        Rule::Known(Move::FloorToHighest) => {
            least_highest_floor.into_iter().for_each(|f| floor.include(f));
            highest_floor.into_iter().for_each(|f| floor.include(f.saturating_add(FAST_FLOOR_LIP)));
        }
        Rule::Known(Move::FloorToNext) => floor.high = floor.high.max(highest_floor.unwrap_or(floor.high)),
        Rule::Known(Move::FloorToCeiling) => floor.high = floor.high.max(top),
        Rule::Known(Move::Shuttle) => {
            lowest_floor.into_iter().chain(highest_floor).for_each(|f| floor.include(f))
        }
        Rule::Known(Move::FloorBy(_) | Move::Stairs(_) | Move::Donut) => {}
        Rule::Unknown => {
            lowest_floor.into_iter().for_each(|f| floor.include(f));
            highest_ceiling.into_iter().for_each(|c| ceiling.include(c));
            ceiling.include(floor.low);
            floor.high = floor.high.max(top);
        }
    }
    heights[sector] = Heights { floor, ceiling };
}
