//! What a server would do without Fogwall, for the table beside it: the same match through the same packets.
//!
//! Owns those other filters. Promises: each decides by what the server knows in that tick alone. What they let through is
//! told by the right of a group of its observer's, so that all that follows is the same. Must not know what they cost.

use super::cast::Actor;
use crate::geom::{Point3, Vector3};
use crate::ids::GroupId;
use crate::map::{Baked, Mask};
use crate::recording::StanceName;
use crate::rules::{Grants, Rules, RulesErrors, SightPolicy};
use crate::wire::Level;
use std::sync::Arc;

/// Who decides what an observer is told of enemies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// Fogwall.
    #[default]
    Fogwall,
    /// Nobody: everything is told.
    None,
    /// The distance: enemies within 40 m.
    Radius,
    /// The baked visibility between where both stand, without a lead.
    Pvs,
    /// Two rays, to where velocity takes the enemy's head and feet within the lead.
    HeadFeet,
}

/// Within which [`Baseline::Radius`] tells of enemies, metres.
const RADIUS_M: f64 = 40.0;

/// Groups of observers begin here: recordings use smaller ones.
const FIRST_GROUP: u32 = 1 << 30;

impl Baseline {
    /// Rules by which the groups decide, where this is not Fogwall.
    ///
    /// # Errors
    /// Where rules so changed do not hold.
    pub(super) fn rules(self, rules: &Arc<Rules>) -> Result<Arc<Rules>, RulesErrors> {
        if self == Self::Fogwall {
            return Ok(Arc::clone(rules));
        }
        let mut source = rules.source().clone();
        for class in source.classes.iter_mut().filter(|class| class.sight != SightPolicy::Never) {
            class.sight = SightPolicy::Never;
            class.grants = Grants { group: Level::Seen, ..class.grants };
        }
        Ok(Arc::new(Rules::check(source)?.rules))
    }

    /// The group that an observer's own decisions go by.
    pub(super) fn group(observer: u32) -> GroupId {
        GroupId(FIRST_GROUP + observer)
    }

    /// Whether an observer who plays `own` is told of `other`.
    pub(super) fn tells(self, baked: &Baked, own: &Actor, other: &Actor, lead_s: f64) -> bool {
        let (from, to) = (Point3::from(own.line.pos), Point3::from(other.line.pos));
        match self {
            Self::Fogwall => false,
            Self::None => true,
            Self::Radius => (to - from).norm() <= RADIUS_M,
            Self::Pvs => {
                let cell = |at| baked.cells.cell_at(at);
                cell(from).zip(cell(to)).is_none_or(|(from, to)| baked.pvs.may_see(from, to))
            }
            Self::HeadFeet => {
                let player = &baked.map.player;
                let up = |z| Vector3::new(0.0, 0.0, z);
                let is_crouched = own.line.stance == StanceName::Crouched;
                let eye = from + up(if is_crouched { player.eye_crouched } else { player.eye_standing });
                let ahead = to + Vector3::from(other.line.vel) * lead_s;
                let mut ends = [ahead + up(0.95 * player.height), ahead + up(0.05)].into_iter();
                ends.any(|end| baked.solids.blocker(eye, end, Mask::Sight, None).is_none())
            }
        }
    }
}
