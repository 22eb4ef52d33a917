-- All that is kept: matches and their moves, what was shown where, what is due, what people and servers have chosen.
-- Times are Unix seconds. Texts are ordered by their characters' numbers, as SQLite does. A text that is changed with every
-- move is kept beside its row's other values where it fits, and a page is filled by half, so that a change finds room on it.

CREATE TABLE matches (
    match text COLLATE "C" PRIMARY KEY,
    number bigint NOT NULL GENERATED ALWAYS AS IDENTITY, -- in which order they were kept
    game text COLLATE "C" NOT NULL,
    rules bigint NOT NULL,
    options text COLLATE "C" NOT NULL, -- JSON
    status text COLLATE "C" NOT NULL,
    host bigint NOT NULL,
    guild bigint NOT NULL,
    channel bigint NOT NULL,
    thread bigint NOT NULL, -- 0: none
    revision bigint NOT NULL CHECK (revision >= 0),
    moves bigint NOT NULL CHECK (moves >= 0),
    votes text COLLATE "C" NOT NULL, -- JSON: users who want to end it
    reason text COLLATE "C" NOT NULL,
    created bigint NOT NULL,
    changed bigint NOT NULL,
    chosen bigint NOT NULL,
    called bigint NOT NULL,
    follows text COLLATE "C" NOT NULL,
    house text COLLATE "C" NOT NULL, -- JSON
    -- When it came to its end. An index of `changed` itself would be written with every move.
    closed bigint GENERATED ALWAYS AS (
        CASE WHEN status NOT IN ('lobby', 'running', 'paused', 'aside') THEN changed END
    ) STORED
) WITH (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_cost_delay = 0
);

CREATE INDEX matches_by_status ON matches (status, created);
CREATE INDEX matches_by_guild ON matches (guild);
CREATE INDEX lobbies_by_guild ON matches (guild) WHERE status = 'lobby';
CREATE INDEX tables_by_guild ON matches (guild) WHERE status IN ('lobby', 'paused', 'running');
CREATE INDEX matches_closed ON matches (closed) WHERE closed IS NOT NULL;
-- A match is played again at one table, however many ask at once.
CREATE UNIQUE INDEX matches_played_again ON matches (follows)
WHERE follows <> '' AND status IN ('lobby', 'running', 'paused');

CREATE FUNCTION out_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE integrity_constraint_violation USING MESSAGE = TG_ARGV[0];
END
$$;

CREATE TRIGGER matches_in_order BEFORE UPDATE ON matches FOR EACH ROW
WHEN (NEW.revision <> OLD.revision + 1 OR NEW.moves < OLD.moves)
EXECUTE FUNCTION out_of_order('a revision out of order');

CREATE TABLE seats (
    match text COLLATE "C" NOT NULL REFERENCES matches (match),
    seat bigint NOT NULL CHECK (seat >= 0),
    "user" bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    gone text COLLATE "C" NOT NULL CHECK (gone IN ('', 'left', 'removed')),
    level text COLLATE "C" NOT NULL DEFAULT '',
    missed bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (match, seat)
);

CREATE INDEX seats_by_user ON seats ("user");
-- Nobody sits twice at one table. (What is no user may: it has no number above 0.)
CREATE UNIQUE INDEX seats_held_once ON seats (match, "user") WHERE gone = '' AND "user" > 0;

-- The game state of a started match: the seed all its chance comes from, and the state after its last move.
CREATE TABLE states (
    match text COLLATE "C" PRIMARY KEY REFERENCES matches (match),
    seed text COLLATE "C" NOT NULL,
    checkpoint text COLLATE "C" NOT NULL -- JSON
) WITH (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_cost_delay = 0, toast.autovacuum_vacuum_scale_factor = 0.02,
    toast.autovacuum_vacuum_threshold = 500, toast.autovacuum_vacuum_cost_delay = 0
);
ALTER TABLE states ALTER checkpoint SET STORAGE MAIN;

-- What a record is replayed on: the state at the start, and one for every change of the rules it is played by.
CREATE TABLE bases (
    match text COLLATE "C" NOT NULL REFERENCES states (match),
    revision bigint NOT NULL,
    moves bigint NOT NULL, -- made before it
    rules bigint NOT NULL,
    checkpoint text COLLATE "C" NOT NULL, -- JSON
    at bigint NOT NULL,
    seal text COLLATE "C" NOT NULL, -- a digest of all that stays as it is until the next base
    PRIMARY KEY (match, revision)
);

CREATE TABLE moves (
    match text COLLATE "C" NOT NULL REFERENCES states (match),
    number bigint NOT NULL CHECK (number >= 1),
    seat bigint NOT NULL,
    decision bigint NOT NULL,
    notation text COLLATE "C" NOT NULL,
    "user" bigint NOT NULL,
    at bigint NOT NULL,
    level text COLLATE "C" NOT NULL DEFAULT '',
    click bigint NOT NULL DEFAULT 0, -- that asked for it, by which a second telling of it is known; 0: nobody asked
    PRIMARY KEY (match, number)
);

CREATE FUNCTION move_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number IS DISTINCT FROM (SELECT m.moves FROM matches AS m WHERE m.match = NEW.match)
        OR (NEW.number > 1 AND NOT EXISTS (SELECT FROM moves WHERE match = NEW.match AND number = NEW.number - 1))
    THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'a move out of order';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER moves_in_order BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION move_in_order();

