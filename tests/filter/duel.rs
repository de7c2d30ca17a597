//! Two enemies who move at random on a map, what the one is told of the other, and how far both can get meanwhile.

use crate::bodies::{Ground, Mover};
use crate::oracle::kernel::{Grid, Marks};
use crate::oracle::product::Level as Judged;
use crate::oracle::random::Random;
use crate::stage::{BLUE, RED, Stage, TICK_MS, plays, rules};
use fogwall::{Entity, Observer};

/// A map with two enemies on it.
pub(crate) struct Duel<'a> {
    pub(crate) judged: &'a Judged,
    pub(crate) ground: Ground<'a>,
    pub(crate) grid: Grid,
    pub(crate) marks: Marks,
    pub(crate) stage: Stage,
    pub(crate) random: Random,
    /// The viewer and the enemy.
    pub(crate) movers: [Mover; 2],
    /// For how long the viewer, and the enemy, may have moved on when the picture shows, seconds.
    pub(crate) times_s: [f64; 2],
    /// Whether both were just put somewhere else.
    is_new: bool,
}

impl<'a> Duel<'a> {
    /// Between two that live by this round trip.
    pub(crate) fn new(judged: &'a Judged, rtt_ms: f64, mut random: Random) -> Self {
        let ground = Ground::new(judged);
        let stage = Stage::new(judged.map.clone(), rules(&[("team_vision: Spotted", "team_vision: Off")]));
        let lead = stage.rules.settings().lead;
        let viewer_s = (rtt_ms + lead.jitter_ms + 2.0 * TICK_MS) / 1000.0;
        let enemy_s = f64::from(1 + lead.loss_ticks) * TICK_MS / 1000.0;
        let movers = [0, 1].map(|_| Mover::born(judged, &ground, &mut random));
        let (grid, marks) = (Grid::new(&judged.scene), Marks::default());
        Self {
            judged,
            ground,
            grid,
            marks,
            stage,
            random,
            movers,
            times_s: [viewer_s, enemy_s],
            is_new: true,
        }
    }

    /// Puts both somewhere else.
    pub(crate) fn begin_again(&mut self) {
        self.movers = [0, 1].map(|_| Mover::born(self.judged, &self.ground, &mut self.random));
        self.is_new = true;
    }

    /// A tick, of which a filter tells that was given these round trips; whether the viewer is told of the enemy.
    pub(crate) fn step(&mut self, measured_ms: &[f64]) -> (bool, [Entity<'static>; 2]) {
        for mover in &mut self.movers {
            mover.live(&self.ground, &mut self.random, TICK_MS / 1000.0);
        }
        let teleported = std::mem::take(&mut self.is_new);
        let body = |index, team| Entity { teleported, ..self.stage.player(index, team, (0.0, 0.0, 0.0)) };
        let own = self.movers[0].entity(body(0, RED));
        let enemy = self.movers[1].entity(body(1, BLUE));
        self.stage.show(&[own, enemy], &[Observer { rtt_ms: measured_ms, ..plays(0, &own) }]);
        (self.stage.knows(0, 1), [own, enemy])
    }
}
