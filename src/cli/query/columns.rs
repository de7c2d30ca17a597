//! Where the coordinates of a pair stand in a row of the input.
//!
//! Owns the names of the input's columns and the reading of numbers. Promises: names may stand in any order
//! among others; what is wrong is named by its column. Must not know maps.

use csv::ByteRecord;
use fogwall::Point3;

/// What is written behind the input's columns.
pub(super) const ADDED: [&str; 3] = ["may_see", "sighted", "possible"];
/// And behind these, if witnesses are asked for.
pub(super) const WITNESS: [&str; 6] = ["wex", "wey", "wez", "wtx", "wty", "wtz"];

/// Columns that must be there: the eye, the point of the body.
const POINTS: [&str; 6] = ["ex", "ey", "ez", "tx", "ty", "tz"];
/// Columns that may be there, both or neither: the reach of the eye, of the body.
const RADII: [&str; 2] = ["er", "tr"];

/// Numbers are at most this far from 0, metres, as a map's are.
const FARTHEST_M: f64 = 1e5;

/// Indices of the columns.
pub(super) struct Columns {
    points: [usize; 6],
    radii: Option<[usize; 2]>,
}

/// An eye and a point of a body, and how far either may have moved, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) eye: Point3,
    pub(super) target: Point3,
    pub(super) eye_reach_m: f64,
    pub(super) target_reach_m: f64,
}

impl Columns {
    /// Finds the columns in a header that `added` ones will follow, or says what is wrong with it.
    pub(super) fn find(header: &ByteRecord, added: &[&str]) -> Result<Self, String> {
        if let Some(added) = added.iter().find(|name| !matches!(place(header, name), Ok(None))) {
            return Err(format!("the column {added} would be written twice; take it out of the input"));
        }
        let mut points = [0; 6];
        let mut missing = Vec::new();
        for (index, name) in points.iter_mut().zip(POINTS) {
            match place(header, name)? {
                Some(found) => *index = found,
                None => missing.push(name),
            }
        }
        if !missing.is_empty() {
            return Err(format!("the header lacks {} (it needs {})", missing.join(", "), POINTS.join(",")));
        }
        let radii = match RADII.map(|name| place(header, name)) {
            [Ok(None), Ok(None)] => None,
            [Ok(Some(eye)), Ok(Some(target))] => Some([eye, target]),
            [Err(text), _] | [_, Err(text)] => return Err(text),
            _ => return Err("the columns er and tr come together".into()),
        };
        Ok(Self { points, radii })
    }

    /// The pair of a row, or what is wrong with it. An empty reach is 0.
    pub(super) fn pair(&self, row: &ByteRecord) -> Result<Pair, String> {
        let mut at = [0.0; 6];
        for ((value, &index), name) in at.iter_mut().zip(&self.points).zip(POINTS) {
            *value = number(row, index, name)?;
        }
        let mut reach = [0.0; 2];
        if let Some(radii) = self.radii {
            for ((value, index), name) in reach.iter_mut().zip(radii).zip(RADII) {
                if row.get(index).is_some_and(|text| text.trim_ascii().is_empty()) {
                    continue;
                }
                *value = number(row, index, name)?;
                if *value < 0.0 {
                    return Err(format!("{name}: {value} is less than 0"));
                }
            }
        }
        let [ex, ey, ez, tx, ty, tz] = at;
        Ok(Pair {
            eye: Point3::new(ex, ey, ez),
            target: Point3::new(tx, ty, tz),
            eye_reach_m: reach[0],
            target_reach_m: reach[1],
        })
    }
}

fn place(header: &ByteRecord, name: &str) -> Result<Option<usize>, String> {
    let mut places = (0..header.len()).filter(|&index| header[index].trim_ascii() == name.as_bytes());
    match (places.next(), places.next()) {
        (_, Some(_)) => Err(format!("the header names {name} twice")),
        (first, None) => Ok(first),
    }
}

fn number(row: &ByteRecord, index: usize, name: &str) -> Result<f64, String> {
    let text = row.get(index).unwrap_or_default().trim_ascii();
    let value = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
    match value {
        Some(value) if value.abs() <= FARTHEST_M => Ok(value),
        Some(value) if value.is_finite() => Err(format!("{name}: {value:e} is not within 100 km of 0")),
        Some(value) => Err(format!("{name}: {value} is not finite")),
        None => Err(format!("{name}: {:?} is not a number", String::from_utf8_lossy(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(fields: &[&str]) -> ByteRecord {
        ByteRecord::from(fields.to_vec())
    }

    #[test]
    fn columns_are_found_in_any_order_among_others() {
        let header = row(&["id", "tz", "ty", "tx", "ez", "ey", "ex", "tr", "er"]);
        let columns = Columns::find(&header, &ADDED).unwrap();
        let pair = columns.pair(&row(&["a", "6", "5", "4", "3", "2", "1", "0.5", "0.25"])).unwrap();
        let (eye, target) = (Point3::new(1.0, 2.0, 3.0), Point3::new(4.0, 5.0, 6.0));
        assert_eq!(pair, Pair { eye, target, eye_reach_m: 0.25, target_reach_m: 0.5 });
    }

    #[test]
    fn an_empty_reach_is_0() {
        let header = row(&["ex", "ey", "ez", "tx", "ty", "tz", "er", "tr"]);
        let columns = Columns::find(&header, &ADDED).unwrap();
        let pair = columns.pair(&row(&["1", "2", "3", "4", "5", "6", "", " "])).unwrap();
        assert_eq!((pair.eye_reach_m, pair.target_reach_m), (0.0, 0.0));
    }

    #[test]
    fn what_is_wrong_is_named_by_its_column() {
        let find = |fields: &[&str]| Columns::find(&row(fields), &ADDED).err().unwrap();
        assert_eq!(find(&["ex", "ey", "tx", "ty", "tz"]), "the header lacks ez (it needs ex,ey,ez,tx,ty,tz)");
        assert_eq!(find(&["ex", "ey", "ez", "tx", "ty", "tz", "ex"]), "the header names ex twice");
        assert!(find(&["ex", "ey", "ez", "tx", "ty", "tz", "er"]).contains("come together"));
        assert!(find(&["ex", "ey", "ez", "tx", "ty", "tz", "sighted"]).contains("written twice"));
        let columns = Columns::find(&row(&["ex", "ey", "ez", "tx", "ty", "tz", "er", "tr"]), &ADDED).unwrap();
        let pair = |fields: &[&str]| columns.pair(&row(fields)).unwrap_err();
        assert_eq!(pair(&["1", "2", "x", "4", "5", "6", "0", "0"]), "ez: \"x\" is not a number");
        assert_eq!(pair(&["1", "2", "3", "inf", "5", "6", "0", "0"]), "tx: inf is not finite");
        assert_eq!(
            pair(&["1", "2", "3", "4", "-1e308", "6", "0", "0"]),
            "ty: -1e308 is not within 100 km of 0"
        );
        assert_eq!(
            pair(&["1", "2", "3", "4", "5", "6", "100001", "0"]),
            "er: 1.00001e5 is not within 100 km of 0"
        );
        assert_eq!(pair(&["1", "2", "3", "4", "5", "", "0", "0"]), "tz: \"\" is not a number");
        assert_eq!(pair(&["1", "2", "3", "4", "5", "6", "0", "-1"]), "tr: -1 is less than 0");
    }
}
