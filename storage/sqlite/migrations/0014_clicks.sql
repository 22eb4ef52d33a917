-- The number of the click or command that asked for a change, by which a second telling of it is known; 0: nobody asked.

ALTER TABLE moves ADD COLUMN click INTEGER NOT NULL DEFAULT 0;
ALTER TABLE history ADD COLUMN click INTEGER NOT NULL DEFAULT 0;

-- A click opens one table.
CREATE UNIQUE INDEX opened_by_click ON history (click) WHERE action = 'new' AND click > 0;
