//! What several tests share: maps on disk, small maps by hand, plain geometry of outlines.

// Each test binary uses a part of this directory.
#![allow(dead_code)]

pub(crate) mod by_hand;
pub(crate) mod outlines;
pub(crate) mod sources;
