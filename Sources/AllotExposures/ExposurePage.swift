import AllotConfiguration
import GRDB

/// Exposures that follow one another in an export, as CSV.
struct ExposurePage: Sendable {
    /// The place of an exposure in the order of an export.
    struct Key: Sendable {
        let at: Int64
        let unit: String
        let experiment: Int64
        let variant: Int64

        /// Before all exposures.
        static let first = Key(at: .min, unit: "", experiment: 0, variant: 0)
    }

    private(set) var bytes: [UInt8] = []
    /// The place of the last exposure; `nil` if the page is empty.
    private(set) var last: Key?

    private static let rowLimit = 4000
    /// A page ends with the first row that goes beyond this.
    private static let byteLimit = 256 * 1024

    static func read(_ database: Database, after key: Key, experiment: String?) throws -> Self {
        var page = Self()
        let rows: RowCursor
        if let experiment {
            // The number is looked up first, so that the query uses the table's own order, which is that of the export.
            guard let number = try number(of: experiment, database) else { return page }
            rows = try Row.fetchCursor(
                database.cachedStatement(sql: ofExperiment),
                arguments: [key.at, key.unit, key.variant, rowLimit, number])
        } else {
            rows = try Row.fetchCursor(
                database.cachedStatement(sql: ofAll),
                arguments: [key.at, key.unit, key.variant, rowLimit, key.experiment])
        }
        while page.bytes.count < byteLimit, let row = try rows.next() { page.append(row) }
        return page
    }

    /// The number that stands for an experiment. Returns `nil` if no exposure to it is stored.
    static func number(of experiment: String, _ database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM experiment WHERE key = ?"), arguments: [experiment])
    }

    private static let columns = """
        SELECT unit, (SELECT key FROM variant WHERE variant.id = exposure.variant),
            (SELECT key FROM experiment WHERE experiment.id = exposure.experiment), at, attributes,
            exposure.experiment, exposure.variant
        """

    private static let ofExperiment = """
        \(columns) FROM exposure
        WHERE experiment = ?5 AND (at, unit, variant) > (?1, ?2, ?3)
        ORDER BY at, unit, variant LIMIT ?4
        """

    private static let ofAll = """
        \(columns) FROM exposure INDEXED BY exposure_time
        WHERE (at, unit, experiment, variant) > (?1, ?2, ?5, ?3)
        ORDER BY at, unit, experiment, variant LIMIT ?4
        """

    private mutating func append(_ row: Row) {
        let unit: String = row[0]
        let at: Int64 = row[3]
        let fields: [String] = [unit, row[1], row[2], Instant(milliseconds: at).text(.milliseconds), row[4] ?? ""]
        for (index, field) in fields.enumerated() {
            bytes.appendCSVField(field)
            bytes.append(UInt8(ascii: index < fields.count - 1 ? "," : "\n"))
        }
        last = Key(at: at, unit: unit, experiment: row[5], variant: row[6])
    }
}
