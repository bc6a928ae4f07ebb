import GRDB

/// The tables of a store in a file.
enum SQLiteSchema {
    /// Marks a file as a store of exposures: "Allo" in ASCII.
    static let applicationID: Int32 = 0x416c_6c6f

    private static let form = "5 windows"

    /// The one step from an empty file or a former form to the present one, so that no other is ever in a file.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(form, merging: SQLiteFormerForms.names) { database, former in
            guard !former.isEmpty else { return try database.execute(sql: "\(tables); \(indexes)") }
            try SQLiteFormerForms.migrate(database, from: former)
        }
        return migrator
    }

    static func isNewer(_ database: Database) throws -> Bool {
        try !migrator.appliedIdentifiers(database).subtracting(SQLiteFormerForms.names).isSubset(of: [form])
    }

    /// Whether a file is in a former form, or in none.
    static func isFormer(_ database: Database) throws -> Bool {
        try !migrator.appliedIdentifiers(database).isDisjoint(with: SQLiteFormerForms.names)
    }

    /// A cohort is what exposures have in common, and the finest group of counts; `units` is their number. A cohort
    /// without units is deleted in the transaction that took its last one. `randomisation` is a number for experiment,
    /// salt and whether exposures are counted: rows and the tree of identities are a fifth smaller than with texts.
    ///
    /// Rows are in the order of their cursors and grow at their end. `store` has the last cursor, also when its row was
    /// deleted. An empty revision in `unconfirmed` stands for the variant itself, and a `window_number` of -1 for no
    /// window.
    static let tables = """
        CREATE TABLE store (cursor INTEGER NOT NULL) STRICT;
        INSERT INTO store VALUES (0);
        CREATE TABLE cohort (
            id INTEGER PRIMARY KEY,
            randomisation INTEGER NOT NULL,
            experiment TEXT NOT NULL,
            salt TEXT NOT NULL,
            variant TEXT NOT NULL,
            revision TEXT,
            reason TEXT NOT NULL,
            override INTEGER NOT NULL,
            counted INTEGER NOT NULL,
            units INTEGER NOT NULL,
            received_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE exposure (
            cursor INTEGER PRIMARY KEY,
            cohort INTEGER NOT NULL,
            randomisation INTEGER NOT NULL,
            unit TEXT NOT NULL,
            variant TEXT NOT NULL,
            at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            doubt TEXT,
            reported_at INTEGER,
            event TEXT,
            attributes TEXT,
            window_number INTEGER NOT NULL DEFAULT -1
        ) STRICT;
        CREATE TABLE unconfirmed (
            experiment TEXT NOT NULL,
            salt TEXT NOT NULL,
            variant TEXT NOT NULL,
            revision TEXT NOT NULL,
            PRIMARY KEY (experiment, salt, variant, revision)
        ) STRICT, WITHOUT ROWID
        """

    static let identity =
        "CREATE UNIQUE INDEX exposure_identity ON exposure (randomisation, unit, window_number, variant)"

    /// Random unit IDs and event IDs make an insertion touch a random page of each tree that is ordered by them, so
    /// there is one tree for each.
    ///
    /// The trigger removes the notes of variants and revisions of which no exposures are left.
    static let indexes = """
        CREATE INDEX cohort_arm ON cohort (experiment, salt, variant, revision);
        \(identity);
        CREATE UNIQUE INDEX exposure_event ON exposure (event) WHERE event IS NOT NULL;
        CREATE INDEX exposure_time ON exposure (cohort, at);
        CREATE TRIGGER cohort_deleted AFTER DELETE ON cohort BEGIN
            DELETE FROM unconfirmed
            WHERE experiment = old.experiment AND salt = old.salt AND variant = old.variant
                AND revision IN ('', old.revision)
                AND NOT EXISTS (
                    SELECT 1 FROM cohort
                    WHERE cohort.experiment = old.experiment AND cohort.salt = old.salt
                        AND cohort.variant = old.variant AND unconfirmed.revision IN ('', cohort.revision));
        END
        """
}
