//! The server as a game embeds it: datagrams of a small match, over links that lose, double and reorder.

mod game;
mod links;
mod rights;
mod same;
