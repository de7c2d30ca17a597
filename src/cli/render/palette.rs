//! The colours of the plan, chosen to stay apart for colour-blind readers.
//!
//! Owns every colour. Promises: floors are warm and light, solids cool and darker with height, so that lightness
//! alone tells them apart; accents keep blue against orange. Must not know what is drawn.

/// A colour of sRGB bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rgb(pub(super) u8, pub(super) u8, pub(super) u8);

impl Rgb {
    /// The form `#rrggbb`.
    pub(super) fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    fn mix(self, other: Self, t: f64) -> Self {
        let channel = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * t).round() as u8;
        Self(channel(self.0, other.0), channel(self.1, other.1), channel(self.2, other.2))
    }
}

pub(super) const PAPER: Rgb = Rgb(0xfb, 0xfa, 0xf7);
pub(super) const SHEET_LINE: Rgb = Rgb(0xd4, 0xd2, 0xcb);
pub(super) const INK: Rgb = Rgb(0x22, 0x2b, 0x3a);
pub(super) const QUIET_INK: Rgb = Rgb(0x6b, 0x72, 0x80);
pub(super) const SOLID_EDGE: Rgb = Rgb(0x2f, 0x3a, 0x4d);
pub(super) const OVERHEAD: Rgb = Rgb(0x4c, 0x59, 0x70);
pub(super) const CONTOUR: Rgb = Rgb(0xb9, 0xa7, 0x80);
pub(super) const GLASS: Rgb = Rgb(0x2b, 0xa3, 0xc4);
pub(super) const DOOR: Rgb = Rgb(0xd8, 0x76, 0x00);
pub(super) const VEIL: Rgb = Rgb(0x8a, 0x5a, 0x9e);
pub(super) const AREA: Rgb = Rgb(0x5d, 0x6b, 0x2f);
pub(super) const SEEN: Rgb = Rgb(0xf0, 0xa8, 0x1c);
pub(super) const MAY_SEE: Rgb = Rgb(0x3f, 0x7f, 0xbf);
pub(super) const UNRESOLVED: Rgb = Rgb(0x7a, 0x2f, 0x8f);

/// Solids by class of height, lowest first: see `storeys::Rise`.
pub(super) const RISE: [Rgb; 4] =
    [Rgb(0xd5, 0xdb, 0xe3), Rgb(0xb3, 0xbe, 0xcd), Rgb(0x83, 0x91, 0xa7), Rgb(0x4d, 0x5b, 0x73)];

const FLOOR: [Rgb; 5] = [
    Rgb(0xd3, 0xe2, 0xdf),
    Rgb(0xed, 0xee, 0xe2),
    Rgb(0xf7, 0xee, 0xd6),
    Rgb(0xf2, 0xdc, 0xb0),
    Rgb(0xe6, 0xc0, 0x8a),
];

const NEUTRAL_FLOOR: [Rgb; 2] = [Rgb(0xea, 0xea, 0xe6), Rgb(0xf7, 0xf6, 0xf2)];

/// Ten steps of a perceptually even map from dark violet to yellow.
const HEAT: [Rgb; 10] = [
    Rgb(0x44, 0x01, 0x54),
    Rgb(0x48, 0x28, 0x78),
    Rgb(0x3e, 0x4a, 0x89),
    Rgb(0x31, 0x68, 0x8e),
    Rgb(0x26, 0x82, 0x8e),
    Rgb(0x1f, 0x9e, 0x89),
    Rgb(0x35, 0xb7, 0x79),
    Rgb(0x6e, 0xce, 0x58),
    Rgb(0xb5, 0xde, 0x2b),
    Rgb(0xfd, 0xe7, 0x25),
];

const TEAMS: [Rgb; 6] = [
    Rgb(0x00, 0x72, 0xb2),
    Rgb(0xd5, 0x5e, 0x00),
    Rgb(0x00, 0x9e, 0x73),
    Rgb(0xcc, 0x79, 0xa7),
    Rgb(0x8c, 0x6d, 0x1f),
    Rgb(0x56, 0xb4, 0xe9),
];

fn ramp(stops: &[Rgb], t: f64) -> Rgb {
    let last = stops.len() - 1;
    let at = t.clamp(0.0, 1.0) * last as f64;
    let step = (at as usize).min(last - 1);
    stops[step].mix(stops[step + 1], at - step as f64)
}

/// Whether floors carry their heights or step back behind another layer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    Tinted,
    Neutral,
}

/// The tint of a floor at `t` of the map's range of heights, 0 lowest.
pub(super) fn floor(ground: Ground, t: f64) -> Rgb {
    match ground {
        Ground::Tinted => ramp(&FLOOR, t),
        Ground::Neutral => ramp(&NEUTRAL_FLOOR, t),
    }
}

/// The colour of heat `t`, 0 to 1.
pub(super) fn heat(t: f64) -> Rgb {
    ramp(&HEAT, t)
}

/// The colour of a team: by its name where that is a colour's, else by its index.
pub(super) fn team(name: &str, index: usize) -> Rgb {
    match name {
        "red" => Rgb(0xb8, 0x32, 0x2a),
        "blue" => Rgb(0x1f, 0x62, 0xb4),
        "green" => Rgb(0x00, 0x8a, 0x64),
        _ => TEAMS[index % TEAMS.len()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_keep_their_ends_and_take_what_lies_outside() {
        assert_eq!(heat(-1.0), HEAT[0]);
        assert_eq!(heat(2.0), HEAT[9]);
        assert_eq!(floor(Ground::Tinted, 0.5), FLOOR[2]);
        assert_eq!(heat(0.0).hex(), "#440154");
    }

    #[test]
    fn heat_grows_lighter_all_the_way() {
        let luma = |c: Rgb| 0.2126 * f64::from(c.0) + 0.7152 * f64::from(c.1) + 0.0722 * f64::from(c.2);
        assert!((0..100).all(|i| {
            let t = f64::from(i) / 100.0;
            luma(heat(t)) <= luma(heat(t + 0.01)) + 1.0
        }));
    }
}
