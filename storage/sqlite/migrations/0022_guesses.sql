-- What people who watch a match have guessed. A later guess of a person replaces the one for the same question.

CREATE TABLE guesses (
    match TEXT NOT NULL REFERENCES matches (match),
    question INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    choices TEXT NOT NULL, -- JSON: seats, or −1 for none of them
    PRIMARY KEY (match, question, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX guesses_by_user ON guesses (user);
