//! What a long run shows while it lasts, and how Ctrl-C ends it.
//!
//! Owns the progress bar and the flag that Ctrl-C raises. Promises: nothing is drawn where standard error is
//! no terminal; Ctrl-C never ends the process by itself. Must not know what runs.

use super::Failure;
use fogwall::BakeProgress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a run that Ctrl-C ended: 128 and the number of the signal.
pub(crate) const INTERRUPTED: u8 = 130;

static STOP: AtomicBool = AtomicBool::new(false);

/// From here on Ctrl-C raises a flag that [`stopped`] reads.
pub(crate) fn catch_interrupts() -> Result<(), Failure> {
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))?;
    Ok(())
}

/// Whether Ctrl-C was pressed.
pub(crate) fn stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// A bar with an estimate of the time left.
pub(crate) struct Meter {
    bar: ProgressBar,
}

impl Meter {
    /// A bar on standard error, where that is a terminal.
    pub(crate) fn new() -> Self {
        let target =
            if stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:40} {percent:>3} %  {elapsed}, {eta} left  {msg}")
        {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// Names what is done at the moment.
    pub(crate) fn say(&self, what: &'static str) {
        self.bar.set_message(what);
        self.bar.tick();
    }

    /// Takes the bar off the terminal.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl BakeProgress for Meter {
    fn advance(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        // Threads report out of order: the bar never goes back.
        if done > self.bar.position() {
            self.bar.set_position(done);
        }
    }

    fn cancelled(&self) -> bool {
        stopped()
    }
}
