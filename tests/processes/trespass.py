"""Whether anybody writes of messages that another process looks after: PostgreSQL itself watches, by triggers.

Each process is known by a setting of its connections, which stands in its address. Any of them may doubt a message, say
what it has answered a click with, and note the lobby that it has answered a command with; whatever else is written is
its server's holder's alone. What was under way when it gave that back counts until another one has taken it.
"""

from __future__ import annotations

from engines.store.partition import GUILD_SHIFT

_SURFACE = "INSERT OR DELETE OR UPDATE OF channel, message, nonce, old, called"
WATCH_SQL = f"""
CREATE SCHEMA watch;
CREATE TABLE watch.names (process bigint PRIMARY KEY, name text NOT NULL);
CREATE TABLE watch.trespasses (what text NOT NULL, of text NOT NULL, by text NOT NULL, held text NOT NULL);

CREATE FUNCTION watch.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO watch.names VALUES (NEW.process, current_setting('watch.name', TRUE)) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE FUNCTION watch.look() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    written record := coalesce(NEW, OLD);
    told jsonb := to_jsonb(coalesce(NEW, OLD));
    holder text;
BEGIN
    SELECT name INTO holder FROM public.matches
        JOIN public.leases ON part = (guild >> {GUILD_SHIFT}) % parts LEFT JOIN watch.names ON process = leases.holder
        WHERE match = written.match;
    IF NOT FOUND OR holder IS NULL OR holder = current_setting('watch.name', TRUE) THEN
        RETURN NULL;
    END IF;
    IF told ->> 'kind' = 'lobby' AND told ->> 'nonce' = '' AND told ->> 'old' = '0' AND TG_OP <> 'DELETE' THEN
        RETURN NULL;
    END IF;
    INSERT INTO watch.trespasses
        VALUES (TG_OP || ' ' || TG_TABLE_NAME, told, current_setting('watch.name', TRUE), holder);
    RETURN NULL;
END $$;

CREATE TRIGGER note AFTER INSERT OR UPDATE ON public.processes FOR EACH ROW EXECUTE FUNCTION watch.note();
CREATE TRIGGER look AFTER {_SURFACE} ON public.surfaces FOR EACH ROW EXECUTE FUNCTION watch.look();
CREATE TRIGGER look AFTER INSERT OR DELETE OR UPDATE ON public.mentions FOR EACH ROW EXECUTE FUNCTION watch.look();
"""
KNOWN_SQL = "SELECT count(*) FROM watch.names"
TRESPASSES_SQL = "SELECT what, of, by, held FROM watch.trespasses"


def named_address(address: str, name: str) -> str:
    """The address by which that process is known."""
    return f"{address}&watch.name={name.replace(' ', '-')}"
