-- beside: 3
-- What people who watch a match have guessed. A later guess of a person replaces the one for the same question.

CREATE TABLE guesses (
    match text COLLATE "C" NOT NULL REFERENCES matches (match) ON DELETE CASCADE,
    question bigint NOT NULL,
    "user" bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    choices text COLLATE "C" NOT NULL, -- JSON: seats, or −1 for none of them
    PRIMARY KEY (match, question, "user")
);

CREATE INDEX guesses_by_user ON guesses ("user");

-- An older version may run beside this one. It forgets people and erases matches, and does not know this table.
CREATE FUNCTION forget_guesses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM guesses WHERE "user" = OLD."user" AND (OLD.match = '' OR match = OLD.match);
    RETURN NULL;
END $$;

CREATE TRIGGER guesses_forgotten AFTER DELETE ON forgetting FOR EACH ROW EXECUTE FUNCTION forget_guesses();
