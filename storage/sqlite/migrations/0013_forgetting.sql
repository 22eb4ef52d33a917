-- Whom to forget, and in which matches that is still to be done; the match '' stands for all that is of none.

CREATE TABLE forgetting (
    user INTEGER NOT NULL,
    match TEXT NOT NULL,
    PRIMARY KEY (user, match)
) STRICT, WITHOUT ROWID;

-- The servers that have put the bot out, and since when.
CREATE TABLE departed (
    guild INTEGER PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

-- Whoever has a part in a match has done something in it that is no move.
CREATE INDEX history_by_person ON history (by, match) WHERE by > 0;

CREATE INDEX matches_by_guild ON matches (guild);

-- Those that are kept for so many days.
CREATE INDEX matches_closed ON matches (changed) WHERE status NOT IN ('lobby', 'running', 'paused', 'aside');
