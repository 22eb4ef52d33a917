-- beside: 3
-- When writing to a person was last counted as a first contact: a person counts once a day.

CREATE TABLE first_contacts (
    "user" bigint PRIMARY KEY,
    at bigint NOT NULL
);

-- An older version may run beside this one. It forgets people, and does not know this table.
CREATE FUNCTION forget_first_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM first_contacts WHERE "user" = OLD."user" AND OLD.match = '';
    RETURN NULL;
END
$$;

CREATE TRIGGER first_contacts_forgotten AFTER DELETE ON forgetting FOR EACH ROW EXECUTE FUNCTION forget_first_contacts();
