-- The matches of which not all may be shown as it is: what a start has to look at. A change puts its match here.

CREATE TABLE behind (
    match TEXT NOT NULL PRIMARY KEY REFERENCES matches (match)
) STRICT, WITHOUT ROWID;

INSERT INTO behind (match)
SELECT match FROM matches WHERE status IN ('lobby', 'running', 'paused')
UNION SELECT match FROM surfaces WHERE done = 0 OR old <> 0 OR nonce <> ''
UNION SELECT match FROM mentions;

DROP INDEX surfaces_not_done;
DROP INDEX surfaces_to_clear;
