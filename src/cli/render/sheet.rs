//! The sheet: where the panel, its frame and the legend are, and how metres become pixels.
//!
//! Owns the layout in px. Promises: north is up, one scale for x and y, a size within `MAX_SIDE_PX`.
//! Must not know SVG or what is on the plan.

use super::text::Rect;
use fogwall::Point2;

/// Longest side of a sheet in px: a picture of this size takes 400 MB of memory at most.
pub(super) const MAX_SIDE_PX: f64 = 10_000.0;

const LEFT_PX: f64 = 56.0;
const TOP_PX: f64 = 78.0;
const BOTTOM_PX: f64 = 66.0;
/// Width of a column of the legend.
pub(super) const LEGEND_PX: f64 = 266.0;
/// Where a legend beside it would leave the map less than this, the legend goes beneath.
const LEAST_PANEL_PX: f64 = 320.0;
const GAP_PX: f64 = 26.0;
const MARGIN_PX: f64 = 20.0;

/// How large the sheet is to be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Size {
    /// Width of the whole sheet, px.
    Width(f64),
    /// Pixels a metre.
    Scale(f64),
}

/// The layout of one drawing.
pub(super) struct Sheet {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Where the map is.
    pub(super) panel: Rect,
    /// Left and top of each group of the legend.
    pub(super) legend: Vec<(f64, f64)>,
    /// Tip of the north arrow.
    pub(super) north: (f64, f64),
    pub(super) px_per_m: f64,
    low: Point2,
    high: Point2,
}

impl Sheet {
    /// Lays out a map of these bounds beside or over a legend whose groups are so high; `None` where it gets too
    /// large.
    pub(super) fn new(bounds: (Point2, Point2), size: Size, groups_px: &[f64]) -> Option<Self> {
        let (low, high) = bounds;
        let extent = high - low;
        let around = LEFT_PX + GAP_PX + LEGEND_PX + MARGIN_PX;
        let is_beside = !matches!(size, Size::Width(width) if width - around < LEAST_PANEL_PX);
        let px_per_m = match size {
            Size::Scale(scale) => scale,
            Size::Width(width) if is_beside => (width - around) / extent.x,
            Size::Width(width) => (width - LEFT_PX - MARGIN_PX) / extent.x,
        };
        let (w, h) = (extent.x * px_per_m, extent.y * px_per_m);
        let width = match size {
            Size::Width(width) => width,
            Size::Scale(_) => (w + around).ceil(),
        };
        let panel = Rect { left: LEFT_PX, top: TOP_PX, right: LEFT_PX + w, bottom: TOP_PX + h };
        let (legend, height) = if is_beside {
            let (legend, bottom) = columns((panel.right + GAP_PX, TOP_PX), 1, groups_px);
            (legend, bottom.max(panel.bottom) + BOTTOM_PX)
        } else {
            let count = ((w + GAP_PX) / (LEGEND_PX + GAP_PX)).floor().max(1.0) as usize;
            let (legend, bottom) = columns((LEFT_PX, panel.bottom + BOTTOM_PX), count, groups_px);
            (legend, bottom + MARGIN_PX)
        };
        let height = height.ceil();
        let fits = width <= MAX_SIDE_PX && height <= MAX_SIDE_PX && px_per_m > 0.0;
        let north = (width - MARGIN_PX - 16.0, 22.0);
        fits.then_some(Self { width, height, panel, legend, north, px_per_m, low, high })
    }

    /// Length in metres of a quarter of the scale bar: a round one, the whole no longer than the map.
    pub(super) fn bar_step_m(&self) -> f64 {
        let step = self.nice_step_m(45.0);
        let most = 0.25 * (self.panel.right - self.panel.left) / self.px_per_m;
        if step <= most {
            return step;
        }
        let power = 10_f64.powf(most.log10().floor());
        [5.0, 2.0, 1.0].into_iter().map(|k| k * power).find(|step| *step <= most).unwrap_or(most)
    }

