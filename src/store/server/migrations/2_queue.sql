-- The queue: segments that wait for an engine on any machine. All times are those of the server's clock.

-- Runs that wait for searches. Each run has its engine, and only workers with this engine take its segments.
CREATE TABLE gainalyze.runs (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest      bytea NOT NULL UNIQUE CHECK (length(digest) = 32), -- SHA-256 of games, engine and protocol: the same command is the same run
    name        text NOT NULL,            -- the name of its games, as shown to users
    priority    integer NOT NULL,         -- higher ones first
    engine      text NOT NULL,            -- the engine's `id name`
    options     text NOT NULL,            -- JSON object: every option with its value
    behaviour   text NOT NULL,            -- SHA-256 of the engine's results in fixed positions
    segments    bigint NOT NULL DEFAULT 0, -- segments put into the queue so far
    positions   bigint NOT NULL DEFAULT 0, -- positions of these segments
    created_at  timestamptz NOT NULL DEFAULT now(),
    seen_at     timestamptz NOT NULL DEFAULT now(), -- last sign of life of the waiting program
    finished_at timestamptz               -- NULL until the run ends
);

-- Segments without evaluations. The transaction that stores a segment's evaluations deletes its row.
-- There is no foreign key to runs, because the server would check it for each of ten million rows.
CREATE TABLE gainalyze.tasks (
    key            bytea NOT NULL CHECK (length(key) = 32), -- as in segments
    run            bigint NOT NULL,
    place          bigint GENERATED ALWAYS AS IDENTITY, -- the order of the searches
    worker         bigint,                -- the worker that searches the segment; NULL if none does
    positions      integer NOT NULL CHECK (positions > 0), -- number of positions to search
    tries          smallint NOT NULL DEFAULT 0, -- lost workers and engine failures at this segment
    is_set_aside   boolean NOT NULL DEFAULT false, -- true after three such tries: no worker takes it
    first_ply      integer NOT NULL,      -- ply of the first position; with the moves it determines the others
    search_limit   text NOT NULL,         -- from here to root_moves as in segments
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

-- Programs that search. A worker without a sign of life for the length of its lease is lost, and others may take its segments.
CREATE TABLE gainalyze.workers (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- never reused
    host          text NOT NULL,
    process       bigint NOT NULL,
    jobs          integer NOT NULL CHECK (jobs > 0), -- number of engines that search at the same time
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

-- The work of each worker for each run. Every pair has its own row, so no two workers wait for each other.
CREATE TABLE gainalyze.work_done (
    run       bigint NOT NULL REFERENCES gainalyze.runs (id) ON DELETE CASCADE,
    worker    bigint NOT NULL REFERENCES gainalyze.workers (id) ON DELETE CASCADE,
    segments  bigint NOT NULL,
    positions bigint NOT NULL,
    nodes     bigint NOT NULL,
    busy_ms   bigint NOT NULL,            -- search time of the engines, in milliseconds
    PRIMARY KEY (run, worker)
) WITH (fillfactor = 50);

-- Failed tries.
CREATE TABLE gainalyze.failures (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run       bigint NOT NULL REFERENCES gainalyze.runs (id) ON DELETE CASCADE,
    key       bytea NOT NULL,
    worker    bigint NOT NULL REFERENCES gainalyze.workers (id) ON DELETE CASCADE,
    failed_at timestamptz NOT NULL DEFAULT now(),
    words     text NOT NULL               -- the engine's message, or that the worker was lost
);
CREATE INDEX failures_of_task ON gainalyze.failures (run, key);
