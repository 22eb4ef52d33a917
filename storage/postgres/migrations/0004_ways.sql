-- beside: 3
-- How far somebody has come on the way to a move, as the bot writes it, so that a call finds them there; '': nowhere yet.

ALTER TABLE due ADD COLUMN way text COLLATE "C" NOT NULL DEFAULT '';
