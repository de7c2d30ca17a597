//! A small match on a small map, for tests of the filter.

use fogwall::{
    BakeOptions, Baked, Cells, ClassId, DEFAULT_HEARABLE_RADIUS_M, DEFAULT_RULES, Entity, EntityId, Filter,
    GroupId, Hearable, HiddenBy, Lent, Level, Map, Observer, ObserverId, Point3, Quiet, Relevancy, Roster,
    Rules, Scratch, Solids, TeamId, Tick, Value, View, World, bake,
};

/// Ticks of 60 Hz.
pub(crate) const TICK_MS: f64 = 1000.0 / 60.0;

pub(crate) const RED: Option<TeamId> = Some(TeamId(1));
pub(crate) const BLUE: Option<TeamId> = Some(TeamId(2));

pub(crate) static PLAYER_VALUES: [Value<'static, EntityId>; 1] = [Value::Int(100)];
pub(crate) static WEAPON_VALUES: [Value<'static, EntityId>; 2] = [Value::Int(7), Value::Int(30)];
pub(crate) static DROP_VALUES: [Value<'static, EntityId>; 1] = [Value::Int(3)];

/// The map as it ships, baked.
pub(crate) fn baked(map: Map) -> Baked {
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).expect("few enough cells");
    let pvs = bake(&map.player, map.cell_size, &solids, &cells, BakeOptions::default(), &Quiet)
        .expect("nobody stops it");
    let hearable = Hearable::build(&map, &solids, &cells, DEFAULT_HEARABLE_RADIUS_M);
    Baked::new(map, solids, cells, pvs, hearable, false)
}

/// Rules as they ship, with some words of their text replaced; each must be there.
pub(crate) fn rules(changes: &[(&str, &str)]) -> Rules {
    let mut text = DEFAULT_RULES.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "the rules have no {from}");
        text = text.replace(from, to);
    }
    Rules::parse(text, "rules.ron").unwrap_or_else(|errors| panic!("{errors}")).rules
}

/// A filter with all that it is lent.
pub(crate) struct Stage {
    pub(crate) rules: Rules,
    pub(crate) baked: Baked,
    pub(crate) filter: Filter,
    entities: Roster<EntityId>,
    observers: Roster<ObserverId>,
    views: Vec<View>,
    scratch: Scratch,
    tick: Tick,
}

impl Stage {
    pub(crate) fn new(map: Map, rules: Rules) -> Self {
        let baked = baked(map);
        let filter = Filter::new(&rules, &baked, TICK_MS);
        Self {
            scratch: filter.scratch(),
            filter,
            rules,
            baked,
            entities: Roster::default(),
            observers: Roster::default(),
            views: Vec::new(),
            tick: Tick(1000),
        }
    }

    pub(crate) fn class(&self, name: &str) -> ClassId {
        self.rules.class_id(name).expect("the rules have the class")
    }

    /// A player of a team, standing still.
    pub(crate) fn player(&self, index: u32, team: Option<TeamId>, at: (f64, f64, f64)) -> Entity<'static> {
        let pos = Point3::new(at.0, at.1, at.2);
        let values = &PLAYER_VALUES;
        Entity { team, values, ..Entity::new(EntityId::new(index, 0), self.class("player"), pos) }
    }

    /// A weapon that a player carries.
    pub(crate) fn weapon(&self, index: u32, of: &Entity<'_>) -> Entity<'static> {
        let id = EntityId::new(index, 0);
        let (owner, parent, team) = (Some(of.id), Some(of.id), of.team);
        Entity {
            owner,
            parent,
            team,
            values: &WEAPON_VALUES,
            ..Entity::new(id, self.class("weapon"), of.pos)
        }
    }

    /// Something that lies about.
    pub(crate) fn lying(&self, index: u32, at: (f64, f64, f64)) -> Entity<'static> {
        let pos = Point3::new(at.0, at.1, at.2);
        Entity { values: &DROP_VALUES, ..Entity::new(EntityId::new(index, 0), self.class("drop"), pos) }
    }

    /// Judges one tick; the world's own tick is not used.
    pub(crate) fn tick(&mut self, world: &World<'_>) {
        self.tick = self.tick.after(1);
        let world = World { tick: self.tick, ..*world };
        self.entities.refresh_changed_entities(world.entities, world.changed, &mut Vec::new());
        self.observers.refresh_observers(world.observers, &mut Vec::new());
        let lent = Lent {
            world: &world,
            entities: &self.entities,
            observers: &self.observers,
            rules: &self.rules,
            baked: &self.baked,
        };
        self.filter.begin(&lent);
        while self.views.len() < world.observers.len() {
            self.views.push(self.filter.view());
        }
        for (place, view) in self.views.iter_mut().enumerate().take(world.observers.len()) {
            self.filter.observe(&lent, place, view, &mut self.scratch);
        }
    }

    /// One tick of these entities and observers.
    pub(crate) fn show(&mut self, entities: &[Entity<'_>], observers: &[Observer<'_>]) {
        self.tick(&World { entities, observers, ..World::empty(Tick(0)) });
    }

    pub(crate) fn now(&self) -> Tick {
        self.tick
    }

    pub(crate) fn view(&self, observer: usize) -> &View {
        &self.views[observer]
    }

    /// What the observer is told, as (slot, level), by slot.
    pub(crate) fn told(&self, observer: usize) -> Vec<(u32, Level)> {
        let frame = self.views[observer].frame();
        let mut told: Vec<_> =
            frame.entities().map(|told| (told.get().entity.index, told.get().level)).collect();
        told.sort_unstable_by_key(|(slot, _)| *slot);
        told
    }

    /// Whether the observer is told of the entity of this slot.
    pub(crate) fn knows(&self, observer: usize, slot: u32) -> bool {
        self.told(observer).iter().any(|(told, _)| *told == slot)
    }

    /// Why the entity at this place of the list is hidden from the observer, if it is.
    pub(crate) fn hidden_by(&self, observer: usize, place: usize) -> Option<HiddenBy> {
        match self.views[observer].verdict(place).relevancy {
            Relevancy::Hidden(by) => Some(by),
            Relevancy::Granted(_) | Relevancy::Sighted => None,
        }
    }

    /// A field that the observer is told of the entity of this slot.
    pub(crate) fn field(&self, observer: usize, slot: u32, name: &str) -> Option<String> {
        let told = self.views[observer].frame().entities().find(|told| told.get().entity.index == slot)?;
        let told = told.get();
        let schema = self.rules.schema().class(told.class)?;
        let field = schema.fields.iter().position(|field| field.name == name)?;
        let layout = schema.layout(told.level)?;
        let column = layout.column_of(field)?;
        Some(match layout.reference_of(column) {
            Some(reference) => format!("{:?}", told.references[reference].map(|id| id.index)),
            None => format!("{:?}", layout.value::<()>(column, told.record)),
        })
    }
}

/// The observer that plays an entity.
pub(crate) fn plays<'a>(index: u32, entity: &Entity<'_>) -> Observer<'a> {
    Observer::player(ObserverId::new(index, 0), entity.id, entity.team)
}

/// Groups that live as long as the tests.
pub(crate) fn groups(list: &[u32]) -> &'static [GroupId] {
    list.iter().map(|&group| GroupId(group)).collect::<Vec<_>>().leak()
}
