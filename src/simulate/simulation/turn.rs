//! One tick of a match, in its order.
//!
//! Promises: everybody perceives the same moment before anybody moves; shots come after it.
//! Must not know how a match begins.

use super::Simulation;
use crate::geom::Point3;
use crate::recording::{DoorLine, TickLine};
use crate::simulate::arms::{self, Shot};
use crate::simulate::bot::Deeds;
use crate::simulate::lines;
use crate::simulate::options::{Lineup, Respawn};
use crate::simulate::scene::{Scene, look};

/// Seconds until the dead are back.
const RESPAWN_S: f64 = 3.0;
/// Metres between two footsteps of who runs.
const STRIDE_M: f64 = 2.2;
/// Slower than this share of the greatest speed steps make no sound.
const LOUD_SHARE: f64 = 0.55;

/// What bots may look up, lent by a simulation whose bots and dice stay free to change.
macro_rules! scene {
    ($of:ident) => {
        Scene {
            space: &$of.space,
            nav: &$of.nav,
            eyes: &$of.eyes,
            pace: &$of.pace,
            open: &$of.doors.open,
            all_open: &$of.all_open,
            people: &$of.people,
            sights: &$of.sights,
            tick: $of.tick,
        }
    };
}

impl Simulation<'_> {
    pub(super) fn take_turn(&mut self) -> TickLine {
        let mut line = TickLine { tick: self.tick, ..TickLine::default() };
        self.arrive();
        self.replace();
        self.move_things();
        self.perceive();
        self.move_all();
        let shots = self.fight();
        self.bury(&shots, &mut line);
        self.make_footsteps(&mut line);
        shots.iter().for_each(|shot| lines::shot(shot, &self.bots, &mut line));
        self.write(&mut line);
        line
    }

    fn ticks(&self, seconds: f64) -> u32 {
        (seconds * self.options.tick_hz).round().max(1.0) as u32
    }

    fn arrive(&mut self) {
        for bot in &mut self.bots {
            bot.teleported = false;
            if self.tick > 0 {
                bot.body.arrive();
            }
        }
    }

    /// Brings back the dead, changes teams and teleports.
    fn replace(&mut self) {
        for index in 0..self.bots.len() {
            if self.bots[index].respawns.is_some_and(|tick| tick <= self.tick) {
                let feet = self.spawn_of(self.bots[index].side);
                self.bots[index].respawn(feet);
                self.counts.respawns += 1;
            }
        }
        if self.is_due(self.options.team_change_s) {
            self.change_a_team();
        }
        if self.is_due(self.options.teleport_s) {
            self.teleport_one();
        }
    }

    fn is_due(&self, every_s: Option<f64>) -> bool {
        every_s.is_some_and(|every_s| self.tick > 0 && self.tick.is_multiple_of(self.ticks(every_s)))
    }

    fn spawn_of(&mut self, side: u32) -> Point3 {
        let others = self.bots.iter().filter(|bot| bot.alive);
        let taken: Vec<Point3> = others.map(|bot| bot.body.feet).collect();
        self.spawns.place(&self.nav, side, &taken, &mut self.dice)
    }

    fn change_a_team(&mut self) {
        let Lineup::Teams(sizes) = &self.options.lineup else { return };
        let count = sizes.len() as u32;
        let index = self.dice.below(self.bots.len());
        if count < 2 || (!self.bots[index].alive && self.options.respawn == Respawn::Never) {
            return;
        }
        let side = (self.bots[index].side + 1) % count;
        let feet = self.spawn_of(side);
        self.bots[index].side = side;
        self.bots[index].respawn(feet);
        if let Some(team) = &self.teams[side as usize] {
            self.crowd.change_team(index, team);
        }
        self.counts.team_changes += 1;
    }

    fn teleport_one(&mut self) {
        let index = self.dice.below(self.bots.len());
        if !self.bots[index].alive {
            return;
        }
        let among = self.nav.largest_island();
        let place = among[self.dice.below(among.len())];
        self.bots[index].teleport(self.nav.places[place as usize]);
        self.counts.teleports += 1;
    }

    fn move_things(&mut self) {
        let bodies: Vec<_> = self.bots.iter().map(|bot| &bot.body).collect();
        if self.tick > 0 {
            self.doors.update(&self.space, &bodies, self.tick, self.pace.tick_s);
            self.counts.door_moves += self.doors.changed.len() as u64;
        }
        self.props.update(self.tick);
        arms::reload(&mut self.bots, self.tick);
    }

    fn perceive(&mut self) {
        self.eyes.set_doors(&self.doors.open);
        self.eyes.set_smokes(&self.props.smokes());
        self.people.clear();
        self.people.extend(self.bots.iter().map(|bot| bot.person(&self.space)));
        std::mem::swap(&mut self.sights, &mut self.seen_before);
        look(&self.eyes, &self.people, &mut self.sights);
        let is_new = |(now, before): (&bool, &bool)| *now && !*before;
        let news = self.sights.iter().zip(&self.seen_before).filter(|pair| is_new(*pair)).count();
        self.counts.sightings += if self.seen_before.is_empty() { 0 } else { news as u64 };
    }

    fn move_all(&mut self) {
        let scene = scene!(self);
        let act = |(index, bot): (usize, &mut crate::simulate::bot::Bot)| {
            let (was_down, was_up) = (bot.body.is_on_ground(), !bot.body.is_crouched());
            let deeds = bot.act(&scene, index, &mut self.router);
            self.counts.leaps += u64::from(was_down && !bot.body.is_on_ground());
            self.counts.crouches += u64::from(was_up && bot.body.is_crouched());
            deeds
        };
        let deeds: Vec<Deeds> = self.bots.iter_mut().enumerate().map(act).collect();
        for (index, Deeds { opens, throws }) in deeds.into_iter().enumerate() {
            opens.into_iter().for_each(|door| self.doors.ask(door));
            if let Some(to) = throws {
                let from = self.people[index].eye;
                let thrown = self.props.throw(&self.eyes, index, from, to, self.tick);
                self.counts.smokes += u64::from(thrown);
            }
        }
    }

    fn fight(&mut self) -> Vec<Shot> {
        let scene = scene!(self);
        let shots = arms::shoot(&scene, &mut self.bots, self.options.manner, &mut self.dice);
        self.counts.shots += shots.len() as u64;
        shots
    }

    /// The dead leave their weapons.
    fn bury(&mut self, shots: &[Shot], line: &mut TickLine) {
        for shot in shots.iter().filter(|shot| shot.kills) {
            self.counts.kills += 1;
            let back = self.tick + self.ticks(RESPAWN_S);
            let bot = &mut self.bots[shot.target];
            if std::mem::take(&mut bot.weapon_told) {
                line.removed.push(self.ids.weapon(shot.target));
            }
            if self.options.respawn == Respawn::Soon {
                bot.respawns = Some(back);
            }
            let at = bot.body.landing().unwrap_or(bot.body.feet);
            self.props.drop(at, self.tick);
        }
    }

    fn make_footsteps(&mut self, line: &mut TickLine) {
        let loud_mps = LOUD_SHARE * self.pace.speed_mps;
        for (index, bot) in self.bots.iter_mut().enumerate() {
            let speed_mps = bot.body.vel.xy().norm();
            if !bot.alive || !bot.body.is_on_ground() || bot.body.is_crouched() || speed_mps < loud_mps {
                continue;
            }
            bot.strode_m += speed_mps * self.pace.tick_s;
            if bot.strode_m >= STRIDE_M {
                bot.strode_m -= STRIDE_M;
                self.counts.footsteps += 1;
                line.sounds.push(lines::sound("footstep", bot, index));
            }
        }
    }

    fn write(&mut self, line: &mut TickLine) {
        for (index, bot) in self.bots.iter().enumerate() {
            line.entities.push(lines::player(bot, index, self.teams[bot.side as usize].as_ref()));
        }
        for (index, bot) in self.bots.iter_mut().enumerate().filter(|(_, bot)| bot.alive) {
            if std::mem::take(&mut bot.weapon_news) {
                bot.weapon_told = true;
                let team = self.teams[bot.side as usize].as_ref();
                line.entities.push(lines::weapon(bot, index, self.ids, team));
            }
        }
        let left_s = f64::from(self.options.ticks() - self.tick) * self.pace.tick_s;
        if self.tick.is_multiple_of(self.ticks(1.0)) {
            line.entities.push(lines::match_state(self.ids, left_s.ceil() as u32));
        }
        lines::props(&self.props, &self.bots, &self.teams, line);
        line.removed.extend(&self.props.removed);
        line.doors.extend(self.doors.changed.iter().map(|door| DoorLine {
            id: self.door_ids[*door as usize].clone(),
            open: self.doors.open[*door as usize],
            ext: None,
        }));
        line.observers = self.crowd.update(self.tick);
    }
}
