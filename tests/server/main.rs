//! The server as a game embeds it: datagrams of a small match, over links that lose, double and reorder.

mod client;
mod delays;
mod game;
mod gone;
mod growth;
mod lag;
mod links;
mod measures;
mod queries;
mod rights;
mod same;
mod trouble;
