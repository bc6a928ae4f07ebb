import AllotBatch
import AllotConfiguration
import AllotCore

/// The columns of a unit ID: one, or those of the parts that are joined to it.
struct UnitColumns: Sendable {
    let columns: [Int]

    /// The columns of a unit; that of one attribute may have another name than the unit.
    init(
        of unit: String, in header: CSVHeader, _ file: String, column: String? = nil, for purpose: String? = nil
    ) throws {
        let parts = CompositeUnit.parts(of: unit)
        if let column, parts.count > 1 {
            throw AnalysisError(
                "a unit of \(parts.listed(atMost: 8)) has a column for each of them, with their names; leave out the "
                    + "column of the unit IDs, \(QuotedText(column))")
        }
        columns = try parts.map { try header.index(of: column ?? $0, in: file, for: purpose) }
    }

    init(_ columns: [Int]) { self.columns = columns }

    /// The ID of the current row. Returns `nil` if it is not valid, or a part of it; short parts can make a long ID.
    func id(of rows: borrowing CSVRows) -> [UInt8]? {
        for column in columns where !UnitID.isValidLength(rows[column].count) { return nil }
        var id: [UInt8] = []
        append(rows, to: &id)
        return UnitID.isValidLength(id.count) ? id : nil
    }

    /// Appends the ID of the current row, valid or not; nothing if a part is empty.
    func append(_ rows: borrowing CSVRows, to id: inout [UInt8]) {
        for column in columns where rows[column].isEmpty { return }
        for (position, column) in columns.enumerated() {
            if columns.count == 1 { return id.append(contentsOf: rows.bytes[rows[column]]) }
            if position > 0 { id.append(CompositeUnit.separator) }
            for byte in rows.bytes[rows[column]] {
                if byte == CompositeUnit.separator || byte == CompositeUnit.escape { id.append(CompositeUnit.escape) }
                id.append(byte)
            }
        }
    }
}
