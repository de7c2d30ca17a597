//! Where bots appear.
//!
//! Promises: a body that appears stands free on a floor. Must not know what comes of it.

use super::dice::Dice;
use super::nav::Nav;
use super::space::{Near, Space};
use crate::geom::Point3;
use crate::map::Map;

/// Names of teams where the map names fewer.
const NAMES: [&str; 16] = [
    "red", "blue", "green", "yellow", "orange", "purple", "white", "black", "cyan", "magenta", "lime",
    "pink", "teal", "brown", "grey", "gold",
];
/// Others within this keep a spawn from being used, metres.
const ROOM_M: f64 = 1.0;
/// Mates appear this far around, where the map has too few spawns, metres.
const AROUND_M: f64 = 6.0;

/// Where the bots of each team appear; without teams anywhere.
pub(super) struct Spawns {
    /// Teams' names and their spawns.
    pub(super) teams: Vec<(String, Vec<Point3>)>,
}

impl Spawns {
    pub(super) fn new(map: &Map, space: &Space, nav: &Nav, teams: usize, dice: &mut Dice) -> Self {
        let mut names: Vec<String> = Vec::new();
        for spawn in &map.spawns {
            if !names.contains(&spawn.team) {
                names.push(spawn.team.clone());
            }
        }
        for name in NAMES {
            if names.len() < teams && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        // A map's own names may take some of the list: numbers are never used up.
        (1..)
            .map(|number| format!("team {number}"))
            .take(teams.saturating_sub(names.len()))
            .for_each(|name| names.push(name));
        names.truncate(teams);
        let mut homes: Vec<Point3> = Vec::new();
        let teams = names.into_iter().map(|name| {
            let own = map.spawns.iter().filter(|spawn| spawn.team == name);
            let mut places: Vec<Point3> = own.filter_map(|spawn| settle(space, nav, spawn.at)).collect();
            if places.is_empty() {
                places.push(farthest(nav, &homes, dice));
            }
            homes.push(places[0]);
            (name, places)
        });
        Self { teams: teams.collect() }
    }

    /// A place for one of a side, away from those who are there.
    pub(super) fn place(&self, nav: &Nav, side: u32, taken: &[Point3], dice: &mut Dice) -> Point3 {
        let Some((_, own)) = self.teams.get(side as usize) else { return farthest(nav, taken, dice) };
        let is_free = |at: &Point3| taken.iter().all(|other| (other - at).norm() > ROOM_M);
        let free: Vec<&Point3> = own.iter().filter(|at| is_free(at)).collect();
        if !free.is_empty() {
            return *free[dice.below(free.len())];
        }
        let home = own[dice.below(own.len())];
        let island = nav.nearest(home).map(|place| nav.islands[place as usize]);
        let mut close = nav.near(home.xy(), AROUND_M);
        close.retain(|place| {
            let place = *place as usize;
            let is_level = (nav.places[place].z - home.z).abs() < 1.5;
            is_level && !nav.in_doorway[place] && Some(nav.islands[place]) == island
        });
        let roomy: Vec<u32> =
            close.iter().copied().filter(|place| is_free(&nav.places[*place as usize])).collect();
        let among = if roomy.is_empty() { close } else { roomy };
        among.get(dice.below(among.len())).map_or(home, |place| nav.places[*place as usize])
    }
}

/// The feet of a body at a spawn: on its floor, or at the nearest place.
fn settle(space: &Space, nav: &Nav, at: Point3) -> Option<Point3> {
    let mut near = Near::default();
    // A match begins with all doors closed.
    let open = vec![false; space.door_count()];
    let mut touch = space.touch(&mut near, &open);
    let floor = touch.floor_under(at.xy(), at.z + space.player.step);
    let on_floor = floor.map(|(z, _)| Point3::new(at.x, at.y, z));
    on_floor.filter(|feet| feet.z > at.z - 1.0 && touch.is_free(*feet, space.player.height)).or_else(|| {
        let close = nav.near(at.xy(), AROUND_M).into_iter().filter(|place| !nav.in_doorway[*place as usize]);
        let distance = |feet: &Point3| (feet - at).norm();
        let places = close.map(|place| nav.places[place as usize]);
        places.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    })
}

/// Of some places of the largest island, which has some, the one that is farthest from others.
fn farthest(nav: &Nav, others: &[Point3], dice: &mut Dice) -> Point3 {
    /// Places that are compared.
    const TRIES: usize = 12;
    let largest = nav.largest_island();
    let distance = |at: &Point3| others.iter().map(|other| (other - at).norm()).fold(1e9, f64::min);
    let mut best = nav.places[largest[0] as usize];
    let mut best_m = -1.0;
    for _ in 0..TRIES {
        let at = nav.places[largest[dice.below(largest.len())] as usize];
        if distance(&at) > best_m {
            (best, best_m) = (at, distance(&at));
        }
    }
    best
}
