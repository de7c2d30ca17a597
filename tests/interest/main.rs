//! Interest at scale: whatever index finds the candidates, each observer is told what the definition says.

mod definition;
mod equivalence;
mod field;
