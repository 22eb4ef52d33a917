-- Until when somebody is on a break. Anyone without a row is on none.

CREATE TABLE breaks (
    user INTEGER PRIMARY KEY,
    until INTEGER NOT NULL CHECK (until > 0)
) STRICT;