    /// The place of a point of the plan on the sheet.
    pub(super) fn place(&self, p: Point2) -> (f64, f64) {
        (
            self.panel.left + (p.x - self.low.x) * self.px_per_m,
            self.panel.top + (self.high.y - p.y) * self.px_per_m,
        )
    }

    /// Distance in metres between ticks that are about `px` apart: 1, 2 or 5 times a power of ten.
    pub(super) fn nice_step_m(&self, px: f64) -> f64 {
        let raw = px / self.px_per_m;
        let power = 10_f64.powf(raw.log10().floor());
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|k| k * power).find(|step| *step >= raw).unwrap_or(10.0 * power)
    }

    /// The multiples of `step` from the west (`x`) and the south (`y`) edge on.
    pub(super) fn ticks(&self, step: f64) -> (Vec<f64>, Vec<f64>) {
        let along = |low: f64, high: f64| {
            let first = (low / step).ceil();
            let count = ((high / step).floor() - first).clamp(0.0, 400.0) as u32;
            (0..=count).map(|k| (first + f64::from(k)) * step).filter(|v| *v <= high).collect()
        };
        (along(self.low.x, self.high.x), along(self.low.y, self.high.y))
    }
}

/// The places of groups in columns from this corner on, each under the others of the shortest column, and where
/// the longest ends.
fn columns((left, top): (f64, f64), count: usize, groups_px: &[f64]) -> (Vec<(f64, f64)>, f64) {
    let mut ends = vec![top; count];
    let mut places = Vec::new();
    for height in groups_px {
        let column = (0..count).min_by(|&a, &b| ends[a].total_cmp(&ends[b])).unwrap_or(0);
        places.push((left + column as f64 * (LEGEND_PX + GAP_PX), ends[column]));
        ends[column] += height;
    }
    (places, ends.into_iter().fold(top, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn north_is_up_and_steps_are_round() {
        let bounds = (Point2::new(-10.0, -5.0), Point2::new(10.0, 5.0));
        let sheet = Sheet::new(bounds, Size::Scale(20.0), &[100.0]).unwrap();
        let (west, south) = sheet.place(Point2::new(-10.0, -5.0));
        let (east, north) = sheet.place(Point2::new(10.0, 5.0));
        assert_eq!((east - west, south - north), (400.0, 200.0));
        assert_eq!(sheet.nice_step_m(70.0), 5.0);
        assert_eq!(sheet.ticks(5.0).0, [-10.0, -5.0, 0.0, 5.0, 10.0]);
    }

    #[test]
    fn a_sheet_that_would_not_fit_memory_is_refused() {
        let bounds = (Point2::new(0.0, 0.0), Point2::new(1e6, 1.0));
        assert!(Sheet::new(bounds, Size::Scale(20.0), &[100.0]).is_none());
    }

    #[test]
    fn a_narrow_sheet_has_its_legend_beneath_and_a_bar_no_longer_than_the_map() {
        let bounds = (Point2::new(0.0, 0.0), Point2::new(104.0, 110.0));
        for width in [480.0, 500.0, 640.0, 687.0, 688.0, 1600.0] {
            let sheet = Sheet::new(bounds, Size::Width(width), &[120.0, 60.0, 80.0]).unwrap();
            let panel = sheet.panel;
            assert!(panel.right - panel.left >= LEAST_PANEL_PX, "{width}");
            assert!(4.0 * sheet.bar_step_m() * sheet.px_per_m <= panel.right - panel.left, "{width}");
            let is_beneath = sheet.legend.iter().all(|&(_, y)| y > panel.bottom);
            assert_eq!(is_beneath, width < 688.0);
            for (&(x, y), height) in sheet.legend.iter().zip([120.0, 60.0, 80.0]) {
                assert!(x + LEGEND_PX <= width && y + height <= sheet.height, "{width}");
            }
        }
    }

    #[test]
    fn the_bar_of_a_tiny_picture_is_round_and_fits() {
        let bounds = (Point2::new(0.0, 0.0), Point2::new(12.0, 12.0));
        let sheet = Sheet::new(bounds, Size::Scale(4.0), &[]).unwrap();
        assert_eq!(sheet.bar_step_m(), 2.0);
    }
}
