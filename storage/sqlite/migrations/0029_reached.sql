-- Whether a message or a click has ever passed through these direct messages. Until then, writing there is a first contact.

ALTER TABLE inboxes ADD COLUMN reached INTEGER NOT NULL DEFAULT 1 CHECK (reached IN (0, 1));
