//! Room for the solver's lists, made before they are used: what is asked later takes no memory.
//!
//! Owns how long each list can get. Must not know what is in them.

use super::Solver;
use crate::map::window::frame::MAX_DIRECTIONS;
use crate::map::window::spread::MOST_CORNERS;

impl Solver {
    /// Makes room for questions about as many pieces with this many corners together, in so many nodes.
    pub(in crate::map::window) fn make_room(&mut self, (pieces, corners): (usize, usize), nodes: u32) {
        self.blockers.clear();
        self.blockers.make_room(pieces, corners);
        self.slabs.make_room();
        self.stack.clear();
        // Each polygon is replaced by two at most.
        self.stack.reserve(nodes as usize + 2);
        self.crossed.clear();
        self.crossed.reserve(self.blockers.room());
        self.bars.clear();
        self.bars.reserve(self.blockers.room());
        self.directions.clear();
        self.directions.reserve(MAX_DIRECTIONS);
        self.frame.make_room(MOST_CORNERS);
    }
}
