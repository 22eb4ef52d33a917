-- Which lessons were offered to a person. They stood among the games of the preferences, as `lesson:<game>`.

CREATE TABLE lessons_offered (
    "user" INTEGER NOT NULL,
    "game" TEXT NOT NULL,
    PRIMARY KEY ("user", "game")
) STRICT, WITHOUT ROWID;

INSERT INTO lessons_offered
SELECT DISTINCT user, substr(value, length('lesson:') + 1)
FROM preferences, json_each('["' || replace(met, ' ', '","') || '"]')
WHERE value LIKE 'lesson:%';

UPDATE preferences
SET met = coalesce(
    (
        SELECT group_concat(value, ' ')
        FROM json_each('["' || replace(met, ' ', '","') || '"]')
        WHERE value NOT LIKE 'lesson:%'
    ),
    ''
)
WHERE met LIKE '%lesson:%';
