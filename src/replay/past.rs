//! The last moments of a match: where everybody was, and what was decided of each pair.

use super::cast::Cast;
use crate::audit::measure::Surroundings;
use crate::audit::opinion::{Ball, Pose};
use crate::filter::{Relevancy, Verdict};
use crate::ids::TeamId;
use crate::recording::StanceName;
use crate::rules::SmokeRules;
use crate::wire::Level;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

/// An entity at a tick.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) team: Option<TeamId>,
    pub(super) pose: Pose,
    pub(super) is_alive: bool,
    /// Whether it is of a class that geometry decides about and that moves as players do.
    pub(super) is_player: bool,
    pub(super) since: u32,
}

/// What was decided of a pair at a tick.
#[derive(Clone, Copy)]
pub(super) struct Decided {
    pub(super) verdict: Verdict,
    /// The first tick of those in a row up to this one in which exact data was told.
    pub(super) told_since: Option<u32>,
}

impl Decided {
    /// Whether exact data of it was told because geometry let it through.
    pub(super) fn is_told(&self) -> bool {
        self.verdict.level >= Level::Seen && !self.is_by_right()
    }

    pub(super) fn is_by_right(&self) -> bool {
        matches!(self.verdict.relevancy, Relevancy::Granted(level) if level > Level::Seen)
    }
}

/// A tick.
pub(super) struct Moment {
    pub(super) tick: u32,
    pub(super) actors: BTreeMap<u32, Seen>,
    pub(super) around: Rc<Surroundings>,
    /// By observer and entity.
    pub(super) decided: HashMap<(u32, u32), Decided>,
}

impl Moment {
    pub(super) fn new(
        tick: u32,
        cast: &Cast<'_>,
        smoke: &SmokeRules,
        is_player: impl Fn(crate::ids::ClassId) -> bool,
    ) -> Self {
        let seen = |actor: &super::cast::Actor| Seen {
            team: actor.team,
            pose: Pose {
                at: actor.line.pos,
                vel: actor.line.vel,
                is_crouched: actor.line.stance == StanceName::Crouched,
            },
            is_alive: actor.line.alive,
            is_player: is_player(actor.class),
            since: actor.since,
        };
        let ball = |cloud: &crate::world::SmokeCloud| Ball {
            center: [cloud.center.x, cloud.center.y, cloud.center.z],
            radius_m: cloud.radius_m,
            opaque_m: smoke.opaque_depth_m,
            rim_m: smoke.rim_m,
        };
        let around = Surroundings { smokes: cast.smokes.iter().map(ball).collect(), shut: cast.shut.clone() };
        // Of what neither sees nor is looked for nothing is judged.
        let owns: BTreeSet<u32> = cast.watchers.values().filter_map(|watcher| watcher.line.entity).collect();
        let is_kept = |id: &u32, actor: &super::cast::Actor| cast.is_player(actor) || owns.contains(id);
        let kept = cast.actors.iter().filter(|(id, actor)| is_kept(id, actor));
        Self {
            tick,
            actors: kept.map(|(id, actor)| (*id, seen(actor))).collect(),
            around: Rc::new(around),
            decided: HashMap::new(),
        }
    }
}

/// Moments in a row, up to so many.
pub(super) struct Past {
    moments: VecDeque<Moment>,
    most: usize,
}

impl Past {
    pub(super) fn new(most: usize) -> Self {
        Self { moments: VecDeque::new(), most }
    }

    /// Takes a moment; one that does not follow the last begins anew.
    pub(super) fn push(&mut self, moment: Moment) {
        if self.moments.back().is_some_and(|last| last.tick.wrapping_add(1) != moment.tick) {
            self.moments.clear();
        }
        self.moments.push_back(moment);
        if self.moments.len() > self.most {
            self.moments.pop_front();
        }
    }

    pub(super) fn cut(&mut self) {
        self.moments.clear();
    }

    /// Whether the last moment does not go on from an earlier one.
    pub(super) fn is_first(&self) -> bool {
        self.moments.len() == 1
    }

    pub(super) fn last(&self) -> Option<&Moment> {
        self.moments.back()
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut Moment> {
        self.moments.back_mut()
    }

    pub(super) fn at(&self, tick: u32) -> Option<&Moment> {
        let back = self.moments.back()?.tick.checked_sub(tick)? as usize;
        self.moments.get(self.moments.len().checked_sub(back + 1)?)
    }
}
