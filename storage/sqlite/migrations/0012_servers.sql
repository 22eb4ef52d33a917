-- What those who manage a server have chosen for its tables. A server without a row has what the bot begins with.

CREATE TABLE servers (
    guild INTEGER PRIMARY KEY,
    channels TEXT NOT NULL, -- in which tables may be opened, with a space between them; '': in all
    threads INTEGER NOT NULL CHECK (threads IN (0, 1)), -- matches get one of their own
    calls INTEGER NOT NULL CHECK (calls IN (0, 1)), -- whoever does not act is called
    computers INTEGER NOT NULL CHECK (computers IN (0, 1)), -- they may sit down
    clock TEXT, -- with which a new table begins; NULL: with none
    own_lobbies INTEGER CHECK (own_lobbies > 0), -- that one host may have; NULL, here and below: as many as the bot allows
    lobbies INTEGER CHECK (lobbies > 0),
    own_tables INTEGER CHECK (own_tables > 0), -- lobbies, and matches that go on
    tables INTEGER CHECK (tables > 0)
) STRICT;

CREATE INDEX tables_by_guild ON matches (guild) WHERE status IN ('lobby', 'paused', 'running');
