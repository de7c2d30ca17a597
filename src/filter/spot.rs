//! What a team sees now: the minimap's knowledge.
//!
//! Owns the unpredicted lines from the true eyes of living team-mates, smoke and doors included. Promises: what no true
//! eye sees now is not spotted. Errs towards hidden: a body is looked for at its points alone.
//! Must not know who is told.

use super::{Body, Lent};
use crate::geom::{Point3, Vector2, ZRange};
use crate::ids::{ByHandle, ClassId, MatchId, TeamId};
use crate::map::{Mask, PieceId, Tube, WindowTest};
use crate::rules::BodyPoint;
use crate::world::Entity;

/// How far an eye and a body move before what was found of the lines between them is looked for anew, metres.
const TUBE_M: f64 = 0.2;

/// Pieces that are remembered of a pair.
const PIECES: usize = 5;

/// Bodies that room is made for of each who sees; where there are more, it grows.
const ROOM_PAIRS: usize = 256;

/// What the teams of a tick see.
#[derive(Clone, Debug, Default)]
pub(super) struct Spots {
    teams: Vec<(MatchId, TeamId)>,
    /// By team: the place of the body of its only watcher.
    only: Vec<Option<usize>>,
    /// By team: how many watch.
    watched: Vec<u32>,
    /// By team, then by body: the place of who sees it.
    seen: Vec<u32>,
    bodies: usize,
    /// By who sees, then by body: what changes the work alone.
    pairs: ByHandle<ByHandle<Pair>>,
    /// Count of the tick.
    count: u64,
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
    /// The pieces that stopped the last rays to points, by their numbers, which may share one.
    pieces: [Option<PieceId>; PIECES],
    /// The stamps of two reaches of which the one is surely hidden from the other.
    proven: [u64; 2],
    known: Option<(Tube, Lines)>,
}

/// What was found of the lines of a tube.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lines {
    /// No solid stops any, to the point of this number.
    Free(usize),
    /// One solid stops all, to whichever point of this class's bodies.
    Stopped(ClassId),
    /// Neither: each tick looks anew.
    Mixed,
}

impl Spots {
    /// Begins the tick of this count, with so many bodies, for the teams of these observers, and the places of the
    /// bodies that they play.
    pub(super) fn clear(
        &mut self,
        watchers: impl Iterator<Item = (MatchId, TeamId, Option<usize>)> + Clone,
        bodies: usize,
        count: u64,
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
        (self.bodies, self.count) = (bodies, count);
        self.seen.clear();
        self.seen.resize(self.teams.len() * bodies, NOBODY);
        self.rays = 0;
    }

    /// Whether nobody is told of what the body at a place sees but its own player, who sees it anyway.
    pub(super) fn is_alone(&self, team: usize, place: usize) -> bool {
        self.only[team] == Some(place)
    }

    /// Whether the body at the place `own`, of this team, is known to see a body.
    pub(super) fn saw(&self, team: Option<usize>, own: usize, body: usize) -> bool {
        team.is_some_and(|team| self.seen[team * self.bodies + body] == own as u32)
    }

    /// The team that an entity sees for, if somebody is to be told.
    pub(super) fn team_of(&self, entity: &Entity<'_>) -> Option<usize> {
        self.find(entity.membership.match_id, entity.team.filter(|_| entity.alive)?)
    }

    /// Whether a team knows of the entity already, or of it by right.
    pub(super) fn is_settled(&self, team: usize, body: usize, entity: &Entity<'_>) -> bool {
        self.seen[team * self.bodies + body] != NOBODY || entity.team == Some(self.teams[team].1)
    }

    /// Where the pairs of one who sees are remembered, for this tick.
    pub(super) fn of_seer(&mut self, seer: &Entity<'_>) -> usize {
        let Self { pairs, bodies, count, .. } = self;
        let row = pairs.place(seer.id, *count, ByHandle::default);
        pairs.at(row).make_room((*bodies).min(ROOM_PAIRS));
        row
    }

    /// Where a pair of one who sees is remembered; it holds until another is asked for.
    pub(super) fn of_pair(&mut self, seer: usize, entity: &Entity<'_>) -> [usize; 2] {
        let count = self.count;
        [seer, self.pairs.at(seer).place(entity.id, count, Pair::default)]
    }

    fn pair(&mut self, [seer, pair]: [usize; 2]) -> &mut Pair {
        self.pairs.at(seer).at(pair)
    }

    /// Whether the reaches of these stamps are known to be hidden from each other.
    pub(super) fn is_proven(&mut self, pair: [usize; 2], stamps: [u64; 2]) -> bool {
        stamps.iter().all(|&stamp| stamp > 0) && self.pair(pair).proven == stamps
    }

