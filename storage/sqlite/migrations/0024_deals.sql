-- A deal is sealed: its secret is drawn when the lobby opens, and nobody sees it before the match ends. `cuts` are the
-- words of the seats, from which the seed follows with the secret; '' before the start.

CREATE TABLE deals (
    match TEXT PRIMARY KEY REFERENCES matches (match),
    secret TEXT NOT NULL,
    cuts TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

ALTER TABLE matches ADD COLUMN seal TEXT NOT NULL DEFAULT ''; -- '': not sealed, because an older version opened it
ALTER TABLE seats ADD COLUMN cut TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN last_cut INTEGER NOT NULL DEFAULT 0; -- 1: wants to cut last, 2: has done so
