-- beside: 3
-- A match that is only practice does not count. Decisions are numbered anew after moves were taken back, by an offset.

ALTER TABLE matches
    ADD COLUMN practice boolean NOT NULL DEFAULT FALSE,
    ADD COLUMN decision_offset bigint NOT NULL DEFAULT 0 CHECK (decision_offset >= 0),
    ADD COLUMN take_backs text COLLATE "C" NOT NULL DEFAULT ''; -- JSON: the open request and the past ones, by seat

-- Whether others may ask this person to let them take a move back.
ALTER TABLE preferences ADD COLUMN take_backs boolean NOT NULL DEFAULT TRUE;
