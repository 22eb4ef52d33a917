-- beside: 3
-- A deal is sealed: its secret is drawn when the lobby opens, and nobody sees it before the match ends. `cuts` are the
-- words of the seats, from which the seed follows with the secret; '' before the start.

CREATE TABLE deals (
    match text COLLATE "C" PRIMARY KEY REFERENCES matches (match) ON DELETE CASCADE,
    secret text COLLATE "C" NOT NULL,
    cuts text COLLATE "C" NOT NULL DEFAULT ''
);

ALTER TABLE matches ADD COLUMN seal text COLLATE "C" NOT NULL DEFAULT ''; -- '': not sealed: an older version opened it
ALTER TABLE seats ADD COLUMN cut text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN last_cut bigint NOT NULL DEFAULT 0; -- 1: wants to cut last, 2: has done so
