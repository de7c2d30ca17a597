//! The client's end of a link without losses.

use crate::game::{Lists, Setting};
use fogwall::{EntityId, Level, ObserverId, Replica, Server};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A client without losses.
pub(crate) struct Client {
    pub(crate) id: ObserverId,
    pub(crate) replica: Replica,
}

impl Client {
    pub(crate) fn new(setting: &Setting, id: ObserverId) -> Self {
        Self { id, replica: Replica::new(Arc::clone(setting.rules.schema())) }
    }

    pub(crate) fn take(&mut self, server: &mut Server) {
        let sent: Vec<Vec<u8>> = server.packets(self.id).map(<[u8]>::to_vec).collect();
        for datagram in sent {
            self.replica.receive(&datagram).unwrap();
        }
        if let Some(ack) = self.replica.ack() {
            server.take_ack(self.id, &ack);
        }
    }

    pub(crate) fn levels(&self) -> Vec<Level> {
        self.replica.entities().map(|entity| entity.level()).collect()
    }

    /// Slots of the entities that the client holds, by the server's own names.
    pub(crate) fn held(&self, server: &Server, lists: &Lists<'_>) -> BTreeSet<u32> {
        let is_held = |entity: EntityId| {
            server.name_of(self.id, entity).is_some_and(|net| self.replica.get(net).is_some())
        };
        lists.entities.iter().map(|entity| entity.id).filter(|id| is_held(*id)).map(|id| id.index).collect()
    }
}
