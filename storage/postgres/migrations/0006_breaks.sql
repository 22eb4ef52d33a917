-- beside: 3
-- Until when somebody is on a break. Anyone without a row is on none.

CREATE TABLE breaks (
    "user" bigint PRIMARY KEY,
    until bigint NOT NULL CHECK (until > 0)
);
