-- A store of exposures in the form before texts were in the rows: its tables, some rows and application ID.
-- The checksums are 0, because nothing reads them any more.
BEGIN;
PRAGMA application_id = 1097624687;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES ('1 exposures'), ('2 randomisations'), ('3 unconfirmed');
CREATE TABLE last (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO last (name, value) VALUES ('exposure', 0), ('randomisation', 0), ('variant', 0), ('cohort', 0);
CREATE TABLE randomisation (
    id INTEGER PRIMARY KEY,
    experiment TEXT NOT NULL,
    salt TEXT NOT NULL,
    mark INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    entries INTEGER NOT NULL DEFAULT 0,
    digest INTEGER NOT NULL DEFAULT 0,
    UNIQUE (experiment, salt)
) STRICT;
CREATE TABLE variant (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    mark INTEGER NOT NULL
) STRICT;
CREATE TABLE cohort (
    id INTEGER PRIMARY KEY,
    randomisation INTEGER NOT NULL REFERENCES randomisation (id),
    variant INTEGER NOT NULL REFERENCES variant (id),
    revision TEXT,
    reason TEXT NOT NULL,
    override INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    units INTEGER NOT NULL DEFAULT 0,
    digest INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX cohort_content
    ON cohort (randomisation, variant, override, reason, revision IS NULL, ifnull(revision, ''));
CREATE TABLE exposure (
    cursor INTEGER PRIMARY KEY,
    randomisation INTEGER NOT NULL,
    counted INTEGER NOT NULL,
    unit TEXT NOT NULL,
    variant INTEGER NOT NULL,
    cohort INTEGER NOT NULL,
    at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    doubt INTEGER,
    reported_at INTEGER,
    event TEXT,
    attributes TEXT,
    mark INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX exposure_identity ON exposure (randomisation, counted, unit, variant);
CREATE UNIQUE INDEX exposure_event ON exposure (event) WHERE event IS NOT NULL;
CREATE INDEX exposure_time ON exposure (cohort, at);
CREATE TABLE block (
    id INTEGER PRIMARY KEY,
    rows INTEGER NOT NULL,
    digest INTEGER NOT NULL
) STRICT;
CREATE TABLE unconfirmed (
    randomisation INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    revision TEXT NOT NULL,
    mark INTEGER NOT NULL,
    PRIMARY KEY (randomisation, variant, revision)
) STRICT, WITHOUT ROWID;
UPDATE last SET value = 20 WHERE name = 'exposure';
UPDATE last SET value = 3 WHERE name IN ('randomisation', 'variant');
UPDATE last SET value = 7 WHERE name = 'cohort';
INSERT INTO randomisation (id, experiment, salt, mark, received_at, entries) VALUES
    (1, 'button', 'button', 0, 3000, 7), (2, 'button', 'again', 0, 2000, 2), (3, 'grün', 'grün', 0, 4000, 1);
INSERT INTO variant VALUES (1, 'control', 0), (2, 'green', 0), (3, 'u'||char(776), 0);
INSERT INTO cohort (id, randomisation, variant, revision, reason, override, mark, units) VALUES
    (1, 1, 1, 'r1', 'split', 0, 0, 2), (2, 1, 2, 'r1', 'split', 0, 0, 2), (3, 1, 2, NULL, 'forced', 0, 0, 1),
    (4, 1, 2, '', 'winner', 1, 0, 2), (5, 2, 1, NULL, 'split', 0, 0, 2), (6, 3, 3, 'r9', 'split', 0, 0, 1),
    (7, 1, 1, 'gone', 'split', 0, 0, 0);
INSERT INTO exposure (
    cursor, randomisation, counted, unit, variant, cohort, at, received_at, doubt, reported_at, event, attributes, mark)
VALUES
    (1, 1, 1, 'a', 1, 1, 5, 10, NULL, NULL, 'e1', '{"n":1}', 0),
    (3, 1, 1, 'b', 1, 1, -90000000, 11, NULL, NULL, NULL, NULL, 0),
    (4, 1, 1, 'a', 2, 2, 9, 12, 2, 3, 'e4', NULL, 0),
    (6, 1, 1, 'c', 2, 2, 200000000, 3000, 1, -5, 'e6', '{"text":"it''s"}', 0),
    (7, 1, 0, 'a', 2, 3, 7, 14, NULL, NULL, NULL, NULL, 0),
    (9, 1, 0, 'ü', 2, 4, 8, 15, NULL, NULL, 'e9', NULL, 0),
    (10, 1, 0, 'ü', 2, 4, 8, 16, NULL, NULL, NULL, NULL, 0),
    (12, 2, 1, 'a', 1, 5, 1, 2000, NULL, NULL, NULL, NULL, 0),
    (15, 2, 1, 'b,"x"', 1, 5, 2, 18, NULL, NULL, 'e15', '{}', 0),
    (17, 3, 1, 'a', 3, 6, 3, 4000, NULL, NULL, NULL, NULL, 0);
INSERT INTO unconfirmed VALUES (3, 3, '', 0), (3, 3, 'r9', 0);
COMMIT;
