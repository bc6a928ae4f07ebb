internal import AllotConfiguration
import GRDB

/// The migration of stores in forms that former versions wrote.
enum SQLiteFormerForms {
    /// The names of the steps to them: before salts were, with numbers for texts, with notes, and before windows were.
    static let names: Set<String> = ["1 exposures", "2 randomisations", "3 unconfirmed", withoutWindows]
    private static let withoutWindows = "4 cohorts of randomisations"

    /// Brings a store, to which some steps were applied, to the present form.
    static func migrate(_ database: Database, from former: Set<String>) throws {
        guard !former.contains(withoutWindows) else { return try addWindows(database) }
        guard former.contains("2 randomisations") else { return try migrateKeys(database) }
        try database.execute(
            sql: """
                DROP INDEX cohort_content;
                DROP INDEX exposure_identity;
                DROP INDEX exposure_event;
                DROP INDEX exposure_time;
                ALTER TABLE cohort RENAME TO former_cohort;
                ALTER TABLE exposure RENAME TO former_exposure;
                """)
        if former.contains("3 unconfirmed") {
            try database.execute(sql: "ALTER TABLE unconfirmed RENAME TO former_unconfirmed")
        }
        try database.execute(sql: "\(SQLiteSchema.tables); \(rows)")
        if former.contains("3 unconfirmed") { try database.execute(sql: notes) }
        try database.execute(sql: "\(SQLiteSchema.indexes); \(numberedTables)")
    }

    private static func addWindows(_ database: Database) throws {
        try database.execute(
            sql: """
                DROP INDEX exposure_identity;
                ALTER TABLE exposure ADD COLUMN window_number INTEGER NOT NULL DEFAULT -1;
                \(SQLiteSchema.identity);
                """)
    }

    /// Takes over exposures, whose texts were numbered, and adds up their cohorts. A text that is missing, or the
    /// number of an exposure whose cohort is of another randomisation, is NULL, which ends the migration.
    private static let rows = """
        UPDATE store SET cursor = (SELECT value FROM last WHERE name = 'exposure');
        INSERT INTO exposure (
            cursor, cohort, randomisation, unit, variant, at, received_at, doubt, reported_at, event, attributes)
        SELECT cursor, cohort,
            CASE former_exposure.randomisation WHEN former_cohort.randomisation THEN 2 * former_cohort.randomisation END
                + counted,
            unit, key, at, received_at,
            CASE doubt WHEN 1 THEN 'before-start' WHEN 2 THEN 'too-old' END, reported_at, event, attributes
        FROM former_exposure
            LEFT JOIN former_cohort ON former_cohort.id = former_exposure.cohort
            LEFT JOIN variant ON variant.id = former_exposure.variant
        ORDER BY cursor;
        INSERT INTO cohort (
            id, randomisation, experiment, salt, variant, revision, reason, override, counted, units, received_at)
        SELECT sums.cohort, 2 * randomisation.id + counted, experiment, salt, key, revision, reason, override, counted,
            sums.units, received
        FROM (
                SELECT cohort, max(counted) AS counted, count(*) AS units, max(received_at) AS received
                FROM former_exposure GROUP BY cohort) AS sums
            LEFT JOIN former_cohort ON former_cohort.id = sums.cohort
            LEFT JOIN randomisation ON randomisation.id = former_cohort.randomisation
            LEFT JOIN variant ON variant.id = former_cohort.variant
        """

    private static let notes = """
        INSERT INTO unconfirmed (experiment, salt, variant, revision)
        SELECT experiment, salt, key, revision
        FROM former_unconfirmed
            LEFT JOIN randomisation ON randomisation.id = former_unconfirmed.randomisation
            LEFT JOIN variant ON variant.id = former_unconfirmed.variant;
        DROP TABLE former_unconfirmed
        """

    private static let numberedTables = """
        DROP TABLE block;
        DROP TABLE former_exposure;
        DROP TABLE former_cohort;
        DROP TABLE variant;
        DROP TABLE randomisation;
        DROP TABLE last
        """

    // MARK: Before salts

    /// Stores all rows of the first form as ``SQLiteWriter`` does, in the order of experiments and times.
    ///
    /// - The salt is the experiment's key, the default: nothing says which it was.
    /// - Revision, reason and override are moved out of the attributes, where clients put them.
    /// - An exposure was received at its time, as far as is known.
    /// - Event IDs are not kept, because nothing says of which rows they were. An event that is sent again has the
    ///   identity of its row, and changes nothing either.
    private static func migrateKeys(_ database: Database) throws {
        try database.execute(
            sql: """
                DROP INDEX exposure_unit;
                DROP INDEX exposure_time;
                ALTER TABLE exposure RENAME TO former_exposure;
                \(SQLiteSchema.tables);
                \(SQLiteSchema.indexes);
                """)
        var writer = try SQLiteWriter(database)
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT unit, experiment.key, variant.key, at, attributes
                FROM former_exposure
                    JOIN experiment ON experiment.id = former_exposure.experiment
                    JOIN variant ON variant.id = former_exposure.variant
                ORDER BY former_exposure.experiment, at, unit, former_exposure.variant
                """)
        while let row = try rows.next() {
            let key = try row.decode(String.self, atIndex: 1)
            var exposure = Exposure(
                unit: try row.decode(atIndex: 0), experiment: key, salt: key, variant: try row.decode(atIndex: 2),
                at: try row.decode(atIndex: 3))
            if let text = try row.decode(String?.self, atIndex: 4) { takeAttributes(text, into: &exposure) }
            _ = try writer.insert(exposure)
        }
        try writer.finish()
        try database.execute(
            sql: "DROP TABLE former_exposure; DROP TABLE variant; DROP TABLE experiment; DROP TABLE event")
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
}
