import GRDB

/// Stored exposures as CSV (RFC 4180), piece by piece: `unit,experiment,variant,at,event,attributes`.
///
/// Each piece is read by itself, so that an export of any length neither fills the memory nor holds up the writer. What
/// is stored meanwhile comes at the end.
public struct ExposureExport: AsyncSequence, Sendable {
    let pool: DatabasePool
    let experiment: String?

    /// The exposures of a piece.
    private static let pieceCount = 2000

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pool: pool, experiment: experiment)
    }

    /// Reads one piece after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let pool: DatabasePool
        let experiment: String?
        private var last: Int64 = -1

        init(pool: DatabasePool, experiment: String?) {
            self.pool = pool
            self.experiment = experiment
        }

        public mutating func next() async throws -> [UInt8]? {
            guard last >= 0 else {
                last = 0
                return Array("unit,experiment,variant,at,event,attributes\n".utf8)
            }
            let (start, experiment) = (last, experiment)
            let (piece, end) = try await pool.read { database in
                try Self.piece(database, after: start, experiment: experiment)
            }
            last = end
            return piece.isEmpty ? nil : piece
        }

        /// The exposures behind the one of an ID, and the last one's ID.
        private static func piece(
            _ database: Database, after start: Int64, experiment: String?
        ) throws -> (piece: [UInt8], end: Int64) {
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT exposure.id, unit, experiment, variant, at, event, attributes
                    FROM exposure JOIN arm ON arm.id = exposure.arm
                    WHERE exposure.id > ?1 AND (?2 IS NULL OR experiment = ?2) ORDER BY exposure.id LIMIT ?3
                    """, arguments: [start, experiment, ExposureExport.pieceCount])
            var piece: [UInt8] = []
            var end = start
            while let row = try rows.next() {
                end = row[0]
                let at: Int64 = row[4]
                let event: String? = row[5]
                let attributes: String? = row[6]
                append(row[1], ",", to: &piece)
                append(row[2], ",", to: &piece)
                append(row[3], ",", to: &piece)
                append(TimeText.text(milliseconds: at), ",", to: &piece)
                append(event ?? "", ",", to: &piece)
                append(attributes ?? "", "\n", to: &piece)
            }
            return (piece, end)
        }

        private static let special = Array("\",\r\n".utf8)

        private static func append(_ field: String, _ end: String, to output: inout [UInt8]) {
            let quote = UInt8(ascii: "\"")
            if field.utf8.contains(where: special.contains) {
                output.append(quote)
                for byte in field.utf8 {
                    if byte == quote { output.append(quote) }
                    output.append(byte)
                }
                output.append(quote)
            } else {
                output.append(contentsOf: field.utf8)
            }
            output.append(contentsOf: end.utf8)
        }
    }
}
