-- What is to happen at some time: who is due is called (one row a seat, for its present decision), a lobby closes.

CREATE TABLE due (
    match TEXT NOT NULL REFERENCES matches (match),
    kind TEXT NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= -1), -- -1: none
    decision INTEGER NOT NULL,
    since INTEGER NOT NULL,
    at INTEGER, -- NULL: never, or it is done
    done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
    PRIMARY KEY (match, kind, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX due_next ON due (at) WHERE at IS NOT NULL;

INSERT INTO due (match, kind, seat, decision, since, at)
SELECT match, 'expiry', -1, 0, created, created + 86400 FROM matches WHERE status = 'lobby';

-- The decision of which a message was posted to call somebody; -1: of none.
ALTER TABLE surfaces ADD COLUMN called INTEGER NOT NULL DEFAULT -1;

ALTER TABLE pings RENAME TO mentions;
