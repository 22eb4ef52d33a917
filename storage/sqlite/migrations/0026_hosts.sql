-- How many tables each person hosts, in all servers.

CREATE INDEX tables_by_host ON matches (host) WHERE status IN ('lobby', 'paused', 'running');
