//! What a tick decided, noted for the moments to come, and its datagrams, put on their way.
//!
//! Promises: of very many entities the work is small for each that is neither told nor a player. Must not decide.

use super::Run;
use crate::filter::{HiddenBy, Relevancy, Verdict};
use crate::replay::past::Decided;
use crate::wire::Level;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Pairs of observers and entities up to which all that is decided is kept for a moment.
const MOST_PAIRS: usize = 20_000;

/// Of what is not judged.
const TOO_FAR: Verdict = Verdict { relevancy: Relevancy::Hidden(HiddenBy::Radius), level: Level::Hidden };

impl Run<'_> {
    /// Notes what was decided, and puts the datagrams on their way.
    pub(super) fn note(&mut self, tick: u32, now_ms: f64) {
        let Self { server, cast, clients, past, totals, sent, .. } = self;
        sent.clear();
        let before = tick.checked_sub(1).and_then(|before| past.at(before));
        let room = before.map_or(0, |moment| moment.decided.len());
        let mut decided = HashMap::<(u32, u32), Decided>::with_capacity(room);
        // Of very many, what is neither told nor a player is only counted, but for the tick in which it is hidden.
        let keeps_all = cast.watchers.len() * cast.actors.len() <= MOST_PAIRS;
        let actors = cast.actors.iter().map(|(entity, actor)| (*entity, actor.id, cast.is_player(actor)));
        let actors: Vec<_> = actors.collect();
        let mut judged: Vec<Option<Verdict>> = Vec::new();
        for (id, watcher) in &cast.watchers {
            let Some(client) = clients.get_mut(id) else { continue };
            judged.clear();
            judged.resize(actors.len(), None);
            server.judged(watcher.id).for_each(|(place, verdict)| judged[place] = Some(verdict));
            for (&(entity, actor, is_player), verdict) in actors.iter().zip(&judged) {
                let is_kept = keeps_all || is_player;
                let verdict = match verdict {
                    Some(verdict) => *verdict,
                    None if keeps_all => server.verdict(watcher.id, actor).unwrap_or(TOO_FAR),
                    None => TOO_FAR,
                };
                totals.count(verdict);
                if verdict.level == Level::Hidden && !is_kept {
                    continue;
                }
                if verdict.level > Level::Hidden
                    && let Some(net) = server.name_of(watcher.id, actor)
                {
                    client.name(net, entity);
                }
                let mut now = Decided { verdict, told_since: None };
                if now.is_told() {
                    let before = before.and_then(|moment| moment.decided.get(&(*id, entity)));
                    now.told_since = Some(before.and_then(|before| before.told_since).unwrap_or(tick));
                }
                decided.insert((*id, entity), now);
            }
            client.send(tick, now_ms, server.packets(watcher.id));
            let bytes = server.packets(watcher.id).map(|bytes| bytes.len() as u32).sum();
            totals.add_sent(bytes);
            sent.push(bytes);
        }
        self.note_hidden(tick, &mut decided);
        if let Some(moment) = self.past.last_mut() {
            moment.decided = decided;
        }
    }

    /// What was told in the tick before, and is not any more.
    fn note_hidden(&self, tick: u32, decided: &mut HashMap<(u32, u32), Decided>) {
        let Self { server, cast, past, .. } = self;
        let before = tick.checked_sub(1).and_then(|before| past.at(before));
        let told = before.iter().flat_map(|moment| &moment.decided);
        for (pair, _) in told.filter(|(_, before)| before.verdict.level > Level::Hidden) {
            let Entry::Vacant(hidden) = decided.entry(*pair) else { continue };
            let ends = cast.watchers.get(&pair.0).zip(cast.actors.get(&pair.1));
            if let Some(verdict) = ends.and_then(|(watcher, actor)| server.verdict(watcher.id, actor.id)) {
                hidden.insert(Decided { verdict, told_since: None });
            }
        }
    }
}
