-- Version 1: the store of evaluations. Scores, mates and win/draw/loss are from White's view. Segments, their keys and their
-- seals are the same as in a SQLite store.

-- Thousands of segments have the same origin. Origins have their own table, because their text would be half of every segment's text.
CREATE TABLE gainalyze.origins (
    id             integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest         bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
    engine         text NOT NULL,
    options        json NOT NULL,
    search_limit   text NOT NULL,
    search_order   text NOT NULL,
    segment_length bigint NOT NULL CHECK (segment_length > 0),
    lines          bigint NOT NULL CHECK (lines > 0),
    behaviour      text NOT NULL,
    engine_digest  text NOT NULL
);
COMMENT ON TABLE gainalyze.origins IS 'Sources of evaluations: one row for each build of an engine with its options and search settings';
COMMENT ON COLUMN gainalyze.origins.digest IS 'SHA-256 of the columns from engine to engine_digest';
COMMENT ON COLUMN gainalyze.origins.engine IS 'The engine''s `id name`';
COMMENT ON COLUMN gainalyze.origins.options IS 'Every option with its value';
COMMENT ON COLUMN gainalyze.origins.search_limit IS 'As in UCI''s go command: `depth 20`, `nodes 100000`';
COMMENT ON COLUMN gainalyze.origins.search_order IS 'backward or forward';
COMMENT ON COLUMN gainalyze.origins.segment_length IS 'Maximum number of positions in a segment';
COMMENT ON COLUMN gainalyze.origins.lines IS 'UCI''s MultiPV; part of the key if above 1';
COMMENT ON COLUMN gainalyze.origins.behaviour IS 'SHA-256 of the engine''s results in fixed positions; empty if unknown';
COMMENT ON COLUMN gainalyze.origins.engine_digest IS 'SHA-256 of the executable';

-- One row for each segment. Its positions are arrays of the same length, in the order of plies, so one statement writes or finds
-- a segment. The primary key has both the digest of the search and the origin, so the table can be partitioned by either.
CREATE TABLE gainalyze.segments (
    key        bytea NOT NULL CHECK (length(key) = 32),
    origin     integer NOT NULL REFERENCES gainalyze.origins (id),
    stored_at  timestamptz NOT NULL DEFAULT now(),
    program    text NOT NULL,
    seal       bytea NOT NULL CHECK (length(seal) = 16),
    chess960   boolean NOT NULL,
    start_fen  text,
    moves      text NOT NULL,
    root_moves text NOT NULL,
    ply        bigint[] NOT NULL,
    cp         bigint[] NOT NULL,
    mate       bigint[] NOT NULL,
    depth      bigint[] NOT NULL,
    seldepth   bigint[] NOT NULL,
    nodes      bigint[] NOT NULL,
    time_ms    bigint[] NOT NULL,
    best       text[] NOT NULL,
    pv         text[] NOT NULL,
    win        bigint[],
    draw       bigint[],
    loss       bigint[],
    more_ply   bigint[],
    more_rank  bigint[],
    more_move  text[],
    more_cp    bigint[],
    more_mate  bigint[],
    more_pv    text[],
    PRIMARY KEY (key, origin)
);
CREATE INDEX ON gainalyze.segments (origin);
-- For positions that were searched without a game.
CREATE INDEX ON gainalyze.segments (start_fen text_pattern_ops) WHERE moves = '';
COMMENT ON TABLE gainalyze.segments IS 'Segments: consecutive positions of one game that an engine searched with one hash table. A segment is one row. The views evaluations, alternatives and lines have one row for each position and line';
COMMENT ON COLUMN gainalyze.segments.key IS 'SHA-256 of everything that determines the search, except the behavior of the engine';
COMMENT ON COLUMN gainalyze.segments.origin IS 'The engine and its settings';
COMMENT ON COLUMN gainalyze.segments.program IS 'Version of gainalyze';
COMMENT ON COLUMN gainalyze.segments.seal IS 'XXH3 of the key, the behavior and digest of the engine, and the evaluations. A segment that does not match its seal is not used';
COMMENT ON COLUMN gainalyze.segments.chess960 IS 'True if castling is written as king takes rook';
COMMENT ON COLUMN gainalyze.segments.start_fen IS 'NULL for the usual start position';
COMMENT ON COLUMN gainalyze.segments.moves IS 'UCI moves from the start to the segment''s last position';
COMMENT ON COLUMN gainalyze.segments.root_moves IS 'UCI''s searchmoves; part of the key unless empty';
COMMENT ON COLUMN gainalyze.segments.ply IS 'Number of moves played before each position';
COMMENT ON COLUMN gainalyze.segments.cp IS 'Centipawns; NULL for a mate';
COMMENT ON COLUMN gainalyze.segments.mate IS 'Moves to mate, negative if Black mates';
COMMENT ON COLUMN gainalyze.segments.best IS 'The engine''s move';
COMMENT ON COLUMN gainalyze.segments.pv IS 'The engine''s line, moves separated by spaces';
COMMENT ON COLUMN gainalyze.segments.win IS 'Per mille; NULL if the engine does not report it';
COMMENT ON COLUMN gainalyze.segments.more_rank IS 'Rank of each further line of the search, from 2; more_ply has its ply';

