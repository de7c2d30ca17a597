//! What the sight stages alone take: a second filter over the same ticks, by rules in which next to nothing is told.
//!
//! Promises: it changes nothing; its time is a little more than the stages', as one bit of each body is still told.
//! Must not know what is sent.

use crate::filter::{Filter, Lent, Scratch, View};
use crate::ids::{EntityId, MatchId, ObserverId};
use crate::map::Baked;
use crate::rules::{FieldRules, PresenterReach, Rules, RulesErrors, SightPolicy};
use crate::wire::Encoding;
use crate::world::{Roster, World};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A filter that is timed.
pub(super) struct Stopwatch {
    rules: Rules,
    baked: Arc<Baked>,
    filter: Filter,
    scratch: Scratch,
    views: HashMap<ObserverId, View>,
    entities: Roster<EntityId>,
    observers: Roster<ObserverId>,
    /// All that it took.
    pub(super) took: Duration,
}

impl Stopwatch {
    pub(super) fn new(rules: &Rules, baked: &Arc<Baked>, tick_ms: f64) -> Result<Self, RulesErrors> {
        let mut source = rules.source().clone();
        for class in source.classes.iter_mut().filter(|class| class.sight != SightPolicy::Never) {
            let is_bit = |rules: &FieldRules| rules.field.encoding == Encoding::Bool;
            if !class.fields.iter().any(is_bit) {
                continue;
            }
            let mut has_bit = false;
            for field in class.fields.iter_mut().map(|rules| &mut rules.field) {
                let is_bit = !has_bit && field.encoding == Encoding::Bool;
                has_bit |= is_bit;
                if !is_bit {
                    field.levels = Default::default();
                }
            }
        }
        let rules = Rules::check(source)?.rules;
        let mut filter = Filter::new(&rules, baked, tick_ms);
        filter.switch_presenters(MatchId::default(), PresenterReach::Match);
        Ok(Self {
            scratch: filter.scratch(),
            filter,
            rules,
            baked: Arc::clone(baked),
            views: HashMap::new(),
            entities: Roster::default(),
            observers: Roster::default(),
            took: Duration::ZERO,
        })
    }

    /// Takes a tick.
    pub(super) fn tick(&mut self, world: &World<'_>) {
        let Self { rules, baked, filter, scratch, views, entities, observers, took } = self;
        entities.refresh_entities(world.entities, &mut Vec::new());
        observers.refresh_observers(world.observers, &mut Vec::new());
        for observer in world.observers {
            views.entry(observer.id).or_insert_with(|| filter.view());
        }
        let lent = Lent { world, entities, observers, rules, baked };
        let start = Instant::now();
        filter.begin(&lent);
        for (place, observer) in world.observers.iter().enumerate() {
            if let Some(view) = views.get_mut(&observer.id) {
                filter.observe(&lent, place, view, scratch);
            }
        }
        *took += start.elapsed();
    }
}
