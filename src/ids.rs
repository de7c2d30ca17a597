//! Who is who: handles of the game's own things, and the names that go over the wire.
//!
//! Promises: a handle and a network name are never mixed up, and neither has an order that means anything.
//! Must not know what the things are.

mod by_handle;

pub(crate) use by_handle::ByHandle;

use std::fmt;

/// A handle of the game's: a slot that is used again, and the generation that tells its users apart.
pub trait Handle: Copy + Eq + fmt::Debug {
    /// The slot.
    fn index(self) -> u32;
    /// How often the slot was given away before; it wraps.
    fn generation(self) -> u32;
}

/// Defines a handle: slot, generation, and how it is shown.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name {
            /// The slot; small numbers, as memory is kept per slot.
            pub index: u32,
            /// How often the slot was given away before; it wraps.
            pub generation: u32,
        }

        impl $name {
            /// The handle of `index` in its `generation`.
            pub const fn new(index: u32, generation: u32) -> Self {
                Self { index, generation }
            }
        }

        impl Handle for $name {
            fn index(self) -> u32 {
                self.index
            }

            fn generation(self) -> u32 {
                self.generation
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}v{}", self.index, self.generation)
            }
        }
    };
}

handle! {
    /// The game's handle of an entity: a slot, and how often the slot was given away before.
    ///
    /// It never leaves the server: clients know entities by [`NetRef`] alone.
    EntityId
}

handle! {
    /// The game's handle of an observer: a slot, and how often the slot was given away before.
    ObserverId
}

/// One observer's name of an entity: unpredictable, and of no meaning to any other observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NetId(pub u16);

/// A [`NetId`] and how often it was given away before: what a client names an entity by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NetRef {
    /// The name.
    pub id: NetId,
    /// How often it was given away before; it wraps.
    pub generation: u8,
}

impl NetRef {
    /// The name `id` in its `generation`.
    pub const fn new(id: NetId, generation: u8) -> Self {
        Self { id, generation }
    }
}

impl fmt::Display for NetRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}g{}", self.id.0, self.generation)
    }
}

/// One observer's count of the sounds or events it was told of, so that a repeated one is heard once; it wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoticeId(pub u16);

/// A class of entities, by its place in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u16);

/// A class of sounds, by its place in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SoundClassId(pub u16);

/// A class of events, by its place in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventClassId(pub u16);

/// A topic that observers follow, by its place in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TopicId(pub u16);

/// A team; the game numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamId(pub u16);

/// A group that shares what it may know (a party, a squad, staff); the game numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(pub u32);

/// A match; several may share one world. The game numbers them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MatchId(pub u32);
