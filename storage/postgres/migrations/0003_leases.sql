-- beside: 3
-- Which process looks after which part of all servers. Times are by this database's clock, finer than seconds.

-- The processes that are there. Whoever is not any more is taken out by another one, and what it held may be taken.
CREATE SEQUENCE process_numbers AS integer CYCLE;

CREATE TABLE processes (
    process bigint PRIMARY KEY,
    named bigint[], -- the parts that it looks after and no others; NULL: its share of those that nobody names
    session timestamptz NOT NULL, -- since when it holds the lock of its number
    beat timestamptz NOT NULL, -- when it was heard of last
    until timestamptz NOT NULL -- for so long it may believe that it holds what it held then
) WITH (fillfactor = 50);

CREATE SEQUENCE epochs;

CREATE TABLE leases (
    part bigint PRIMARY KEY CHECK (part >= 0),
    parts bigint NOT NULL CHECK (parts > part), -- into so many all servers are divided
    holder bigint NOT NULL, -- a process; where it is not there (0 never is), nobody holds it
    epoch bigint NOT NULL -- another, greater one for everybody who takes it
) WITH (fillfactor = 50);

-- The messages with which a process that does not hold the match's server is about to answer a click.
CREATE TABLE answering (
    match text COLLATE "C" NOT NULL REFERENCES matches (match) ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    seat bigint NOT NULL,
    process bigint NOT NULL,
    until timestamptz NOT NULL, -- by then the holder leaves it alone
    PRIMARY KEY (match, kind, seat)
);

-- Others than the match's holder have written of what is shown.
ALTER TABLE behind ADD others boolean NOT NULL DEFAULT FALSE;
