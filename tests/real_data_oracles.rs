//! The judges on the real maps of `FOGWALL_DATA`, which is absent from a fresh checkout.

mod oracle;

use oracle::kernel::{Grid, Marks};
use oracle::product::{Level, data, sources};
use oracle::random::Random;
use oracle::{critical, rays};

#[test]
#[ignore = "speed of the judges, to be read by a person"]
fn speed() {
    let Some(data) = data() else { return println!("no real data, skipped") };
    let wanted = std::env::var("FOGWALL_MAPS").unwrap_or_else(|_| "de_dust2,freedm_map06".into());
    for path in sources(&data.join("maps")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !wanted.split(',').any(|w| w == name) {
            continue;
        }
        let level = Level::load(&path);
        let scene = &level.scene;
        println!("{name}: {} pieces, {} cells", scene.blockers.len(), scene.places.len());
        let grid = Grid::new(scene);
        let n = scene.places.len();
        let may_see = |a: usize, b: usize| {
            let (mut random, mut marks) = (Random::new(1, (a * n + b) as u64), Marks::default());
            let (eyes, bodies) = (scene.eyes(a), scene.bodies(b));
            (0..20).any(|_| {
                grid.surely_free(scene, (eyes.sample(&mut random), bodies.sample(&mut random)), &mut marks)
            })
        };
        println!("{}", critical::hunt(scene, 1_000_000, 1, &may_see).row(&name, "lines"));
        println!("{}", rays::hunt(scene, 100_000, 1, &may_see).row(&name, "rays"));
    }
}
