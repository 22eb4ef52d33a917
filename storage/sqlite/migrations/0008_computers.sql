-- Seats at which the computer plays, by itself (user 0) or for somebody who has gone, and the moves it made.

ALTER TABLE seats ADD COLUMN level TEXT NOT NULL DEFAULT '';
ALTER TABLE moves ADD COLUMN level TEXT NOT NULL DEFAULT '';
