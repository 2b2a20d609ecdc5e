-- Version 2: what an engine says of several moves of one position.

-- A search for the best moves of a position asks for so many lines, and may be of some moves alone.
ALTER TABLE segments ADD COLUMN lines      INTEGER NOT NULL DEFAULT 1;   -- UCI's MultiPV; part of the key above 1
ALTER TABLE segments ADD COLUMN root_moves TEXT    NOT NULL DEFAULT '';  -- UCI's searchmoves; part of the key unless empty

-- One row for each further line of a search, whose first line is in `evaluations`.
CREATE TABLE alternatives (
    segment INTEGER NOT NULL,
    ply     INTEGER NOT NULL,
    rank    INTEGER NOT NULL,             -- from 2
    move    TEXT NOT NULL,                -- the move that the line begins with
    cp      INTEGER,                      -- centipawns; NULL where there is a mate
    mate    INTEGER,                      -- moves to mate, negative when Black mates
    pv      TEXT NOT NULL,                -- the line, moves separated by spaces
    PRIMARY KEY (segment, ply, rank),
    FOREIGN KEY (segment, ply) REFERENCES evaluations(segment, ply) ON DELETE CASCADE
) WITHOUT ROWID;

-- All lines of every search.
CREATE VIEW lines AS
    SELECT segment, ply, 1 AS rank, best AS move, cp, mate, pv FROM evaluations WHERE best IS NOT NULL
    UNION ALL
    SELECT segment, ply, rank, move, cp, mate, pv FROM alternatives;
