//! Which sounds and events were told already.
//!
//! Promises: each is taken once, in fixed memory.

use crate::ids::NoticeId;

/// Numbers behind the newest that are remembered; older ones count as taken.
const REMEMBERED: u16 = 1 << 14;

/// Notices that were taken.
#[derive(Clone, Debug)]
pub(super) struct NoticeWindow {
    newest: Option<u16>,
    taken: Box<[u64; REMEMBERED as usize / 64]>,
}

impl Default for NoticeWindow {
    fn default() -> Self {
        Self { newest: None, taken: Box::new([0; REMEMBERED as usize / 64]) }
    }
}

impl NoticeWindow {
    /// Takes a notice; `false` where it was taken before, or is too old to tell.
    pub(super) fn take(&mut self, NoticeId(id): NoticeId) -> bool {
        let newest = *self.newest.get_or_insert(id);
        let ahead = id.wrapping_sub(newest) as i16;
        if ahead > 0 {
            // Each place is used again for the number that comes into the window now.
            for step in 1..=(ahead as u16).min(REMEMBERED) {
                let (word, bit) = Self::place(id.wrapping_sub(step - 1));
                self.taken[word] &= !bit;
            }
            self.newest = Some(id);
        } else if newest.wrapping_sub(id) >= REMEMBERED {
            return false;
        }
        let (word, bit) = Self::place(id);
        let is_new = self.taken[word] & bit == 0;
        self.taken[word] |= bit;
        is_new
    }

    fn place(id: u16) -> (usize, u64) {
        let at = id % REMEMBERED;
        (usize::from(at / 64), 1 << (at % 64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn each_notice_is_taken_once(start in any::<u16>(), steps in prop::collection::vec(-200_i64..300, 1..400)) {
            let (mut window, mut taken) = (NoticeWindow::default(), HashSet::new());
            let mut at = i64::from(start) + 70_000;
            for step in steps {
                let id = at + step;
                prop_assert_eq!(window.take(NoticeId(id as u16)), taken.insert(id));
                at = at.max(id);
            }
        }
    }

    #[test]
    fn a_notice_that_is_long_past_counts_as_taken() {
        let mut window = NoticeWindow::default();
        assert!(window.take(NoticeId(0)) && window.take(NoticeId(20_000)));
        assert!(!window.take(NoticeId(0)) && !window.take(NoticeId(3_600)));
        assert!(window.take(NoticeId(3_700)) && !window.take(NoticeId(3_700)));
    }
}
