//! Motions that are hardest for a filter: suddenly into sight, as fast as limits allow, and away again.
//!
//! Promises: every plan is made against an enemy that is there. Must not know how plans are carried out.

use super::{Mind, Plan, spots};
use crate::geom::Point3;
use crate::simulate::body::Body;
use crate::simulate::route::{Router, Taste};
use crate::simulate::scene::Scene;

/// Beyond this an enemy is gone to first, metres.
const FAR_M: f64 = 30.0;

/// What is done about an enemy.
#[derive(Clone, Copy, Debug)]
enum Act {
    Peek,
    Hop,
    Pop,
    Leap,
    Weave,
    Go,
}

/// As often as they stand here; after one that can't be comes the next.
const ACTS: [Act; 10] = [
    Act::Hop,
    Act::Peek,
    Act::Pop,
    Act::Peek,
    Act::Leap,
    Act::Peek,
    Act::Peek,
    Act::Weave,
    Act::Peek,
    Act::Go,
];

impl Mind {
    pub(super) fn choose_the_hardest(
        &mut self,
        scene: &Scene<'_>,
        me: usize,
        body: &Body,
        router: &mut Router,
    ) {
        let foe = if self.dice.chance(0.7) {
            scene.nearest(me, scene.enemies(me))
        } else {
            let enemies: Vec<usize> = scene.enemies(me).collect();
            enemies.get(self.dice.below(enemies.len())).copied()
        };
        self.foe = foe;
        let Some(eye) = self.foe_eye(scene) else {
            return self.roam(scene, me, body, router, Taste::Leaps);
        };
        if (eye - body.feet).norm() > FAR_M {
            return self.roam(scene, me, body, router, Taste::Leaps);
        }
        // What there is no place for is made up for by the next.
        let first = self.dice.below(ACTS.len());
        let acts = ACTS.iter().cycle().skip(first).take(ACTS.len());
        for act in acts.take_while(|act| !matches!(act, Act::Go)) {
            if self.begin_act(scene, body, eye, *act, router) {
                return;
            }
        }
        self.roam(scene, me, body, router, Taste::Leaps);
        if matches!(self.plan, Plan::Travel) {
            self.until = scene.tick + scene.ticks(self.dice.between(0.5, 1.5));
        }
    }

    fn begin_act(
        &mut self,
        scene: &Scene<'_>,
        body: &Body,
        eye: Point3,
        act: Act,
        router: &mut Router,
    ) -> bool {
        let near = &mut self.walker.near;
        let plan = match act {
            Act::Peek => return self.peek_from(scene, body, eye, (1.5, 3.5)),
            Act::Leap => return self.leap(scene, body, router),
            Act::Go => None,
            Act::Hop => spots::jump_spot(scene, near, body.feet, eye)
                .map(|at| Plan::Hop { at, sign: self.dice.sign() }),
            Act::Pop => spots::low_cover(scene, near, body.feet, eye).map(|at| Plan::Pop { at }),
            Act::Weave => Some(Plan::Weave { every: scene.ticks(self.dice.between(0.1, 0.4)) }),
        };
        plan.is_some_and(|plan| {
            self.begin(scene, plan, (1.5, 2.5));
            true
        })
    }

    /// Over an edge or onto a ledge close by.
    fn leap(&mut self, scene: &Scene<'_>, body: &Body, router: &mut Router) -> bool {
        let leaps = spots::leaps(scene, body.feet);
        if leaps.is_empty() {
            return false;
        }
        let to = leaps[self.dice.below(leaps.len())];
        let goes = self.walker.plan(scene, router, body.feet, to, Taste::Leaps);
        if goes {
            self.is_sneaking = false;
            self.begin(scene, Plan::Travel, (3.0, 4.0));
        }
        goes
    }
}
