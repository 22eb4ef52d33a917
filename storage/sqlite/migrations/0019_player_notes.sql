-- What a player has noted about a match, for their own eyes. A note belongs to the person, not to the seat.

CREATE TABLE player_notes (
    match TEXT NOT NULL REFERENCES matches (match),
    user INTEGER NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX player_notes_by_user ON player_notes (user);
