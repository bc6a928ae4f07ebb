import AllotConfiguration

/// Columns of text under each other, two spaces apart. Characters that would break lines are escaped.
struct TextTable {
    private var rows: [[String]] = []
    private let rightAligned: Set<Int>?

    /// A table with numbers in some columns.
    init(_ rows: [[String]], rightAligned: Set<Int>) {
        self.rightAligned = rightAligned
        for row in rows { append(row) }
    }

    /// A table with numbers in all columns but the first.
    ///
    /// - Parameter header: the names of the columns.
    init(header: [String]) {
        rightAligned = nil
        append(header)
    }

    /// Adds a row of as many cells as the others have.
    mutating func append(_ cells: [String]) {
        rows.append(cells.map { PrintableText($0).description })
    }

    /// One line for each row. Columns in which nothing stands take no room.
    var lines: [String] {
        let columns = rows.first?.indices ?? 0..<0
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let shown = columns.filter { widths[$0] > 0 }
        return rows.map { row in
            let cells = shown.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return rightAligned?.contains(column) ?? (column > 0) ? padding + row[column] : row[column] + padding
            }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}
