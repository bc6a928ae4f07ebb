/// Columns of text under each other, two spaces apart.
struct TextTable {
    let lines: [String]

    /// - Parameters:
    ///   - rows: cells, as many in each row.
    ///   - rightAligned: the columns of numbers.
    init(_ rows: [[String]], rightAligned: Set<Int> = []) {
        let columns = rows.first?.indices ?? 0..<0
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        // Columns in which nothing stands take no room.
        let shown = columns.filter { widths[$0] > 0 }
        lines = rows.map { row in
            let cells = shown.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return rightAligned.contains(column) ? padding + row[column] : row[column] + padding
            }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}
