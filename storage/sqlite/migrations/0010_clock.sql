-- How many decisions in a row the computer had to make for a seat because their time ran out.

ALTER TABLE seats ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;
