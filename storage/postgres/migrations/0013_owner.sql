-- beside: 3
-- What the owner and the managers of servers decide about others, and what players tell the owner.

CREATE TABLE blocks (
    guild bigint NOT NULL, -- 0: everywhere
    "user" bigint NOT NULL, -- 0: the whole server
    at bigint NOT NULL,
    PRIMARY KEY (guild, "user")
);

CREATE TABLE announcements (
    number bigint PRIMARY KEY,
    text text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    withdrawn boolean NOT NULL
);

CREATE TABLE announcement_posts (
    announcement bigint NOT NULL REFERENCES announcements (number),
    channel bigint NOT NULL,
    guild bigint NOT NULL,
    message bigint NOT NULL, -- 0: not known to be sent
    PRIMARY KEY (announcement, channel)
);

CREATE TABLE reports (
    id bigint PRIMARY KEY, -- the interaction in which it was written
    match text COLLATE "C" NOT NULL REFERENCES matches (match) ON DELETE CASCADE,
    "user" bigint NOT NULL,
    text text COLLATE "C" NOT NULL, -- empty once it was sent
    written bigint NOT NULL,
    sent bigint NOT NULL -- 0: a draft
);

CREATE INDEX reports_by_user ON reports ("user");
CREATE INDEX reports_by_match ON reports (match);

-- An older version may run beside this one. It forgets people and erases matches, and does not know this table.
CREATE FUNCTION forget_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM reports WHERE "user" = OLD."user" AND (OLD.match = '' OR match = OLD.match);
    RETURN NULL;
END $$;

CREATE TRIGGER reports_forgotten AFTER DELETE ON forgetting FOR EACH ROW EXECUTE FUNCTION forget_reports();
