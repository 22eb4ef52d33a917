-- beside: 3
-- A planned move knows which moves its player had seen, so that it can survive a take-back.
-- −1: an older version stored it.

ALTER TABLE planned_moves ADD COLUMN moves bigint NOT NULL DEFAULT -1;

-- An older version may run beside this one. It replaces a plan and leaves this column as it was.
CREATE FUNCTION count_known_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT moves INTO NEW.moves FROM matches WHERE match = NEW.match;
    RETURN NEW;
END $$;

CREATE TRIGGER planned_moves_counted BEFORE UPDATE ON planned_moves FOR EACH ROW
    WHEN (NEW.moves = OLD.moves AND (NEW.decision, NEW.notation) <> (OLD.decision, OLD.notation))
    EXECUTE FUNCTION count_known_moves();
