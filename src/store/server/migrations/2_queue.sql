-- The queue: segments that wait for an engine, on whichever machine. Every time in it is the server's.

-- Searches that somebody waits for. Which engine searches is the run's: no other worker takes anything of it.
CREATE TABLE gainalyze.runs (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest      bytea NOT NULL UNIQUE CHECK (length(digest) = 32), -- SHA-256 of games, engine and protocol: the same command is the same run
    name        text NOT NULL,            -- its games, for people
    priority    integer NOT NULL,         -- higher ones first
    engine      text NOT NULL,            -- the engine's `id name`
    options     text NOT NULL,            -- JSON object: every option with its value
    behaviour   text NOT NULL,            -- SHA-256 of what it finds in fixed positions
    segments    bigint NOT NULL DEFAULT 0, -- segments put into the queue so far
    positions   bigint NOT NULL DEFAULT 0, -- their positions
    created_at  timestamptz NOT NULL DEFAULT now(),
    seen_at     timestamptz NOT NULL DEFAULT now(), -- last sign of life of whoever waits for it
    finished_at timestamptz               -- NULL while anything may come
);

-- Segments that have no evaluation yet. A row is gone in the transaction that stores its evaluations.
-- No foreign key to runs: it would look each of ten million rows up.
CREATE TABLE gainalyze.tasks (
    key            bytea NOT NULL CHECK (length(key) = 32), -- as in segments
    run            bigint NOT NULL,
    place          bigint GENERATED ALWAYS AS IDENTITY, -- the order in which they are searched
    worker         bigint,                -- who has it in work; NULL where nobody has
    positions      integer NOT NULL CHECK (positions > 0), -- how many are searched
    tries          smallint NOT NULL DEFAULT 0, -- workers lost over it, and engines that failed on it
    is_set_aside   boolean NOT NULL DEFAULT false, -- after three such tries nobody takes it
    first_ply      integer NOT NULL,      -- of its positions; those that are searched follow from it and the moves
    search_limit   text NOT NULL,         -- as in segments, down to root_moves
    search_order   text NOT NULL,
    segment_length bigint NOT NULL,
    start_fen      text,
    chess960       boolean NOT NULL,
    moves          text NOT NULL,
    lines          integer NOT NULL,
    root_moves     text NOT NULL,
    PRIMARY KEY (key, run)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX tasks_waiting ON gainalyze.tasks (run, tries, place) WHERE worker IS NULL AND NOT is_set_aside;
CREATE INDEX tasks_in_work ON gainalyze.tasks (worker) WHERE worker IS NOT NULL;
CREATE INDEX tasks_set_aside ON gainalyze.tasks (run) WHERE is_set_aside;

-- Programs that search. One that has shown no sign of life for the length of its lease is lost, and its segments are free again.
CREATE TABLE gainalyze.workers (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- never given twice
    host          text NOT NULL,
    process       bigint NOT NULL,
    jobs          integer NOT NULL CHECK (jobs > 0), -- engines that search at a time
    engine        text NOT NULL,
    options       text NOT NULL,
    behaviour     text NOT NULL,
    engine_digest text NOT NULL,          -- SHA-256 of the executable
    program       text NOT NULL,          -- version of gainalyze
    lease         interval NOT NULL CHECK (lease > interval '0'),
    started_at    timestamptz NOT NULL DEFAULT now(),
    seen_at       timestamptz NOT NULL DEFAULT now(),
    ended_at      timestamptz,
    ending        text CHECK (ending IN ('ended', 'lost')),
    CHECK ((ended_at IS NULL) = (ending IS NULL))
) WITH (fillfactor = 50);

-- What each worker has done for each run: a row for each pair, so that no two workers wait for one another.
CREATE TABLE gainalyze.work_done (
    run       bigint NOT NULL REFERENCES gainalyze.runs (id) ON DELETE CASCADE,
    worker    bigint NOT NULL REFERENCES gainalyze.workers (id) ON DELETE CASCADE,
    segments  bigint NOT NULL,
    positions bigint NOT NULL,
    nodes     bigint NOT NULL,
    busy_ms   bigint NOT NULL,            -- milliseconds that engines searched
    PRIMARY KEY (run, worker)
) WITH (fillfactor = 50);

-- Each try that failed.
CREATE TABLE gainalyze.failures (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run       bigint NOT NULL REFERENCES gainalyze.runs (id) ON DELETE CASCADE,
    key       bytea NOT NULL,
    worker    bigint NOT NULL REFERENCES gainalyze.workers (id) ON DELETE CASCADE,
    failed_at timestamptz NOT NULL DEFAULT now(),
    words     text NOT NULL               -- the engine's, or that the worker was lost
);
CREATE INDEX failures_of_task ON gainalyze.failures (run, key);
