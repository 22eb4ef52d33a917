-- beside: 3
-- Questions to people who watch that stay closed after a take-back, and reactions of features that are tried again.

CREATE TABLE closed_questions (
    "match" text COLLATE "C" NOT NULL REFERENCES matches (match) ON DELETE CASCADE,
    "question" bigint NOT NULL,
    PRIMARY KEY ("match", "question")
);

CREATE TABLE late_reactions (
    "match" text COLLATE "C" NOT NULL REFERENCES matches (match) ON DELETE CASCADE,
    "revision" bigint NOT NULL,
    "feature" text COLLATE "C" NOT NULL,
    "action" text COLLATE "C" NOT NULL,
    "moves_before" bigint NOT NULL,
    "moves_after" bigint NOT NULL,
    "status_before" text COLLATE "C" NOT NULL,
    "status_after" text COLLATE "C" NOT NULL,
    "tries" bigint NOT NULL,
    "at" bigint NOT NULL,
    "retry" bigint NOT NULL,
    PRIMARY KEY ("match", "revision", "feature")
);
CREATE INDEX late_reactions_by_retry ON late_reactions ("retry");
