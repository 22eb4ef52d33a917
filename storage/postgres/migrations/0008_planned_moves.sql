-- beside: 3
-- The move that a player marked for their next decision in a match, for their own eyes until it is made.

CREATE TABLE planned_moves (
    match text COLLATE "C" NOT NULL REFERENCES matches (match) ON DELETE CASCADE,
    "user" bigint NOT NULL,
    decision bigint NOT NULL,
    notation text COLLATE "C" NOT NULL,
    condition text COLLATE "C" NOT NULL,
    situation text COLLATE "C" NOT NULL,
    dropped text COLLATE "C" NOT NULL,
    PRIMARY KEY (match, "user")
);

CREATE INDEX planned_moves_by_user ON planned_moves ("user");

-- An older version may run beside this one. It forgets people and erases matches, and does not know this table.
CREATE FUNCTION forget_planned_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM planned_moves WHERE "user" = OLD."user" AND (OLD.match = '' OR match = OLD.match);
    RETURN NULL;
END $$;

CREATE TRIGGER planned_moves_forgotten AFTER DELETE ON forgetting
    FOR EACH ROW EXECUTE FUNCTION forget_planned_moves();
