-- What a lobby chooses for every game alike. Matches that are older than clocks have none.

ALTER TABLE matches ADD COLUMN house TEXT NOT NULL DEFAULT '{"clock":null}'; -- JSON
