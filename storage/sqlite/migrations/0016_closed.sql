-- Said so, SQLite need not make a list of the words at every change of a match that goes on.

DROP INDEX matches_closed;
CREATE INDEX matches_closed ON matches (changed)
WHERE status <> 'lobby' AND status <> 'running' AND status <> 'paused' AND status <> 'aside';
