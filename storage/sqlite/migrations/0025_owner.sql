-- What the owner and the managers of servers decide about others, and what players tell the owner.

CREATE TABLE blocks (
    guild INTEGER NOT NULL, -- 0: everywhere
    user INTEGER NOT NULL, -- 0: the whole server
    at INTEGER NOT NULL,
    PRIMARY KEY (guild, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE announcements (
    number INTEGER NOT NULL PRIMARY KEY,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL CHECK (withdrawn IN (0, 1))
) STRICT;

CREATE TABLE announcement_posts (
    announcement INTEGER NOT NULL REFERENCES announcements (number),
    channel INTEGER NOT NULL,
    guild INTEGER NOT NULL,
    message INTEGER NOT NULL, -- 0: not known to be sent
    PRIMARY KEY (announcement, channel)
) STRICT, WITHOUT ROWID;

CREATE TABLE reports (
    id INTEGER NOT NULL PRIMARY KEY, -- the interaction in which it was written
    match TEXT NOT NULL REFERENCES matches (match),
    user INTEGER NOT NULL,
    text TEXT NOT NULL, -- empty once it was sent
    written INTEGER NOT NULL,
    sent INTEGER NOT NULL -- 0: a draft
) STRICT;

CREATE INDEX reports_by_user ON reports (user);
CREATE INDEX reports_by_match ON reports (match);
