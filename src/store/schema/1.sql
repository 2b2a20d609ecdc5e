-- The evaluation store of gainalyze. Scores, mates and win/draw/loss are White's view. Each file of this folder makes the
-- tables of its version from those of the one before.

-- One row for each segment: consecutive positions of one game that an engine searched with one
-- hash table. The columns from `engine` to `moves` determine every score of the segment.
CREATE TABLE segments (
    id             INTEGER PRIMARY KEY,
    key            BLOB NOT NULL UNIQUE,  -- SHA-256 of the columns from engine to moves
    engine         TEXT NOT NULL,         -- the engine's `id name`
    options        TEXT NOT NULL,         -- JSON object: every option with its value
    search_limit   TEXT NOT NULL,         -- as in UCI's go: `depth 20`, `nodes 100000`
    search_order   TEXT NOT NULL,         -- backward or forward
    segment_length INTEGER NOT NULL,      -- most positions in a segment
    start_fen      TEXT,                  -- NULL for the usual start position
    chess960       INTEGER NOT NULL,      -- 1 where castling is written as king takes rook
    moves          TEXT NOT NULL,         -- UCI moves from the start to the segment's last position
    engine_digest  TEXT NOT NULL,         -- SHA-256 of the executable
    program        TEXT NOT NULL,         -- version of gainalyze
    stored_at      TEXT NOT NULL          -- UTC
);

-- One row for each position searched: the position after the first `ply` moves of the segment.
CREATE TABLE evaluations (
    segment  INTEGER NOT NULL REFERENCES segments(id) ON DELETE CASCADE,
    ply      INTEGER NOT NULL,
    cp       INTEGER,                     -- centipawns; NULL where there is a mate
    mate     INTEGER,                     -- moves to mate, negative when Black mates
    depth    INTEGER,                     -- plies
    seldepth INTEGER,                     -- plies
    nodes    INTEGER,
    time_ms  INTEGER,
    best     TEXT,                        -- the engine's move
    pv       TEXT NOT NULL,               -- the engine's line, moves separated by spaces
    win      INTEGER,                     -- per mille, where the engine tells it
    draw     INTEGER,
    loss     INTEGER,
    PRIMARY KEY (segment, ply)
) WITHOUT ROWID;
