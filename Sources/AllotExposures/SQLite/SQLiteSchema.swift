import GRDB

/// The tables of a store in a file.
enum SQLiteSchema {
    /// Marks a file as a store of exposures: "Allo" in ASCII.
    static let applicationID: Int32 = 0x416c_6c6f

    /// All steps from an empty file to the present form. A released step never changes; new ones follow it.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 exposures") { try $0.execute(sql: SQLiteSchema1.tables) }
        migrator.registerMigration("2 randomisations") { database in
            try SQLiteSchema1.rename(database)
            try database.execute(sql: tables)
            // The writer that copies looks into it.
            try database.execute(sql: unconfirmed)
            try SQLiteSchema1.copy(database)
            try SQLiteSchema1.drop(database)
        }
        migrator.registerMigration("3 unconfirmed") { try $0.execute(sql: unconfirmed) }
        return migrator
    }

    /// Small whole numbers stand for randomisations, variants and cohorts: a cohort is all that counts are grouped by.
    /// Their numbers have no gaps, and the last ones are in `last`. A number of which nothing is stored any more is
    /// given to other texts.
    ///
    /// Rows are in the order of their cursors and grow at their end. Random unit IDs and event IDs make an insertion
    /// touch a random page of each tree that is ordered by them, so there is one tree for each, and it is narrow.
    ///
    /// `mark` is a checksum of a row. The columns `entries`, `units`, `rows` and `digest` are sums over the entries of
    /// a tree, or over a part of it: a page that is damaged or lost is noticed even where SQLite does not notice it.
    private static let tables = """
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
        """

    /// The variants and revisions that no definition has had. An empty revision stands for the variant itself.
    private static let unconfirmed = """
        CREATE TABLE IF NOT EXISTS unconfirmed (
            randomisation INTEGER NOT NULL,
            variant INTEGER NOT NULL,
            revision TEXT NOT NULL,
            mark INTEGER NOT NULL,
            PRIMARY KEY (randomisation, variant, revision)
        ) STRICT, WITHOUT ROWID;
        """
}
