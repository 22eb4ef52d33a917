-- What a lobby remembers: when its options were changed, which match it plays again, when that one's players were called.

ALTER TABLE matches ADD COLUMN chosen INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN called INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN follows TEXT NOT NULL DEFAULT '';

-- A match is played again at one table, however many ask at once.
CREATE UNIQUE INDEX matches_played_again ON matches (follows)
WHERE follows <> '' AND status IN ('lobby', 'running', 'paused');

CREATE INDEX lobbies_by_guild ON matches (guild) WHERE status = 'lobby';
