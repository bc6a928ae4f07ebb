/// Cross tables of two randomisations, of which all but the last row and column were counted.
enum CrossTable {
    /// The whole table: the last row and column are what is missing to the sums.
    static func full(_ counts: [UInt32], at offset: Int, rows: [Int], columns: [Int]) -> [[Int]] {
        var table: [[Int]] = []
        var rest = columns
        for row in 0..<max(rows.count - 1, 0) {
            var cells = (0..<columns.count - 1).map { Int(counts[offset + row * (columns.count - 1) + $0]) }
            cells.append(rows[row] - cells.reduce(0, +))
            for column in cells.indices { rest[column] -= cells[column] }
            table.append(cells)
        }
        return table + [rest]
    }
}
