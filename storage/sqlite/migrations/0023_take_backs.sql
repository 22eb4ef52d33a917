-- A match that is only practice does not count. Decisions are numbered anew after moves were taken back, by an offset.

ALTER TABLE matches ADD COLUMN practice INTEGER NOT NULL DEFAULT 0 CHECK (practice IN (0, 1));
ALTER TABLE matches ADD COLUMN decision_offset INTEGER NOT NULL DEFAULT 0 CHECK (decision_offset >= 0);
ALTER TABLE matches ADD COLUMN take_backs TEXT NOT NULL DEFAULT ''; -- JSON: the open request and the past ones, by seat

-- Whether others may ask this person to let them take a move back.
ALTER TABLE preferences ADD COLUMN take_backs INTEGER NOT NULL DEFAULT 1 CHECK (take_backs IN (0, 1));
