//! Frames that wait until an observer may have them: casters, killcams, recordings.
//!
//! Owns the line. Promises: a frame comes out when its delay is over or later, never before; a loss of rights empties
//! the line. It holds what was disclosed and nothing else. Must not know the world.

use crate::filter::Frame;
use crate::held::Held;
use crate::tick::Tick;
use std::collections::VecDeque;

/// A line of frames, and room for more.
#[derive(Default)]
pub(super) struct Line {
    waiting: VecDeque<(Tick, Frame)>,
    spare: Vec<Frame>,
}

impl Line {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        let frames = self.waiting.iter().map(|(_, frame)| frame).chain(&self.spare);
        let of_frames = frames.map(Frame::held_bytes).sum::<usize>();
        self.waiting.held_bytes() + self.spare.held_bytes() + of_frames
    }

    /// How many frames wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Forgets all that waits.
    pub(super) fn purge(&mut self) {
        let Self { waiting, spare } = self;
        spare.extend(waiting.drain(..).map(|(_, frame)| frame));
    }

    /// An empty frame.
    pub(super) fn room(&mut self) -> Frame {
        self.spare.pop().unwrap_or_default()
    }

    /// Puts a frame that is not used any more aside.
    pub(super) fn give_back(&mut self, frame: Frame) {
        self.spare.push(frame);
    }

    /// Lets the frame of `tick` wait.
    pub(super) fn push(&mut self, tick: Tick, frame: Frame) {
        self.waiting.push_back((tick, frame));
    }

    /// The newest frame that is `delay_ticks` old at `now`; older ones are left out, as they would be behind.
    ///
    /// Sounds and events of frames that are left out are lost: that happens only where the game misses ticks.
    pub(super) fn pop(&mut self, now: Tick, delay_ticks: u32) -> Option<(Tick, Frame)> {
        let mut due: Option<(Tick, Frame)> = None;
        let is_due = |tick: Tick| i64::from(now.since(tick)) >= i64::from(delay_ticks);
        while self.waiting.front().is_some_and(|(tick, _)| is_due(*tick)) {
            self.spare.extend(due.take().map(|(_, frame)| frame));
            due = self.waiting.pop_front();
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_comes_out_when_its_delay_is_over_and_not_before() {
        let mut line = Line::default();
        for tick in 10..14 {
            let frame = line.room();
            line.push(Tick(tick), frame);
            assert!(line.pop(Tick(tick), 4).is_none());
        }
        assert_eq!(line.pop(Tick(14), 4).map(|(tick, _)| tick), Some(Tick(10)));
        assert_eq!(line.pop(Tick(17), 4).map(|(tick, _)| tick), Some(Tick(13)), "missed ticks are left out");
        assert_eq!((line.len(), line.pop(Tick(99), 4).is_none()), (0, true));
    }

    #[test]
    fn nothing_comes_out_after_a_purge() {
        let mut line = Line::default();
        line.push(Tick(u32::MAX), Frame::default());
        line.purge();
        assert!(line.pop(Tick(90), 0).is_none());
    }
}
