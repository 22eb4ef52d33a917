-- A seal is a digest of all that stays as it is until the next base: game, rules, options, seats, seed, state.
-- '' stands for a base that is older than seals.

ALTER TABLE bases ADD COLUMN seal TEXT NOT NULL DEFAULT '';
