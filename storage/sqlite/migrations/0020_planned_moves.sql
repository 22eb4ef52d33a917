-- The move that a player marked for their next decision in a match, for their own eyes until it is made.

CREATE TABLE planned_moves (
    match TEXT NOT NULL REFERENCES matches (match),
    user INTEGER NOT NULL,
    decision INTEGER NOT NULL,
    notation TEXT NOT NULL,
    condition TEXT NOT NULL,
    situation TEXT NOT NULL,
    dropped TEXT NOT NULL,
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX planned_moves_by_user ON planned_moves (user);
