internal import AllotConfiguration
import GRDB

/// The tables of stores that were written before salts were, and how their rows are taken over.
enum SQLiteSchema1 {
    static let tables = """
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
        """

    /// Moves the tables out of the way of new ones of the same names.
    static func rename(_ database: Database) throws {
        try database.execute(
            sql: """
                DROP INDEX exposure_unit;
                DROP INDEX exposure_time;
                ALTER TABLE experiment RENAME TO former_experiment;
                ALTER TABLE variant RENAME TO former_variant;
                ALTER TABLE exposure RENAME TO former_exposure;
                """)
    }

    /// Stores all rows as ``SQLiteWriter`` does, in the order of experiments and times.
    ///
    /// - The salt is the experiment's key, the default: nothing says which it was.
    /// - Revision, reason and override are moved out of the attributes, where clients put them.
    /// - An exposure was received at its time, as far as is known.
    /// - Event IDs are not kept, because nothing says of which rows they were. An event that is sent again has the
    ///   identity of its row, and changes nothing either.
    static func copy(_ database: Database) throws {
        var writer = try SQLiteWriter(database)
        let rows = try SQLiteStatement(
            database,
            """
            SELECT unit, former_experiment.key, former_variant.key, at, attributes
            FROM former_exposure
                JOIN former_experiment ON former_experiment.id = former_exposure.experiment
                JOIN former_variant ON former_variant.id = former_exposure.variant
            ORDER BY former_exposure.experiment, at, unit, former_exposure.variant
            """)
        try rows.run { row in
            let key = row.text(1)
            var exposure = Exposure(
                unit: row.text(0), experiment: key, salt: key, variant: row.text(2), at: row.number(3))
            if let text = row.optionalText(4) { takeAttributes(text, into: &exposure) }
            _ = try writer.insert(exposure)
        }
        try writer.finish()
    }

    private static func takeAttributes(_ text: String, into exposure: inout Exposure) {
        guard case .object(var attributes)? = try? JSONValue(parsing: Array(text.utf8)) else {
            // Only a program that called the store itself can have written this.
            exposure.attributes = JSONValue.object(["attributes": .string(text)]).canonicalText
            return
        }
        var notes = ExposureNotes()
        notes.take(from: &attributes)
        exposure.revision = notes.revision
        if let reason = notes.reason { exposure.reason = reason }
        exposure.isOverridden = notes.isOverridden ?? false
        exposure.attributes = attributes.isEmpty ? nil : JSONValue.object(attributes).canonicalText
    }

    static func drop(_ database: Database) throws {
        try database.execute(
            sql: """
                DROP TABLE former_exposure;
                DROP TABLE former_variant;
                DROP TABLE former_experiment;
                DROP TABLE event;
                """)
    }
}
