-- What people like. Who has none here has the ones that everybody begins with.

CREATE TABLE preferences (
    user INTEGER PRIMARY KEY,
    call INTEGER CHECK (call >= 0), -- seconds after which they are called when they are due; NULL: never
    words INTEGER NOT NULL CHECK (words IN (0, 1)), -- hands in words
    worth INTEGER NOT NULL CHECK (worth IN (0, 1)), -- hands say what things are worth
    met TEXT NOT NULL -- the games whose rules were offered to them, by key, with a space between them
) STRICT;
