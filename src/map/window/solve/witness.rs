//! A free segment over one line of the plan.
//!
//! Owns the choice of heights between what the line crosses. Promises: a segment is given only if the kernel finds it free
//! of all pieces of the question. Must not know how lines are searched.

use super::{Question, Solver, Stands, Trend, bars, heights};
use crate::geom::{Point3, ZRange};

impl Solver {
    /// A free segment in the vertical plane over a line, confirmed by the kernel.
    pub(super) fn witness(&mut self, question: &Question<'_>, line: [f64; 2]) -> Option<(Point3, Point3)> {
        let eye = self.frame.chord(line, &self.frame.eye)?;
        let body = self.frame.chord(line, &self.frame.body)?;
        if body[0] - eye[1] < 1e-6 {
            return None;
        }
        let stands = Stands { eye: eye.map(|u| self.frame.at(u)), body: body.map(|u| self.frame.at(u)) };
        self.bars.clear();
        let more = self.frame.along(self.margin());
        for i in 0..self.crossed.len() {
            let blocker = self.blockers.list()[self.crossed[i] as usize];
            let bar = bars::over_line(line, self.blockers.corners(&blocker), blocker.z).lengthened(more);
            if bar.exit > stands.eye[1] && bar.entry < stands.body[0] {
                self.bars.extend(bars::spanned(bar, blocker.spans, &stands, question.ends()));
            }
        }
        for trend in [Trend::Falling, Trend::Rising] {
            let Some(rays) = heights::all_rays(&stands, question.eye.z, question.body.z, trend) else {
                continue;
            };
            let Some(free) = heights::pass(&rays, &self.bars, trend) else { continue };
            let ray = free.centroid();
            let from = nearest(ray, [stands.eye[1], stands.eye[0]], question.eye.z);
            let to = nearest(ray, stands.body, question.body.z);
            let place = |at: f64, z: ZRange| {
                let u = self.frame.u0 + at * (self.frame.u1 - self.frame.u0);
                let p = self.frame.to_plan([u, self.frame.offset(line, u)]);
                Point3::new(p.x, p.y, (ray[0] + at * (ray[1] - ray[0])).clamp(z.low, z.high))
            };
            let (eye, body) = (place(from, question.eye.z), place(to, question.body.z));
            if question.occluders.first_blocker(question.pieces, eye, body).is_none() {
                return Some((eye, body));
            }
        }
        None
    }
}

/// The place nearest to the first of a stretch's ends at which a ray has one of the heights.
fn nearest(ray: [f64; 2], stretch: [f64; 2], z: ZRange) -> f64 {
    let height = |at: f64| ray[0] + at * (ray[1] - ray[0]);
    let here = height(stretch[0]);
    if z.contains(here) || ray[0] == ray[1] {
        return stretch[0];
    }
    let wanted = if here < z.low { z.low } else { z.high };
    let at = (wanted - ray[0]) / (ray[1] - ray[0]);
    at.clamp(stretch[0].min(stretch[1]), stretch[0].max(stretch[1]))
}
