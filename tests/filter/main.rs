//! What each observer is told, by behaviour: rights, geometry, levels, sounds; and that nothing pops in.

#[path = "../common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;
mod pop_in;
mod rights;
mod sight;
mod sounds;
mod stage;
