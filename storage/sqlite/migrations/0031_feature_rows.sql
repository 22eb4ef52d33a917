-- Questions to people who watch that stay closed after a take-back, and reactions of features that are tried again.

CREATE TABLE closed_questions (
    "match" TEXT NOT NULL REFERENCES matches (match),
    "question" INTEGER NOT NULL,
    PRIMARY KEY ("match", "question")
) STRICT, WITHOUT ROWID;

CREATE TABLE late_reactions (
    "match" TEXT NOT NULL REFERENCES matches (match),
    "revision" INTEGER NOT NULL,
    "feature" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "moves_before" INTEGER NOT NULL,
    "moves_after" INTEGER NOT NULL,
    "status_before" TEXT NOT NULL,
    "status_after" TEXT NOT NULL,
    "tries" INTEGER NOT NULL,
    "at" INTEGER NOT NULL,
    "retry" INTEGER NOT NULL,
    PRIMARY KEY ("match", "revision", "feature")
) STRICT, WITHOUT ROWID;
CREATE INDEX late_reactions_by_retry ON late_reactions ("retry");