-- What the change to that revision let happen; `recipients` are the seats that may learn of it, NULL is everybody.
CREATE TABLE events (
    match text COLLATE "C" NOT NULL REFERENCES matches (match),
    revision bigint NOT NULL,
    idx bigint NOT NULL,
    move bigint NOT NULL, -- the last one made by then: 0 at the start
    recipients text COLLATE "C", -- JSON
    body text COLLATE "C" NOT NULL, -- JSON
    PRIMARY KEY (match, revision, idx)
);

-- Every change that is no move: who did what, and why.
CREATE TABLE history (
    match text COLLATE "C" NOT NULL REFERENCES matches (match),
    revision bigint NOT NULL,
    action text COLLATE "C" NOT NULL,
    by bigint NOT NULL, -- a user; 0: the bot
    reason text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    click bigint NOT NULL DEFAULT 0, -- as of a move
    PRIMARY KEY (match, revision)
);

-- A click opens one table.
CREATE UNIQUE INDEX opened_by_click ON history (click) WHERE action = 'new' AND click > 0;
-- Whoever has a part in a match has done something in it that is no move.
CREATE INDEX history_by_person ON history (by, match) WHERE by > 0;

-- The bot's messages about a match.
CREATE TABLE surfaces (
    match text COLLATE "C" NOT NULL REFERENCES matches (match),
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('table', 'hand', 'lobby')),
    seat bigint NOT NULL CHECK (seat >= -1), -- -1: none
    channel bigint NOT NULL,
    message bigint NOT NULL, -- 0: not posted
    digest text COLLATE "C" NOT NULL,
    shown bigint NOT NULL,
    posted bigint NOT NULL,
    lost text COLLATE "C" NOT NULL,
    done boolean NOT NULL,
    nonce text COLLATE "C" NOT NULL, -- of a posting that was begun
    old bigint NOT NULL, -- the message to take away; 0: none
    called bigint NOT NULL, -- the decision of which it was posted to call somebody; -1: of none
    PRIMARY KEY (match, kind, seat)
) WITH (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_cost_delay = 0
);

CREATE TABLE mentions (
    match text COLLATE "C" NOT NULL REFERENCES matches (match),
    seat bigint NOT NULL,
    decision bigint NOT NULL,
    nonce text COLLATE "C" NOT NULL,
    channel bigint NOT NULL,
    message bigint NOT NULL, -- 0: not known to be sent
    state text COLLATE "C" NOT NULL CHECK (state IN ('sending', 'sent', 'removing')),
    PRIMARY KEY (match, seat, decision)
);

CREATE TABLE inboxes (
    "user" bigint PRIMARY KEY,
    channel bigint NOT NULL,
    closed boolean NOT NULL
);

-- What people like. Who has none here has the ones that everybody begins with.
CREATE TABLE preferences (
    "user" bigint PRIMARY KEY,
    call bigint CHECK (call >= 0), -- seconds after which they are called when they are due; NULL: never
    words boolean NOT NULL, -- hands in words
    worth boolean NOT NULL, -- hands say what things are worth
    met text COLLATE "C" NOT NULL -- the games whose rules were offered to them, by key, with a space between them
);

-- Notes of the bot's own.
CREATE TABLE notes (
    key text COLLATE "C" PRIMARY KEY,
    value text COLLATE "C" NOT NULL
);

-- What is to happen at some time: who is due is called (one row a seat, for its present decision), a lobby closes.
CREATE TABLE due (
    match text COLLATE "C" NOT NULL REFERENCES matches (match),
    kind text COLLATE "C" NOT NULL,
    seat bigint NOT NULL CHECK (seat >= -1), -- -1: none
    decision bigint NOT NULL, -- -1: of none just now
    since bigint NOT NULL,
    at bigint, -- NULL: never, or it is done
    done boolean NOT NULL DEFAULT FALSE,
    PRIMARY KEY (match, kind, seat)
) WITH (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_cost_delay = 0
);

CREATE INDEX due_next ON due (at) WHERE at IS NOT NULL;

-- The matches of which not all may be shown as it is: what a start has to look at. A change puts its match here.
CREATE TABLE behind (
    match text COLLATE "C" PRIMARY KEY REFERENCES matches (match)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);

-- What those who manage a server have chosen for its tables. A server without a row has what the bot begins with.
CREATE TABLE servers (
    guild bigint PRIMARY KEY,
    channels text COLLATE "C" NOT NULL, -- in which tables may be opened, with a space between them; '': in all
    threads boolean NOT NULL, -- matches get one of their own
    calls boolean NOT NULL, -- whoever does not act is called
    computers boolean NOT NULL, -- they may sit down
    clock text COLLATE "C", -- with which a new table begins; NULL: with none
    own_lobbies bigint CHECK (own_lobbies > 0), -- that one host may have; NULL, here and below: as the bot allows
    lobbies bigint CHECK (lobbies > 0),
    own_tables bigint CHECK (own_tables > 0), -- lobbies, and matches that go on
    tables bigint CHECK (tables > 0)
);

-- Whom to forget, and in which matches that is still to be done; the match '' stands for all that is of none.
CREATE TABLE forgetting (
    "user" bigint NOT NULL,
    match text COLLATE "C" NOT NULL,
    PRIMARY KEY ("user", match)
);

-- The servers that have put the bot out, and since when.
CREATE TABLE departed (
    guild bigint PRIMARY KEY,
    at bigint NOT NULL
);
