-- What the processes on this database do together. All of it is of the moment. Times are seconds of the database's clock.

-- When a session with Discord may begin next: one of a bucket in five seconds, whoever's it is.
CREATE TABLE turns (
    bucket bigint PRIMARY KEY,
    at double precision NOT NULL -- when the last one that was given out begins
);

-- The processes that there are: each tells of itself once a second.
CREATE TABLE crew (
    process text COLLATE "C" PRIMARY KEY,
    version text COLLATE "C" NOT NULL,
    at double precision NOT NULL,
    need double precision NOT NULL, -- of all that may be asked of Discord; 1: all of it
    share double precision NOT NULL, -- what it may ask of that
    shares double precision[] NOT NULL, -- those that were larger until lately
    ends double precision[] NOT NULL, -- and until when each was
    heard bigint[] NOT NULL -- the shards of which it is told; −1 − the number of one that it gives up
) WITH (fillfactor = 50);
