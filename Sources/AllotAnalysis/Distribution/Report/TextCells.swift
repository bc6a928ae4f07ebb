/// Columns of text for a terminal.
enum TextCells {
    /// Text filled up on the right.
    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    /// Text filled up on the left.
    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    /// Rows with their columns made equally wide, indented; the columns in `numbers` are aligned at the right.
    static func table(_ rows: [[String]], numbers: Set<Int>, indent: Int = 4) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, text in
                numbers.contains(column)
                    ? right(text, widths[column]) : column == row.count - 1 ? text : left(text, widths[column])
            }
            return String(repeating: " ", count: indent) + cells.joined(separator: "  ")
        }
    }
}