-- The behavior of engines, measured once for each program and its options.
CREATE TABLE gainalyze.engines (
    program   text NOT NULL,
    engine    text NOT NULL,
    options   bytea NOT NULL CHECK (length(options) = 32),
    behaviour text NOT NULL,
    micros    bigint NOT NULL,
    seal      bytea NOT NULL CHECK (length(seal) = 16),
    PRIMARY KEY (program, engine, options)
);
COMMENT ON TABLE gainalyze.engines IS 'The behavior of engines, measured once for each program and its options';
COMMENT ON COLUMN gainalyze.engines.program IS 'SHA-256 of the engine''s file, and of the files that its options name';
COMMENT ON COLUMN gainalyze.engines.options IS 'SHA-256 of the engine''s options';
COMMENT ON COLUMN gainalyze.engines.behaviour IS 'SHA-256 of the engine''s results in fixed positions';
COMMENT ON COLUMN gainalyze.engines.micros IS 'Search time of one of the fixed positions, in microseconds';

-- Damaged segments with all their remaining data. They are not read again.
CREATE TABLE gainalyze.set_aside (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    set_aside_at timestamptz NOT NULL DEFAULT now(),
    reason       text NOT NULL,
    content      jsonb NOT NULL
);
COMMENT ON TABLE gainalyze.set_aside IS 'Damaged segments with all their remaining data. They are not read again';

CREATE VIEW gainalyze.evaluations AS
    SELECT s.key, s.origin, e.*
    FROM gainalyze.segments s,
         unnest(s.ply, s.cp, s.mate, s.depth, s.seldepth, s.nodes, s.time_ms, s.best, s.pv, s.win, s.draw, s.loss)
         AS e (ply, cp, mate, depth, seldepth, nodes, time_ms, best, pv, win, draw, loss);
COMMENT ON VIEW gainalyze.evaluations IS 'One row for each position searched: the position after the first `ply` moves of the segment';

CREATE VIEW gainalyze.alternatives AS
    SELECT s.key, s.origin, a.*
    FROM gainalyze.segments s,
         unnest(s.more_ply, s.more_rank, s.more_move, s.more_cp, s.more_mate, s.more_pv)
         AS a (ply, rank, move, cp, mate, pv);
COMMENT ON VIEW gainalyze.alternatives IS 'One row for each further line of a search, whose first line is in evaluations';

CREATE VIEW gainalyze.lines AS
    SELECT key, origin, ply, 1::bigint AS rank, best AS move, cp, mate, pv FROM gainalyze.evaluations WHERE best IS NOT NULL
    UNION ALL
    SELECT key, origin, ply, rank, move, cp, mate, pv FROM gainalyze.alternatives;
COMMENT ON VIEW gainalyze.lines IS 'All lines of every search';

-- Sets a damaged segment aside. Users who may not delete anything may do this.
CREATE FUNCTION gainalyze.put_aside(damaged bytea, by integer, why text) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = gainalyze, pg_temp
    AS $$
        WITH gone AS (DELETE FROM segments WHERE key = damaged AND origin = by RETURNING *)
        INSERT INTO set_aside (reason, content)
        SELECT why, jsonb_build_object('origin', to_jsonb(origins), 'segment', to_jsonb(gone))
        FROM gone JOIN origins ON origins.id = gone.origin
    $$;
REVOKE ALL ON FUNCTION gainalyze.put_aside (bytea, integer, text) FROM PUBLIC;
COMMENT ON FUNCTION gainalyze.put_aside (bytea, integer, text) IS 'Moves a damaged segment with all its remaining data to set_aside';
