-- beside: 3
-- Whether a message or a click has ever passed through these direct messages. Until then, writing there is a first contact.

ALTER TABLE inboxes ADD COLUMN reached boolean NOT NULL DEFAULT TRUE;
