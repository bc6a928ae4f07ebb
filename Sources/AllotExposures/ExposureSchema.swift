import GRDB

/// The tables of a store.
enum ExposureSchema {
    /// All steps from an empty file to the present form. A released step never changes; new ones come behind it.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("exposure") { database in
            // Small whole numbers stand for experiments and variants: rows and the index stay short.
            try database.execute(
                sql: """
                    CREATE TABLE arm (
                        id INTEGER PRIMARY KEY,
                        experiment TEXT NOT NULL,
                        variant TEXT NOT NULL,
                        UNIQUE (experiment, variant)
                    ) STRICT;
                    CREATE TABLE exposure (
                        id INTEGER PRIMARY KEY,
                        arm INTEGER NOT NULL REFERENCES arm (id),
                        unit TEXT NOT NULL,
                        at INTEGER NOT NULL,
                        event TEXT,
                        attributes TEXT,
                        UNIQUE (unit, arm)
                    ) STRICT;
                    CREATE UNIQUE INDEX exposure_event ON exposure (event) WHERE event IS NOT NULL;
                    """)
        }
        return migrator
    }
}
