-- How far somebody has come on the way to a move, as the bot writes it, so that a call finds them there; '': nowhere yet.

ALTER TABLE due ADD COLUMN way TEXT NOT NULL DEFAULT '';
