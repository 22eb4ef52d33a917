-- beside: 3
-- Which lessons were offered to a person. They stood among the games of the preferences, as `lesson:<game>`.

CREATE TABLE lessons_offered (
    "user" bigint NOT NULL,
    "game" text COLLATE "C" NOT NULL,
    PRIMARY KEY ("user", "game")
);
CREATE FUNCTION forget_lessons_offered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM lessons_offered WHERE ("user" = OLD."user") AND OLD.match = '';
    RETURN NULL;
END $$;
CREATE TRIGGER lessons_offered_forgotten AFTER DELETE ON forgetting FOR EACH ROW EXECUTE FUNCTION forget_lessons_offered();

-- An older version may run beside this one. It still writes them among the games.
CREATE FUNCTION move_offered_lessons() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lessons_offered
    SELECT DISTINCT NEW."user", substr(word, length('lesson:') + 1)
    FROM unnest(string_to_array(NEW.met, ' ')) AS word
    WHERE word LIKE 'lesson:%'
    ON CONFLICT DO NOTHING;
    NEW.met := array_to_string(
        ARRAY(SELECT word FROM unnest(string_to_array(NEW.met, ' ')) AS word WHERE word NOT LIKE 'lesson:%'), ' '
    );
    RETURN NEW;
END $$;
CREATE TRIGGER preferences_name_lessons BEFORE INSERT OR UPDATE OF met ON preferences
FOR EACH ROW WHEN (NEW.met LIKE '%lesson:%') EXECUTE FUNCTION move_offered_lessons();

UPDATE preferences SET met = met WHERE met LIKE '%lesson:%';
