-- beside: 3
-- A planned move knows which moves its player had seen, so that it can survive a take-back.
-- −1: an older version stored it.

ALTER TABLE planned_moves ADD COLUMN moves bigint NOT NULL DEFAULT -1;
