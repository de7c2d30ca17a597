//! Whom an observer looks at beyond the relevance radius: what it subscribed to, and topics that it follows.
//!
//! Promises: a function of the observer and the entity alone; it only widens who is looked at: rights come before it and
//! the class's sight policy after. Must not know rights, eyes or distances.

use crate::world::{Entity, Observer, Subscription};

/// Whether the entity is a candidate whatever its distance.
pub(super) fn covers(observer: &Observer<'_>, entity: &Entity<'_>) -> bool {
    observer.subscriptions.iter().any(|subscription| asks_for(subscription, entity))
        || entity.topics.iter().any(|topic| observer.topics.contains(topic))
}

/// Whether the categories agree and the regions meet.
fn asks_for(subscription: &Subscription, entity: &Entity<'_>) -> bool {
    let Subscription { region, categories } = subscription;
    entity.categories & categories == *categories
        && if entity.update_regions.is_empty() {
            region.contains(entity.pos.xy())
        } else {
            entity.update_regions.iter().any(|own| region.meets(own))
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::{Point2, Point3};
    use crate::ids::{ClassId, EntityId, ObserverId, TopicId};
    use crate::world::Region;

    fn entity() -> Entity<'static> {
        Entity {
            categories: 0b0110,
            ..Entity::new(EntityId::new(1, 0), ClassId(0), Point3::new(10.0, 0.0, 50.0))
        }
    }

    fn looks<'a>(subscriptions: &'a [Subscription], topics: &'a [TopicId]) -> Observer<'a> {
        Observer {
            subscriptions,
            topics,
            ..Observer::player(ObserverId::new(0, 0), EntityId::new(0, 0), None)
        }
    }

    fn at(x: f64, radius_m: f64, categories: u64) -> [Subscription; 1] {
        [Subscription { region: Region::Disc { center: Point2::new(x, 0.0), radius_m }, categories }]
    }

    #[test]
    fn all_bits_of_a_mask_must_be_there_and_none_is_no_filter() {
        for (mask, is_there) in [(0, true), (0b0010, true), (0b0110, true), (0b0111, false), (0b1000, false)]
        {
            assert_eq!(covers(&looks(&at(10.0, 1.0, mask), &[]), &entity()), is_there, "{mask:b}");
        }
        let plain = Entity { categories: 0, ..entity() };
        assert!(
            covers(&looks(&at(10.0, 1.0, 0), &[]), &plain) && !covers(&looks(&at(10.0, 1.0, 1), &[]), &plain)
        );
    }

    #[test]
    fn an_entity_is_where_it_stands_or_where_its_update_regions_are() {
        let [near, far] = [at(10.0, 1.0, 0), at(40.0, 5.0, 0)];
        let train = [Region::Box { low: Point2::new(30.0, -1.0), high: Point2::new(36.0, 1.0) }];
        let long = Entity { update_regions: &train, ..entity() };
        assert!(covers(&looks(&near, &[]), &entity()) && !covers(&looks(&far, &[]), &entity()));
        assert!(!covers(&looks(&near, &[]), &long) && covers(&looks(&far, &[]), &long));
        let both = [near[0], far[0]];
        assert!(covers(&looks(&both, &[]), &long) && covers(&looks(&both, &[]), &entity()));
        assert!(!covers(&looks(&[], &[]), &entity()), "nobody asks");
    }

    #[test]
    fn a_topic_that_both_name_is_enough() {
        let published = Entity { topics: &[TopicId(4), TopicId(7)], ..entity() };
        assert!(covers(&looks(&[], &[TopicId(7)]), &published));
        assert!(
            !covers(&looks(&[], &[TopicId(5)]), &published) && !covers(&looks(&[], &[TopicId(7)]), &entity())
        );
    }
}
