//! Which line of sight is free in a tick, in words.
//!
//! Owns the lines from a player's true eye and from both of its shoulders to the points that a class names.
//! Promises: shut doors and smoke stop them, and nobody leans through a wall. Must not decide anything.

use crate::geom::{Point3, Vector2, Vector3, direction};
use crate::map::{DoorState, DynamicSolids, Mask, Smoke};
use crate::rules::{BodyPoint, SightPolicy};
use crate::server::Server;
use crate::world::{Entity, Observer, ObserverKind, Stance, World};

/// What stops lines in one tick.
pub(super) struct Lines<'a> {
    server: &'a Server,
    world: &'a World<'a>,
    dynamic: DynamicSolids,
}

impl<'a> Lines<'a> {
    pub(super) fn new(server: &'a Server, world: &'a World<'a>) -> Self {
        let mut dynamic = DynamicSolids::new(&server.baked().map);
        for door in world.doors.iter().filter(|door| door.motion.is_shut()) {
            if let Some(state) = dynamic.doors_mut().get_mut(door.index as usize) {
                *state = DoorState::Closed;
            }
        }
        let depth = server.rules().settings().smoke.opaque_depth_m;
        let stands = world.smokes.iter().filter(|smoke| smoke.until.since(world.tick) >= 0);
        let smokes: Vec<_> =
            stands.map(|smoke| Smoke { center: smoke.center, radius: smoke.radius_m, depth }).collect();
        dynamic.set_smokes(&smokes);
        Self { server, world, dynamic }
    }

    /// The first free line from the observer's own eye to the entity: `head from left lean`.
    pub(super) fn free(&self, observer: &Observer<'_>, entity: &Entity<'_>) -> Option<String> {
        let own = observer.entity.filter(|_| observer.kind == ObserverKind::Player)?;
        let viewer = self.world.entities.iter().find(|other| other.id == own)?;
        let class = self.server.rules().class(entity.class)?;
        if class.sight != SightPolicy::PvsAndRays || entity.parent.is_some() {
            return None;
        }
        let player = &self.server.baked().map.player;
        let is_crouched = viewer.stance == Stance::Crouched;
        let up = if is_crouched { player.eye_crouched } else { player.eye_standing };
        let eye = viewer.pos + Vector3::new(0.0, 0.0, up);
        let way = entity.pos.xy() - eye.xy();
        let left = if way.norm() > 0.0 { Vector2::new(-way.y, way.x) / way.norm() } else { Vector2::y() };
        let lean = (left * player.lean).push(0.0);
        let eyes = [("the eye", eye), ("left lean", eye + lean), ("right lean", eye - lean)];
        let is_low = entity.stance == Stance::Crouched;
        let at_of = |point: &BodyPoint| {
            let off = point.placing.offset(direction(entity.yaw_deg), left);
            entity.pos + off.push(if is_low { point.crouched_up_m } else { point.up_m })
        };
        let leans = |at: Point3| at == eye || self.is_free(eye, at);
        eyes.into_iter().filter(|(_, at)| leans(*at)).find_map(|(from, at)| {
            let seen = class.body.iter().find(|point| self.is_free(at, at_of(point)));
            seen.map(|point| format!("{} from {from}", point.name))
        })
    }

    fn is_free(&self, from: Point3, to: Point3) -> bool {
        let solids = &self.server.baked().solids;
        solids.blocker(from, to, Mask::Sight, None).is_none()
            && self.dynamic.blocker(from, to, Mask::Sight).is_none()
    }
}
