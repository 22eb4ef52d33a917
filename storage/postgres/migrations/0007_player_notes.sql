-- beside: 3
-- What a player has noted about a match, for their own eyes. A note belongs to the person, not to the seat.

CREATE TABLE player_notes (
    match text COLLATE "C" NOT NULL REFERENCES matches (match) ON DELETE CASCADE,
    "user" bigint NOT NULL,
    note text COLLATE "C" NOT NULL,
    PRIMARY KEY (match, "user")
);

CREATE INDEX player_notes_by_user ON player_notes ("user");

-- An older version may run beside this one. It forgets people and erases matches, and does not know this table.
CREATE FUNCTION forget_player_notes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM player_notes WHERE "user" = OLD."user" AND (OLD.match = '' OR match = OLD.match);
    RETURN NULL;
END $$;

CREATE TRIGGER player_notes_forgotten AFTER DELETE ON forgetting FOR EACH ROW EXECUTE FUNCTION forget_player_notes();
