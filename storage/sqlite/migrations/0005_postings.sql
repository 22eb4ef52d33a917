-- A message that is being posted has its nonce kept first; the one that it replaces is kept until it is deleted.

ALTER TABLE surfaces ADD COLUMN nonce TEXT NOT NULL DEFAULT ''; -- of a posting that was begun
ALTER TABLE surfaces ADD COLUMN old INTEGER NOT NULL DEFAULT 0; -- the message to take away; 0: none

CREATE INDEX surfaces_to_clear ON surfaces (match) WHERE old <> 0;
