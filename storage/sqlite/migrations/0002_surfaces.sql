-- What the bot has shown where: its messages about a match, the pings, people's inboxes, and notes of its own.

CREATE TABLE surfaces (
    match TEXT NOT NULL REFERENCES matches (match),
    kind TEXT NOT NULL CHECK (kind IN ('table', 'hand', 'lobby')),
    seat INTEGER NOT NULL CHECK (seat >= -1), -- -1: none
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL, -- 0: not posted
    digest TEXT NOT NULL,
    shown INTEGER NOT NULL,
    posted INTEGER NOT NULL,
    lost TEXT NOT NULL,
    done INTEGER NOT NULL CHECK (done IN (0, 1)),
    PRIMARY KEY (match, kind, seat)
) STRICT;

CREATE INDEX surfaces_not_done ON surfaces (match) WHERE done = 0;

CREATE TABLE pings (
    match TEXT NOT NULL REFERENCES matches (match),
    seat INTEGER NOT NULL,
    decision INTEGER NOT NULL,
    nonce TEXT NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL, -- 0: not known to be sent
    state TEXT NOT NULL CHECK (state IN ('sending', 'sent', 'removing')),
    PRIMARY KEY (match, seat, decision)
) STRICT;

CREATE TABLE inboxes (
    user INTEGER PRIMARY KEY,
    channel INTEGER NOT NULL,
    closed INTEGER NOT NULL CHECK (closed IN (0, 1))
) STRICT;

CREATE TABLE notes (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
