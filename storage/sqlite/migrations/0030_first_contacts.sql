-- When writing to a person was last counted as a first contact: a person counts once a day.

CREATE TABLE first_contacts (
    user INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;
