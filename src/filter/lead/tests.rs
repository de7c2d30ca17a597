//! Reaches against paths within the limits.

use super::*;
use crate::geom::{Point3, Vector3};
use crate::ids::{ClassId, EntityId};
use crate::map::{Cells, Hearable, Map, Pvs, PvsBuilder, Solids};
use crate::rules::{DEFAULT_RULES, Rules};

fn baked(name: &str) -> Baked {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("maps/{name}.ron"));
    let map = Map::load(path).unwrap().map;
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).unwrap();
    let pvs: Pvs = PvsBuilder::new(cells.len()).finish();
    let hearable = Hearable::build(&map, &solids, &cells, 20.0);
    Baked::new(map, solids, cells, pvs, hearable, true)
}

fn body(at: (f64, f64, f64), vel: (f64, f64, f64)) -> Entity<'static> {
    let pos = Point3::new(at.0, at.1, at.2);
    let vel = Vector3::new(vel.0, vel.1, vel.2);
    Entity { vel, ..Entity::new(EntityId::new(0, 0), ClassId(0), pos) }
}

fn of(baked: &Baked, entity: &Entity<'_>, time_s: f64, part: Part) -> Spread {
    let rules = Rules::parse(DEFAULT_RULES, "rules.ron").unwrap().rules;
    reach(baked, &Ground::new(&baked.map), entity, rules.class(ClassId(0)).unwrap(), time_s, part).spread
}

#[test]
fn a_body_that_brakes_turns_or_goes_on_stays_in_its_reach() {
    let baked = baked("only_what_must_be_there");
    let player = baked.map.player;
    let entity = body((5.0, 5.0, 0.0), (5.0, 1.0, 0.0));
    for time_s in [0.02, 0.1, 0.25] {
        let reach = of(&baked, &entity, time_s, Part::Eyes);
        for heading in 0..36 {
            let push = crate::geom::direction(f64::from(heading) * 10.0) * player.max_accel;
            let (mut at, mut vel) = (entity.pos.xy(), entity.vel.xy());
            let step = time_s / 100.0;
            for _ in 0..100 {
                at += vel * step + push * (0.5 * step * step);
                vel += push * step;
                if vel.norm() > player.max_speed {
                    vel *= player.max_speed / vel.norm();
                }
                assert!(reach.holds(at, 1.6), "{at:?} after {time_s} s");
            }
        }
    }
}

#[test]
fn a_wall_that_spans_the_reach_cuts_it_and_one_that_ends_within_does_not() {
    let baked = baked("corner_peek");
    let radius = baked.map.player.radius;
    let below = of(&baked, &body((5.0, 2.0, 0.0), (6.0, 0.0, 0.0)), 0.15, Part::Eyes);
    let (_, high) = below.extent(Vector2::x());
    assert!((high - (6.0 - radius)).abs() < 1e-6, "{high}");
    let beside = of(&baked, &body((5.0, 6.1, 0.0), (6.0, 0.0, 0.0)), 0.15, Part::Eyes);
    assert!(beside.extent(Vector2::x()).1 > 6.2);
    let far = of(&baked, &body((2.0, 2.0, 0.0), (0.0, 0.0, 0.0)), 0.1, Part::Eyes);
    assert!((far.extent(Vector2::x()).1 - 2.25).abs() < 0.01);
}

#[test]
fn feet_rise_by_a_jump_climb_steps_and_fall_no_deeper_than_the_floor() {
    let baked = baked("step_joins_floors");
    let (player, z) = (baked.map.player, baked.map.floors[0].outline[0].z);
    let standing = of(&baked, &body((1.0, 1.0, z), (0.0, 0.0, 0.0)), 0.1, Part::Body);
    let eyes = of(&baked, &body((1.0, 1.0, z), (0.0, 0.0, 0.0)), 0.1, Part::Eyes);
    let rise = player.jump_speed * 0.1 - 0.5 * player.gravity * 0.01;
    assert!(
        (eyes.z.high - player.eye_standing - z - rise).abs() < 1e-9 && standing.z.low == z,
        "{:?}",
        standing.z
    );
    let falling = of(&baked, &body((1.0, 1.0, z + 3.0), (0.0, 0.0, -4.0)), 0.1, Part::Body);
    let fallen = 0.4 + 0.5 * player.gravity * 0.01;
    assert!((falling.z.low - (z + 3.0 - fallen)).abs() < 1e-9);
    let eyes = of(&baked, &body((1.0, 1.0, z), (0.0, 0.0, 0.0)), player.crouch_time * 0.5, Part::Eyes);
    let half = 0.5 * (player.eye_standing + player.eye_crouched);
    assert!((eyes.z.low - z - half).abs() < 1e-9);
}

#[test]
fn a_wide_reach_holds_the_reach_of_every_body_that_it_says_it_holds() {
    let rules = Rules::parse(DEFAULT_RULES, "rules.ron").unwrap().rules;
    let class = rules.class(ClassId(0)).unwrap();
    for map in ["corner_peek", "step_joins_floors", "many_small_crates_fuse", "ledge_drop"] {
        let baked = baked(map);
        let ground = Ground::new(&baked.map);
        let places: Vec<_> = baked.cells.as_slice().iter().map(|c| (c.region.center(), c.feet.low)).collect();
        let mut random = Random(5);
        let (mut held, mut left) = (0, 0);
        for round in 0..400 {
            let part = if round % 2 == 0 { Part::Eyes } else { Part::Body };
            let (at, z) = places[random.below(places.len())];
            let vel = [random.signed(5.0), random.signed(5.0), random.signed(1.0)];
            let first = body((at.x, at.y, z), vel.into());
            let (margin, size) = if round % 4 < 2 { (WIDE, 2.2) } else { (NARROW, 0.6) };
            let wide = Wide::new(&baked, &ground, &first, class, 0.1, (part, margin)).unwrap();
            for _ in 0..20 {
                let off = Vector3::new(random.signed(0.3), random.signed(0.3), random.signed(0.08)) * size;
                let ahead = first.vel * (size * 0.05 * (1.0 + random.signed(1.0)));
                let push = Vector3::new(random.signed(1.5), random.signed(1.5), random.signed(0.3)) * size;
                let later = Entity { pos: first.pos + off + ahead, vel: first.vel + push, ..first };
                if !wide.holds(&baked.map.player, &later, class, 0.1, part) {
                    left += 1;
                    continue;
                }
                held += 1;
                let reach = reach(&baked, &ground, &later, class, 0.1, part).spread;
                assert!(wide.spread.z.contains_range(reach.z), "{:?} in {:?}", reach.z, wide.spread.z);
                for heading in 0..72 {
                    let way = crate::geom::direction(f64::from(heading) * 5.0);
                    let [most, limit] = [&reach, &wide.spread].map(|s| s.extent(way).1 + s.radius_m);
                    assert!(most <= limit + 1e-8, "{map}: {most} over {limit}: {later:?} from {first:?}");
                }
            }
        }
        assert!(held > 500 && left > 500, "{map}: {held} held, {left} not");
    }
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % count
    }

    fn signed(&mut self, most: f64) -> f64 {
        most * (self.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0)
    }
}
