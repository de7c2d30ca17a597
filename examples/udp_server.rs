//! A server with two clients over UDP on this machine: red walks up to a corner, and blue's client learns of it
//! just before it could see it. Run with `cargo run --release --example udp_server`.

use fogwall::{
    BakeOptions, Baked, Cells, DEFAULT_HEARABLE_RADIUS_M, DEFAULT_RULES, Entity, EntityId, Hearable, Map,
    Observer, ObserverId, Point3, Quiet, Replica, Rules, Server, ServerOptions, Solids, TeamId, Threads,
    Tick, Value, Vector3, World, bake,
};
use std::net::UdpSocket;
use std::sync::Arc;

const TICK_MS: f64 = 1000.0 / 64.0;
const TICKS: u32 = 192;

type Failure = Box<dyn std::error::Error>;

/// What `fogwall bake` writes and a server loads with [`Baked::load`]; so small a map is baked here.
fn baked() -> Result<Baked, Failure> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/maps/corner_peek.ron");
    let map = Map::load(path)?.map;
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids)?;
    let pvs = bake(&map.player, map.cell_size, &solids, &cells, BakeOptions::default(), &Quiet)?;
    let hearable = Hearable::build(&map, &solids, &cells, DEFAULT_HEARABLE_RADIUS_M);
    Ok(Baked::new(map, solids, cells, pvs, hearable, false))
}

/// The far end of a link: a socket, and what the client knows.
struct Client {
    name: &'static str,
    socket: UdpSocket,
    replica: Replica,
}

impl Client {
    /// Takes what has come, and acknowledges it.
    fn tick(&mut self, tick: u32) -> Result<(), Failure> {
        let mut datagram = [0; 4096];
        while let Ok(length) = self.socket.recv(&mut datagram) {
            let changes = self.replica.receive(&datagram[..length])?;
            for net in &changes.created {
                println!("tick {tick}: {} learns of {net}", self.name);
            }
            for net in &changes.removed {
                println!("tick {tick}: {} forgets {net}", self.name);
            }
        }
        if let Some(ack) = self.replica.ack() {
            self.socket.send(&ack)?;
        }
        Ok(())
    }
}

fn socket() -> Result<UdpSocket, Failure> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

fn main() -> Result<(), Failure> {
    let rules = Arc::new(Rules::parse(DEFAULT_RULES, "rules.ron")?.rules);
    let schema = Arc::clone(rules.schema());
    let player = rules.class_id("player").ok_or("the rules have players")?;
    // A match's secret comes from the operating system's random source.
    let options = ServerOptions { tick_ms: TICK_MS, secret: [42; 32], threads: Threads::Auto };
    let mut server = Server::new(rules, Arc::new(baked()?), options)?;

    let host = socket()?;
    let mut clients = Vec::new();
    for name in ["red", "blue"] {
        let socket = socket()?;
        socket.connect(host.local_addr()?)?;
        clients.push(Client { name, socket, replica: Replica::new(Arc::clone(&schema)) });
    }
    let values = [Value::Int(100)];
    for tick in 1..=TICKS {
        // The game's own state: red walks past a corner, blue waits behind it.
        let walked_m = 5.0 * f64::from(tick) * TICK_MS / 1e3;
        let red = Entity {
            team: Some(TeamId(1)),
            vel: Vector3::new(0.0, 5.0, 0.0),
            values: &values,
            ..Entity::new(EntityId::new(0, 0), player, Point3::new(3.0, 1.0 + walked_m.min(10.0), 0.0))
        };
        let blue = Entity {
            team: Some(TeamId(2)),
            values: &values,
            ..Entity::new(EntityId::new(1, 0), player, Point3::new(11.0, 7.0, 0.0))
        };
        let observers = [red, blue].map(|body| Observer {
            rtt_ms: &[20.0],
            ..Observer::player(ObserverId::new(body.id.index, 0), body.id, body.team)
        });
        server.tick(&World { entities: &[red, blue], observers: &observers, ..World::empty(Tick(tick)) });
        for (observer, client) in observers.iter().zip(&mut clients) {
            for datagram in server.packets(observer.id) {
                host.send_to(datagram, client.socket.local_addr()?)?;
            }
            client.tick(tick)?;
        }
        let mut ack = [0; 64];
        while let Ok((length, from)) = host.recv_from(&mut ack) {
            let of =
                clients.iter().position(|client| client.socket.local_addr().is_ok_and(|own| own == from));
            if let Some(observer) = of.and_then(|index| observers.get(index)) {
                server.take_ack(observer.id, &ack[..length]);
            }
        }
        if tick % 32 == 0 {
            let report = server.report();
            let verdict = server.verdict(observers[1].id, red.id);
            let known: Vec<usize> = clients.iter().map(|client| client.replica.len()).collect();
            println!(
                "tick {tick}: {} bytes sent, blue's verdict on red: {verdict:?}, clients hold {known:?}",
                report.send.bytes
            );
        }
    }
    Ok(())
}
