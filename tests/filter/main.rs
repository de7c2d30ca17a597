//! What each observer is told, by behaviour: rights, geometry, levels, sounds; and that nothing pops in.

mod bodies;
#[path = "../common/mod.rs"]
mod common;
mod definition;
mod duel;
mod exposure;
mod groups;
mod ideal;
mod interest;
#[path = "../oracle/mod.rs"]
mod oracle;
mod pop_in;
mod rights;
mod scale;
mod sight;
mod sounds;
mod stage;
