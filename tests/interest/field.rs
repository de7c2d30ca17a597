//! A wide field with many entities on it, and the filter over it.

use fogwall::{
    BakeOptions, Baked, Cells, DEFAULT_HEARABLE_RADIUS_M, Entity, EntityId, Filter, GroupId, Hearable, Lent,
    Level, Map, Observer, Point3, Quiet, Region, Roster, Rules, Scratch, Solids, TeamId, Tick, TopicId, View,
    World, bake,
};
use std::collections::BTreeMap;

/// Names of the classes, as in the rules.
pub(crate) const CLASSES: [&str; 8] = ["walker", "crate", "mote", "tool", "flag", "sky", "moon", "engine"];
/// How wide the field is to each side of its middle, metres.
pub(crate) const HALF_M: f64 = 400.0;

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 32)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// From -1 to 1.
    pub(crate) fn sign(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// What the game holds of an entity.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    pub(crate) id: EntityId,
    pub(crate) class: usize,
    pub(crate) pos: Point3,
    pub(crate) radius_m: f64,
    pub(crate) team: Option<TeamId>,
    pub(crate) owner: Option<EntityId>,
    pub(crate) parent: Option<EntityId>,
    pub(crate) groups: Vec<GroupId>,
    pub(crate) topics: Vec<TopicId>,
    pub(crate) categories: u64,
    /// Corners of boxes.
    pub(crate) update_regions: Vec<Region>,
}

/// An open field, baked, and rules without geometry.
pub(crate) struct Setting {
    pub(crate) rules: Rules,
    pub(crate) baked: Baked,
}

impl Setting {
    pub(crate) fn new() -> Self {
        let text = include_str!("rules.ron");
        let rules = Rules::parse(text, "rules.ron").unwrap_or_else(|errors| panic!("{errors}")).rules;
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/maps/only_what_must_be_there.ron");
        let source = std::fs::read_to_string(path).unwrap();
        let map = Map::parse(source, "field").unwrap_or_else(|errors| panic!("{errors}")).map;
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids).expect("few enough cells");
        let pvs = bake(&map.player, map.cell_size, &solids, &cells, BakeOptions::default(), &Quiet)
            .expect("nobody stops it");
        let hearable = Hearable::build(&map, &solids, &cells, DEFAULT_HEARABLE_RADIUS_M);
        Self { rules, baked: Baked::new(map, solids, cells, pvs, hearable, false) }
    }

    pub(crate) fn lend<'a>(&self, thing: &'a Thing) -> Entity<'a> {
        let class = self.rules.class_id(CLASSES[thing.class]).expect("the rules have the class");
        Entity {
            team: thing.team,
            owner: thing.owner,
            parent: thing.parent,
            groups: &thing.groups,
            topics: &thing.topics,
            categories: thing.categories,
            update_regions: &thing.update_regions,
            radius_m: thing.radius_m,
            ..Entity::new(thing.id, class, thing.pos)
        }
    }
}

/// A filter over the field.
pub(crate) struct Stage<'s> {
    setting: &'s Setting,
    filter: Filter,
    entities: Roster<EntityId>,
    observers: Roster<fogwall::ObserverId>,
    views: Vec<View>,
    scratch: Scratch,
    tick: Tick,
}

impl<'s> Stage<'s> {
    pub(crate) fn new(setting: &'s Setting) -> Self {
        let filter = Filter::new(&setting.rules, &setting.baked, 1000.0 / 30.0);
        Self {
            scratch: filter.scratch(),
            filter,
            setting,
            entities: Roster::default(),
            observers: Roster::default(),
            views: Vec::new(),
            tick: Tick(7),
        }
    }

    /// What each observer is told, by slot.
    pub(crate) fn told(
        &mut self,
        entities: &[Entity<'_>],
        changed: Option<&[u32]>,
        observers: &[Observer<'_>],
    ) -> Vec<BTreeMap<u32, Level>> {
        self.tick = self.tick.after(1);
        let world = World { entities, changed, observers, ..World::empty(self.tick) };
        let mut refused = Vec::new();
        self.entities.refresh_changed_entities(entities, changed, &mut refused);
        assert_eq!(refused, []);
        self.observers.refresh_observers(observers, &mut Vec::new());
        let lent = Lent {
            world: &world,
            entities: &self.entities,
            observers: &self.observers,
            rules: &self.setting.rules,
            baked: &self.setting.baked,
        };
        self.filter.begin(&lent);
        while self.views.len() < observers.len() {
            self.views.push(self.filter.view());
        }
        let Self { views, filter, scratch, .. } = self;
        let told = |(place, view): (usize, &mut View)| {
            filter.observe(&lent, place, view, scratch);
            let frame = view.frame().entities();
            let told: BTreeMap<u32, Level> =
                frame.clone().map(|told| (told.get().entity.index, told.get().level)).collect();
            assert_eq!(told.len(), frame.count(), "each once");
            told
        };
        views.iter_mut().enumerate().take(observers.len()).map(told).collect()
    }
}
