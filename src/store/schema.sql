-- The evaluation store of gainalyze, version 3. Scores, mates and win/draw/loss are from White's view. Every segment is
-- checked when it is read. A damaged segment is set aside.

-- The behavior of engines, measured once for each program and its options.
CREATE TABLE engines (
    program   TEXT NOT NULL,              -- SHA-256 of the engine's file, and of the files that its options name
    engine    TEXT NOT NULL,              -- the engine's `id name`
    options   TEXT NOT NULL,              -- JSON object: every option with its value
    behaviour TEXT NOT NULL,              -- SHA-256 of the engine's results in fixed positions
    micros    INTEGER NOT NULL,           -- search time of one of the fixed positions, in microseconds
    seal      BLOB NOT NULL CHECK (length(seal) = 16),
    PRIMARY KEY (program, engine, options)
) STRICT;

-- One row for each segment: consecutive positions of one game that an engine searched with one
-- hash table. Every score of the segment follows from the columns `engine` to `root_moves` and the behavior.
CREATE TABLE segments (
    id             INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
    key            BLOB NOT NULL CHECK (length(key) = 32), -- SHA-256 of the columns from engine to root_moves
    engine         TEXT NOT NULL,         -- the engine's `id name`
    options        TEXT NOT NULL,         -- JSON object: every option with its value
    search_limit   TEXT NOT NULL,         -- as in UCI's go command: `depth 20`, `nodes 100000`
    search_order   TEXT NOT NULL,         -- backward or forward
    segment_length INTEGER NOT NULL CHECK (segment_length > 0), -- maximum number of positions in a segment
    start_fen      TEXT,                  -- NULL for the usual start position
    chess960       INTEGER NOT NULL CHECK (chess960 IN (0, 1)), -- 1 if castling is written as king takes rook
    moves          TEXT NOT NULL,         -- UCI moves from the start to the segment's last position
    lines          INTEGER NOT NULL CHECK (lines > 0), -- UCI's MultiPV; part of the key if above 1
    root_moves     TEXT NOT NULL,         -- UCI's searchmoves; part of the key unless empty
    behaviour      TEXT NOT NULL,         -- as in `engines`; empty if unknown
    engine_digest  TEXT NOT NULL,         -- SHA-256 of the executable
    program        TEXT NOT NULL,         -- version of gainalyze
    stored_at      TEXT NOT NULL,         -- UTC
    seal           BLOB NOT NULL CHECK (length(seal) = 16), -- XXH3 of the segment's key, behavior, digest and rows
    UNIQUE (key, behaviour, engine_digest)
) STRICT;

-- One row for each position searched: the position after the first `ply` moves of the segment.
CREATE TABLE evaluations (
    segment  INTEGER NOT NULL REFERENCES segments(id) ON DELETE CASCADE,
    ply      INTEGER NOT NULL CHECK (ply >= 0),
    cp       INTEGER CHECK (cp BETWEEN -2147483647 AND 2147483647),     -- centipawns; NULL for a mate
    mate     INTEGER CHECK (mate BETWEEN -2147483647 AND 2147483647),   -- moves to mate, negative if Black mates
    depth    INTEGER CHECK (depth >= 0),  -- plies
    seldepth INTEGER CHECK (seldepth >= 0), -- plies
    nodes    INTEGER CHECK (nodes >= 0),
    time_ms  INTEGER CHECK (time_ms >= 0),
    best     TEXT,                        -- the engine's move
    pv       TEXT NOT NULL,               -- the engine's line, moves separated by spaces
    win      INTEGER CHECK (win BETWEEN 0 AND 1000), -- per mille, if the engine reports it
    draw     INTEGER CHECK (draw BETWEEN 0 AND 1000),
    loss     INTEGER CHECK (loss BETWEEN 0 AND 1000),
    PRIMARY KEY (segment, ply),
    CHECK ((cp IS NULL) <> (mate IS NULL)),
    CHECK ((win IS NULL) = (draw IS NULL) AND (draw IS NULL) = (loss IS NULL))
) STRICT, WITHOUT ROWID;

-- One row for each further line of a search, whose first line is in `evaluations`.
CREATE TABLE alternatives (
    segment INTEGER NOT NULL,
    ply     INTEGER NOT NULL,
    rank    INTEGER NOT NULL CHECK (rank > 1),
    move    TEXT NOT NULL,                -- the first move of the line
    cp      INTEGER CHECK (cp BETWEEN -2147483647 AND 2147483647),   -- centipawns; NULL for a mate
    mate    INTEGER CHECK (mate BETWEEN -2147483647 AND 2147483647), -- moves to mate, negative if Black mates
    pv      TEXT NOT NULL,                -- the line, moves separated by spaces
    PRIMARY KEY (segment, ply, rank),
    CHECK ((cp IS NULL) <> (mate IS NULL)),
    FOREIGN KEY (segment, ply) REFERENCES evaluations(segment, ply) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Damaged segments with all their remaining data. They are not read again.
CREATE TABLE set_aside (
    id           INTEGER PRIMARY KEY,
    set_aside_at TEXT NOT NULL,           -- UTC
    reason       TEXT NOT NULL,
    content      TEXT NOT NULL            -- JSON: the rows of each table
) STRICT;

-- All lines of every search.
CREATE VIEW lines AS
    SELECT segment, ply, 1 AS rank, best AS move, cp, mate, pv FROM evaluations WHERE best IS NOT NULL
    UNION ALL
    SELECT segment, ply, rank, move, cp, mate, pv FROM alternatives;
