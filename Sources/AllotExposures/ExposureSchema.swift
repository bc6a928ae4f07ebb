import GRDB

/// The tables of a store.
enum ExposureSchema {
    /// Marks a file as a store of exposures: "Allo" in ASCII.
    static let applicationID: Int32 = 0x416c_6c6f

    /// All steps from an empty file to the present form. A released step never changes; new ones follow it.
    ///
    /// Small whole numbers stand for experiments and variants. Random unit IDs make an insertion touch a random page
    /// of every tree that is ordered by unit, so there is one such tree and it is narrow; the rows themselves and the
    /// order of the export are by time and grow at their ends.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 exposures") { database in
            try database.execute(
                sql: """
                    CREATE TABLE experiment (
                        id INTEGER PRIMARY KEY,
                        key TEXT NOT NULL UNIQUE
                    ) STRICT;
                    CREATE TABLE variant (
                        id INTEGER PRIMARY KEY,
                        experiment INTEGER NOT NULL REFERENCES experiment (id),
                        key TEXT NOT NULL,
                        UNIQUE (experiment, key)
                    ) STRICT;
                    CREATE TABLE exposure (
                        experiment INTEGER NOT NULL,
                        at INTEGER NOT NULL,
                        unit TEXT NOT NULL,
                        variant INTEGER NOT NULL,
                        attributes TEXT,
                        PRIMARY KEY (experiment, at, unit, variant)
                    ) STRICT, WITHOUT ROWID;
                    CREATE UNIQUE INDEX exposure_unit ON exposure (experiment, unit, variant);
                    CREATE INDEX exposure_time ON exposure (at, unit, experiment, variant);
                    CREATE TABLE event (
                        id TEXT PRIMARY KEY
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        return migrator
    }
}
