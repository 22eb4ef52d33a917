-- beside: 3
-- When practice matches end in which nobody plays: a day after anything last happened in any match, at the earliest.

INSERT INTO due (match, kind, seat, decision, since, at)
SELECT match, 'expiry', -1, revision, changed, (SELECT MAX(changed) FROM matches) + 86400
FROM matches WHERE practice AND status IN ('paused', 'running')
ON CONFLICT DO NOTHING;
