//! Texts on the sheet: how wide they are, and where labels fit without touching each other.
//!
//! Owns the estimate of widths and the placing of labels. Promises: placed boxes never overlap; what fits nowhere
//! near its place is left out. Must not know what a label names.

/// Width in px of `text` set at `size` px; a little more than Noto Sans takes, so that boxes err to too large.
pub(super) fn width_px(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.29,
        'f' | 'r' | 't' | 'I' | '(' | ')' | '-' | '/' | '[' | ']' => 0.41,
        'm' | 'w' | 'M' | 'W' | '%' => 0.93,
        'a'..='z' | '0'..='9' => 0.60,
        'A'..='Z' => 0.70,
        _ => 0.85,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// A rectangle of the sheet, px: left, top, right, bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Rect {
    /// The rectangle of this size around a centre.
    pub(super) fn around(x: f64, y: f64, width: f64, height: f64) -> Self {
        let (w, h) = (0.5 * width, 0.5 * height);
        Self { left: x - w, top: y - h, right: x + w, bottom: y + h }
    }

    fn overlaps(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn holds(self, other: Self) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }
}

/// The boxes that are taken on a panel.
pub(super) struct Board {
    panel: Rect,
    taken: Vec<Rect>,
}

impl Board {
    pub(super) fn new(panel: Rect) -> Self {
        Self { panel, taken: Vec::new() }
    }

    /// Keeps labels off `rect`.
    pub(super) fn take(&mut self, rect: Rect) {
        self.taken.push(rect);
    }

    /// The centre for a box of this size at or near (x, y), now taken; `None` where all places near it are.
    pub(super) fn place(&mut self, x: f64, y: f64, width: f64, height: f64) -> Option<(f64, f64)> {
        let rings = [0.0, 1.0, 1.6, 2.3, 3.2, 4.2];
        let ways = [(0.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)];
        let diagonals = [(0.7, -0.8), (-0.7, -0.8), (0.7, 0.8), (-0.7, 0.8)];
        for ring in rings {
            for (dx, dy) in ways.iter().chain(&diagonals) {
                let at = (x + dx * ring * 0.45 * width, y + dy * ring * height);
                let rect = Rect::around(at.0, at.1, width, height);
                if self.panel.holds(rect) && !self.taken.iter().any(|t| t.overlaps(rect)) {
                    self.taken.push(rect);
                    return Some(at);
                }
            }
        }
        None
    }
}

/// Breaks `text` at spaces into lines of at most `width` px.
pub(super) fn wrap(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_px(line, size) + width_px(word, size) + 0.3 * size <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_one_place_step_aside_and_never_overlap() {
        let mut board = Board::new(Rect { left: 0.0, top: 0.0, right: 400.0, bottom: 200.0 });
        let places: Vec<_> = (0..30).filter_map(|_| board.place(200.0, 100.0, 60.0, 16.0)).collect();
        assert!(places.len() > 5 && places.len() < 30);
        for (i, a) in places.iter().enumerate() {
            for b in &places[..i] {
                assert!(!Rect::around(a.0, a.1, 60.0, 16.0).overlaps(Rect::around(b.0, b.1, 60.0, 16.0)));
            }
        }
    }

    #[test]
    fn long_lines_break_at_spaces() {
        let lines = wrap("seen over by who stands, not by who crouches", 12.0, 120.0);
        assert!(lines.len() > 1 && lines.iter().all(|l| width_px(l, 12.0) <= 120.0));
        assert_eq!(lines.join(" "), "seen over by who stands, not by who crouches");
    }
}
