//! What the solver is asked, and what it answers.
//!
//! Promises: an answer other than `Open` is proven. Must not know how.

use super::occluders::Occluders;
use super::volume::Volume;
use crate::geom::{Point3, ZRange};

/// The answer to one question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Answer {
    /// No line with the sight clearance is free.
    Hidden,
    /// This segment is free, from the eye to the body.
    Seen(Point3, Point3),
    /// Neither was proven.
    Open,
}

/// How much work a question may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Most polygons looked at before the blockers are made anew for what is left.
    pub(crate) nodes: u32,
    /// How often what is left open is looked at again, each part for itself.
    pub(crate) rounds: u32,
    /// Most polygons looked at in all.
    pub(crate) total: u32,
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    /// Where the sight line starts.
    pub(crate) eye: Volume<'a>,
    /// Where it ends.
    pub(crate) body: Volume<'a>,
    /// The pieces that can matter: all that touch the hull of the two volumes.
    pub(crate) pieces: &'a [u32],
    /// What they look like.
    pub(crate) occluders: &'a Occluders,
}

impl Question<'_> {
    /// Heights of eyes and of bodies.
    pub(crate) fn ends(&self) -> [ZRange; 2] {
        [self.eye.z, self.body.z]
    }
}
