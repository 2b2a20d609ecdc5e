//! A relay in front of a server. It cuts connections at a chosen moment, or changes the server's answers.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
};

use crate::postgres_server::Server;

/// The fault that a relay adds to a connection.
#[derive(Debug, Clone)]
pub enum Mischief {
    /// Cuts connections `times` times, at two alternating moments: after the server has executed the request
    /// `asked`, but before its answer `answered` arrives; and before the server gets the request.
    Cut { asked: &'static str, answered: &'static str, times: u32 },
    /// Replaces bytes in the server's answers by other bytes of the same length.
    Replace(Vec<(Vec<u8>, Vec<u8>)>),
}

/// A running relay. It ends with the process of the test.
pub struct Relay {
    port: u16,
    cuts: Arc<AtomicU32>,
}

impl Relay {
    /// Starts a relay in front of a server.
    pub fn before(server: &Server, mischief: Mischief) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (cuts, behind) = (Arc::new(AtomicU32::new(0)), server.port());
        let counted = cuts.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // If the server is away, the relay refuses clients too.
                let Ok(server) = TcpStream::connect(("127.0.0.1", behind)) else { continue };
                let [asker, answerer] = [&client, &server].map(|one| one.try_clone().expect("a socket"));
                let asked = Arc::new(AtomicBool::new(false));
                for (from, to, is_asking) in [(client, server, true), (answerer, asker, false)] {
                    let mischief = mischief.clone();
                    let known = Known { has_asked: asked.clone(), cuts: counted.clone() };
                    thread::spawn(move || carry(from, to, is_asking, &mischief, &known));
                }
            }
        });
        Relay { port, cuts }
    }

    /// Returns the address by which `user` reaches the database `games` through the relay.
    pub fn address(&self, user: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{}/games?sslmode=disable", self.port)
    }

    /// Returns the number of connections that the relay has cut.
    pub fn cuts(&self) -> u32 {
        self.cuts.load(Ordering::SeqCst)
    }
}

/// The shared state of both directions of a connection.
struct Known {
    has_asked: Arc<AtomicBool>,
    cuts: Arc<AtomicU32>,
}

/// Forwards bytes in one direction until a side ends or the connection is cut.
fn carry(mut from: TcpStream, mut to: TcpStream, is_asking: bool, mischief: &Mischief, known: &Known) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        let said = &mut bytes[..length];
        match mischief {
            Mischief::Cut { asked, answered, times } => {
                let words = if is_asking { asked } else { answered };
                let is_there = place(said, words.as_bytes()).is_some();
                let is_meant = match is_asking {
                    true => is_there && !known.has_asked.swap(true, Ordering::SeqCst),
                    false => is_there && known.has_asked.swap(false, Ordering::SeqCst),
                };
                let turn = u32::from(is_asking);
                let is_turn = |count: u32| (count < *times && count % 2 == turn).then_some(count + 1);
                if is_meant && known.cuts.fetch_update(Ordering::SeqCst, Ordering::SeqCst, is_turn).is_ok() {
                    break;
                }
            }
            Mischief::Replace(pairs) if !is_asking => {
                for (old, new) in pairs {
                    if let Some(place) = place(said, old) {
                        said[place..place + old.len()].copy_from_slice(new);
                    }
                }
            }
            Mischief::Replace(_) => {}
        }
        if to.write_all(said).is_err() {
            break;
        }
    }
    // Either side may have ended already.
    _ = from.shutdown(Shutdown::Both);
    _ = to.shutdown(Shutdown::Both);
}

fn place(said: &[u8], words: &[u8]) -> Option<usize> {
    said.windows(words.len()).position(|window| window == words)
}
