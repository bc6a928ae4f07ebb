import AllotConfiguration

/// Columns of text under each other, two spaces apart. Characters that would break lines are escaped.
package struct TextTable {
    private var rows: [[String]] = []
    private let numberColumns: Set<Int>?

    /// A table of rows with the same number of cells; numbers are aligned at the right.
    ///
    /// - Parameter numberColumns: all columns but the first, unless they are given.
    package init(_ rows: [[String]], numberColumns: Set<Int>? = nil) {
        self.numberColumns = numberColumns
        for row in rows { append(row) }
    }

    package mutating func append(_ cells: [String]) {
        rows.append(cells.map { PrintableText($0).description })
    }

    /// One line for each row, indented. Empty columns take no room.
    package func lines(indent: Int = 4) -> [String] {
        let columns = rows.first?.indices ?? 0..<0
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let shown = columns.filter { widths[$0] > 0 }
        return rows.map { row in
            let cells = shown.map { column in
                numberColumns?.contains(column) ?? (column > 0)
                    ? row[column].leftPadded(to: widths[column]) : row[column].rightPadded(to: widths[column])
            }
            let line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
