//! What a team sees now: the minimap's knowledge.
//!
//! Owns the unpredicted lines from the true eyes of living team-mates, smoke and doors included. Promises: what no true
//! eye sees now is not spotted. Errs towards hidden: a body is looked for at its points alone.
//! Must not know who is told.

use super::{Body, Lent};
use crate::geom::{Point3, Vector2};
use crate::ids::{MatchId, TeamId};
use crate::map::{Mask, PieceId};
use crate::world::Entity;

/// What the teams of a tick see.
#[derive(Clone, Debug, Default)]
pub(super) struct Spots {
    teams: Vec<(MatchId, TeamId)>,
    /// By team: the place of the body of its only watcher.
    only: Vec<Option<usize>>,
    /// By team: how many watch.
    watched: Vec<u32>,
    /// By team, then by place: the place of who sees it.
    seen: Vec<u32>,
    places: usize,
    /// By slot of the eye, then of the body: what changes the work alone.
    pairs: Vec<Vec<Pair>>,
    /// Rays of the tick.
    pub(super) rays: u64,
}

/// Nobody sees it.
const NOBODY: u32 = u32::MAX;

/// What is remembered of an eye and a body.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    /// The point that was seen last.
    point: usize,
    /// The piece that stopped the last ray.
    piece: Option<PieceId>,
    /// The stamps of two reaches of which the one is surely hidden from the other.
    proven: [u64; 2],
}

impl Spots {
    /// Begins a tick for the teams of these observers, and the places of the bodies that they play.
    pub(super) fn clear(
        &mut self,
        watchers: impl Iterator<Item = (MatchId, TeamId, Option<usize>)> + Clone,
        places: usize,
    ) {
        self.teams.clear();
        self.teams.extend(watchers.clone().map(|(match_id, team, _)| (match_id, team)));
        self.teams.sort_unstable();
        self.teams.dedup();
        self.only.clear();
        self.only.resize(self.teams.len(), None);
        self.watched.clear();
        self.watched.resize(self.teams.len(), 0);
        for (match_id, team, body) in watchers {
            let Ok(row) = self.teams.binary_search(&(match_id, team)) else { continue };
            self.watched[row] += 1;
            self.only[row] = body.filter(|_| self.watched[row] == 1);
        }
        self.places = places;
        self.seen.clear();
        self.seen.resize(self.teams.len() * places, NOBODY);
        self.rays = 0;
    }

    /// Whether nobody is told of what the body at a place sees but its own player, who sees it anyway.
    pub(super) fn is_alone(&self, team: usize, place: usize) -> bool {
        self.only[team] == Some(place)
    }

    /// Whether the body at `own`, of this team, is known to see what is at a place.
    pub(super) fn saw(&self, team: Option<usize>, own: usize, place: usize) -> bool {
        team.is_some_and(|team| self.seen[team * self.places + place] == own as u32)
    }

    /// The team that an entity sees for, if somebody is to be told.
    pub(super) fn team_of(&self, entity: &Entity<'_>) -> Option<usize> {
        let key = (entity.membership.match_id, entity.team.filter(|_| entity.alive)?);
        self.teams.binary_search(&key).ok()
    }

    /// Whether a team knows of the entity already, or of it by right.
    pub(super) fn is_settled(&self, team: usize, place: usize, entity: &Entity<'_>) -> bool {
        self.seen[team * self.places + place] != NOBODY || entity.team == Some(self.teams[team].1)
    }

    fn pair(&mut self, seer: &Entity<'_>, entity: &Entity<'_>) -> &mut Pair {
        let (row, column) = (seer.id.index as usize, entity.id.index as usize);
        if self.pairs.len() <= row {
            self.pairs.resize(row + 1, Vec::new());
        }
        let pairs = &mut self.pairs[row];
        if pairs.len() <= column {
            pairs.resize(column + 1, Pair::default());
        }
        &mut pairs[column]
    }

    /// Whether the reaches of these stamps are known to be hidden from each other.
    pub(super) fn is_proven(&mut self, seer: &Entity<'_>, entity: &Entity<'_>, stamps: [u64; 2]) -> bool {
        stamps.iter().all(|&stamp| stamp > 0) && self.pair(seer, entity).proven == stamps
    }

    /// Remembers that they are.
    pub(super) fn prove(&mut self, seer: &Entity<'_>, entity: &Entity<'_>, stamps: [u64; 2]) {
        self.pair(seer, entity).proven = stamps;
    }

    /// Looks from a team-mate's true eye at the points of a body, by their numbers; gives what stopped the last, if
    /// none was seen.
    pub(super) fn look(
        &mut self,
        lent: &Lent<'_>,
        (team, mate, eye): (usize, usize, Point3),
        (place, body): (usize, &Body),
        point: impl Fn(usize) -> Option<Point3>,
        stops_now: impl Fn(Point3, Point3) -> bool,
    ) -> Option<PieceId> {
        debug_assert!(body.at == lent.world.entities[place].pos);
        let (seer, entity) = (&lent.world.entities[mate], &lent.world.entities[place]);
        let pair = *self.pair(seer, entity);
        let mut known = pair.piece;
        // What was seen last is looked for first.
        let others = (0..).take_while(|&index| point(index).is_some()).filter(|&index| index != pair.point);
        for index in std::iter::once(pair.point).chain(others) {
            let Some(to) = point(index) else { continue };
            self.rays += 1;
            match lent.baked.solids.blocker(eye, to, Mask::Sight, known) {
                Some(piece) => known = Some(piece),
                None if stops_now(eye, to) => {}
                None => {
                    self.seen[team * self.places + place] = mate as u32;
                    *self.pair(seer, entity) = Pair { piece: known, point: index, ..pair };
                    return None;
                }
            }
        }
        self.pair(seer, entity).piece = known;
        known
    }

    /// Whether a team sees the entity at a place now.
    pub(super) fn sees(&self, match_id: MatchId, team: TeamId, place: usize) -> bool {
        let row = self.teams.binary_search(&(match_id, team)).ok();
        row.is_some_and(|row| self.seen[row * self.places + place] != NOBODY)
    }
}

/// The direction to a viewer's left, of a body that it looks at.
pub(super) fn left_of(eye: Point3, body: Point3) -> Vector2 {
    let way = body.xy() - eye.xy();
    let length = way.norm();
    if length > 0.0 { Vector2::new(-way.y, way.x) / length } else { Vector2::y() }
}
