//! The present tick as the world that a server is lent.

use super::super::values::Owned;
use super::{Actor, Cast, Happened, Watcher};
use crate::geom::{Point3, Vector3};
use crate::ids::{EntityId, GroupId, TeamId};
use crate::recording::{FollowsLine, KindName, StanceName};
use crate::tick::Tick;
use crate::wire::Value;
use crate::world::{Entity, Event, Follows, Membership, Observer, ObserverKind, Stance, World};

impl Cast<'_> {
    /// Hands the world of this tick to `f`; `more` gives the groups that an entity is in besides its own.
    pub(in crate::replay) fn lend<T>(
        &mut self,
        tick: Tick,
        more: &dyn Fn(&Actor) -> Vec<GroupId>,
        f: impl FnOnce(&World<'_>) -> T,
    ) -> T {
        let outcome = self.lend_now(tick, more, f);
        self.watchers.values_mut().for_each(|watcher| watcher.rtt_ms.clear());
        outcome
    }

    fn lend_now<T>(
        &self,
        tick: Tick,
        more: &dyn Fn(&Actor) -> Vec<GroupId>,
        f: impl FnOnce(&World<'_>) -> T,
    ) -> T {
        let value_lists: Vec<Vec<Value<'_, EntityId>>> =
            self.actors.values().map(|actor| self.lent_values(&actor.values)).collect();
        let groups: Vec<Vec<GroupId>> = self
            .actors
            .values()
            .map(|actor| actor.groups.iter().copied().chain(more(actor)).collect())
            .collect();
        let lists = value_lists.iter().zip(&groups);
        let entities: Vec<Entity<'_>> = self
            .actors
            .values()
            .zip(lists)
            .map(|(actor, (values, groups))| self.entity(actor, values, groups))
            .collect();
        let observers: Vec<Observer<'_>> =
            self.watchers.values().map(|watcher| self.observer(watcher)).collect();
        let event_values: Vec<_> = self.events.iter().map(|event| self.lent_values(&event.values)).collect();
        let mut events: Vec<Event<'_>> = Vec::with_capacity(self.events.len());
        for (event, values) in self.events.iter().zip(&event_values) {
            let Happened { class, about, pos, .. } = event;
            events.push(Event { class: *class, about, pos: *pos, membership: Membership::default(), values });
        }
        f(&World {
            tick,
            entities: &entities,
            changed: None,
            observers: &observers,
            sounds: &self.sounds,
            events: &events,
            doors: &self.doors,
            smokes: &self.smokes,
            interactions: &[],
        })
    }

    fn lent_values<'b>(&'b self, owned: &'b [Owned]) -> Vec<Value<'b, EntityId>> {
        let lend = |value: &'b Owned| match value {
            Owned::Plain(value) => *value,
            Owned::Bytes(bytes) => Value::Bytes(bytes),
            Owned::Reference(id) => Value::Reference(id.map(|id| self.handle(id))),
        };
        owned.iter().map(lend).collect()
    }

    fn entity<'b>(
        &self,
        actor: &'b Actor,
        values: &'b [Value<'b, EntityId>],
        groups: &'b [GroupId],
    ) -> Entity<'b> {
        let line = &actor.line;
        Entity {
            team: actor.team,
            owner: line.owner.map(|id| self.handle(id)),
            parent: line.parent.map(|id| self.handle(id)),
            groups,
            vel: Vector3::from(line.vel),
            yaw_deg: line.yaw,
            pitch_deg: line.pitch,
            stance: if line.stance == StanceName::Crouched { Stance::Crouched } else { Stance::Standing },
            alive: line.alive,
            teleported: line.teleported,
            presenter: line.presenter,
            values,
            ..Entity::new(actor.id, actor.class, Point3::from(line.pos))
        }
    }

    fn observer<'b>(&'b self, watcher: &'b Watcher) -> Observer<'b> {
        let line = &watcher.line;
        let entity = line.entity.map(|id| self.handle(id));
        let delay_ticks = (line.delay_ms.unwrap_or(0.0).max(0.0) / self.tick_ms).ceil() as u32;
        let team = |name: &str| {
            self.teams.iter().position(|team| team == name).map_or(u16::MAX, |place| place as u16)
        };
        let followed = match &line.follows {
            Some(FollowsLine::Entity(id)) => Some(Follows::Entity(self.handle(*id))),
            Some(FollowsLine::Team(name)) => Some(Follows::Team(TeamId(team(name)))),
            None => entity.map(Follows::Entity),
        };
        let kind = match (line.kind.unwrap_or_default(), followed) {
            (KindName::Caster, _) => ObserverKind::Caster { delay_ticks },
            (KindName::Killcam, Some(Follows::Entity(of))) => ObserverKind::Killcam { of, delay_ticks },
            (KindName::Spectator, Some(follows)) => ObserverKind::Spectator { follows },
            // A spectator or killcam of nobody knows what a player without a body does: nothing by sight.
            _ => ObserverKind::Player,
        };
        let plays = line.kind.unwrap_or_default() == KindName::Player;
        Observer {
            kind,
            entity: entity.filter(|_| plays),
            groups: &watcher.groups,
            topics: &watcher.topics,
            regions: &watcher.regions,
            rtt_ms: &watcher.rtt_ms,
            input_delay_ms: line.input_delay_ms,
            ..Observer::player(watcher.id, EntityId::new(0, 0), watcher.team)
        }
    }
}
