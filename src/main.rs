//! The `fogwall` command.

fn main() {}