    /// Remembers that they are.
    pub(super) fn prove(&mut self, pair: [usize; 2], stamps: [u64; 2]) {
        self.pair(pair).proven = stamps;
    }

    /// Looks from a team-mate's true eye at the points of a body; `point` gives where the one of a number is.
    pub(super) fn look(
        &mut self,
        lent: &Lent<'_>,
        window: &WindowTest,
        (team, mate, eye): (usize, usize, Point3),
        (ordinal, body, points): (usize, &Body, &[BodyPoint]),
        memory: [usize; 2],
        (point, stops_now): (impl Fn(usize) -> Option<Point3>, impl Fn(Point3, Point3) -> bool),
    ) {
        let entity = &lent.world.entities[body.place];
        let pair = *self.pair(memory);
        let seen_by = team * self.bodies + ordinal;
        let mut is_mixed = false;
        match pair.known {
            Some((tube, Lines::Free(index))) => {
                let to = point(index).filter(|&to| tube.holds(eye, to) && !stops_now(eye, to));
                if to.is_some() {
                    self.seen[seen_by] = mate as u32;
                    return;
                }
            }
            Some((tube, Lines::Stopped(class))) if class == entity.class && tube.holds(eye, body.at) => {
                return;
            }
            Some((_, Lines::Stopped(_))) => {}
            Some((tube, Lines::Mixed)) => is_mixed = tube.holds(eye, body.at),
            None => {}
        }
        let (mut pieces, mut seen) = (pair.pieces, None);
        // What was seen last is looked for first.
        let others = (0..points.len()).filter(|&index| index != pair.point);
        for index in std::iter::once(pair.point).chain(others) {
            let Some(to) = point(index) else { continue };
            self.rays += 1;
            let piece = &mut pieces[index % PIECES];
            match lent.baked.solids.blocker(eye, to, Mask::Sight, *piece) {
                Some(found) => *piece = Some(found),
                None if stops_now(eye, to) => {}
                None => {
                    seen = Some((index, to));
                    self.seen[seen_by] = mate as u32;
                    break;
                }
            }
        }
        let of = (entity.class, points);
        let known =
            if is_mixed { pair.known } else { Some(known(lent, window, (eye, body), of, seen, pieces)) };
        let index = seen.map_or(pair.point, |(index, _)| index);
        *self.pair(memory) = Pair { pieces, point: index, known, ..pair };
    }

    /// A team of whose sight something is known.
    pub(super) fn find(&self, match_id: MatchId, team: TeamId) -> Option<usize> {
        self.teams.binary_search(&(match_id, team)).ok()
    }

    /// Whether a team sees a body now.
    pub(super) fn sees(&self, team: usize, body: usize) -> bool {
        self.seen[team * self.bodies + body] != NOBODY
    }
}

/// What can be said of all lines near those that were looked along: to the point that was seen, or to all points.
fn known(
    lent: &Lent<'_>,
    window: &WindowTest,
    (eye, body): (Point3, &Body),
    (class, points): (ClassId, &[BodyPoint]),
    seen: Option<(usize, Point3)>,
    stoppers: [Option<PieceId>; PIECES],
) -> (Tube, Lines) {
    let to_body = Tube::around(eye, body.at, TUBE_M);
    if let Some((index, to)) = seen {
        let tube = Tube::around(eye, to, TUBE_M);
        let is_free = window.is_free(&lent.baked.solids, &tube);
        return if is_free { (tube, Lines::Free(index)) } else { (to_body, Lines::Mixed) };
    }
    let (mut around_m, mut over) = (0.0, ZRange::new(0.0, 0.0));
    for point in points {
        around_m = f64::max(around_m, point.placing.off_axis_m());
        let (low, high) = (point.up_m.min(point.crouched_up_m), point.up_m.max(point.crouched_up_m));
        over = over.hull(ZRange::new(low, high));
    }
    let stops = |index: usize| {
        let is_first = !stoppers[..index].contains(&stoppers[index]);
        let piece = stoppers[index].filter(|_| is_first);
        piece.is_some_and(|piece| window.is_stopped(piece, &to_body, around_m, over))
    };
    let is_stopped = (0..PIECES).any(stops);
    (to_body, if is_stopped { Lines::Stopped(class) } else { Lines::Mixed })
}

/// The direction to a viewer's left, of a body that it looks at.
pub(super) fn left_of(eye: Point3, body: Point3) -> Vector2 {
    let way = body.xy() - eye.xy();
    let length = way.norm();
    if length > 0.0 { Vector2::new(-way.y, way.x) / length } else { Vector2::y() }
}
