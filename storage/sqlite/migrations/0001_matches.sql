-- The matches: who plays what and where, every move made, and the state they led to. Times are Unix seconds.

CREATE TABLE matches (
    match TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    rules INTEGER NOT NULL,
    options TEXT NOT NULL, -- JSON
    status TEXT NOT NULL,
    host INTEGER NOT NULL,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    thread INTEGER NOT NULL, -- 0: none
    revision INTEGER NOT NULL CHECK (revision >= 0),
    moves INTEGER NOT NULL CHECK (moves >= 0),
    votes TEXT NOT NULL, -- JSON: users who want to end it
    reason TEXT NOT NULL,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL
) STRICT;

CREATE INDEX matches_by_status ON matches (status, created);

CREATE TRIGGER matches_in_order BEFORE UPDATE ON matches
WHEN NEW.revision <> OLD.revision + 1 OR NEW.moves < OLD.moves
BEGIN
    SELECT RAISE(ABORT, 'a revision out of order');
END;

CREATE TABLE seats (
    match TEXT NOT NULL REFERENCES matches (match),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    gone TEXT NOT NULL CHECK (gone IN ('', 'left', 'removed')),
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_by_user ON seats (user);

-- Nobody sits twice at one table. (What is no user may: it has no number above 0.)
CREATE UNIQUE INDEX seats_held_once ON seats (match, user) WHERE gone = '' AND user > 0;

-- The game state of a started match: the seed all its chance comes from, and the state after its last move.
CREATE TABLE states (
    match TEXT NOT NULL PRIMARY KEY REFERENCES matches (match),
    seed TEXT NOT NULL,
    checkpoint TEXT NOT NULL -- JSON
) STRICT;

-- What a record is replayed on: the state at the start, and one for every change of the rules it is played by.
CREATE TABLE bases (
    match TEXT NOT NULL REFERENCES states (match),
    revision INTEGER NOT NULL,
    moves INTEGER NOT NULL, -- made before it
    rules INTEGER NOT NULL,
    checkpoint TEXT NOT NULL, -- JSON
    at INTEGER NOT NULL,
    PRIMARY KEY (match, revision)
) STRICT;

CREATE TABLE moves (
    match TEXT NOT NULL REFERENCES states (match),
    number INTEGER NOT NULL CHECK (number >= 1),
    seat INTEGER NOT NULL,
    decision INTEGER NOT NULL,
    notation TEXT NOT NULL,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER moves_in_order BEFORE INSERT ON moves
WHEN NEW.number <> (SELECT COALESCE(MAX(number), 0) + 1 FROM moves WHERE match = NEW.match)
    OR NEW.number <> (SELECT moves FROM matches WHERE match = NEW.match)
BEGIN
    SELECT RAISE(ABORT, 'a move out of order');
END;

-- What the change to that revision let happen; `recipients` are the seats that may learn of it, NULL is everybody.
CREATE TABLE events (
    match TEXT NOT NULL REFERENCES matches (match),
    revision INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    move INTEGER NOT NULL, -- the last one made by then: 0 at the start
    recipients TEXT, -- JSON
    body TEXT NOT NULL, -- JSON
    PRIMARY KEY (match, revision, idx)
) STRICT, WITHOUT ROWID;

-- Every change that is no move: who did what, and why.
CREATE TABLE history (
    match TEXT NOT NULL REFERENCES matches (match),
    revision INTEGER NOT NULL,
    action TEXT NOT NULL,
    by INTEGER NOT NULL, -- a user; 0: the bot
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (match, revision)
) STRICT, WITHOUT ROWID;
