-- beside: 3
-- The preset with which new tables of a game are played, by the game's key. A game without an entry: the host decides.

ALTER TABLE servers ADD COLUMN presets text COLLATE "C" NOT NULL DEFAULT '{}'; -- JSON
