-- beside: 3
-- How many seconds each seat has left, with a clock that gives it some for every move. Other matches have none.

ALTER TABLE matches ADD COLUMN banks text COLLATE "C" NOT NULL DEFAULT '[]'; -- JSON
