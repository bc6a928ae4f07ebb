import AllotConfiguration

package struct TextRenderer: Sendable {
    /// The columns into which long facts are broken.
    package var width: Int
    /// Whether the verdict is green or red.
    package var isColoured: Bool
    private static let labelWidth = 12
    /// The columns of a line that no terminal shows.
    package static let standardWidth = 126

    package init(width: Int = Self.standardWidth, isColoured: Bool = false) {
        self.width = max(40, width)
        self.isColoured = isColoured
    }

    package func lines(_ report: Report) -> [String] {
        let verdict = isColoured ? "\u{1B}[\(report.isGood ? 32 : 31)m\(report.verdict)\u{1B}[0m" : report.verdict
        let body = lines(report.lead) + apart(report.blocks)
        if !report.endsWithVerdict, !report.verdict.isEmpty { return [verdict] + body }
        let end = report.verdict.isEmpty ? [] : report.blocks.isEmpty ? [verdict] : ["", verdict]
        return body.drop(while: \.isEmpty) + end
    }

    /// Blocks without empty lines between them.
    package func lines(_ blocks: [Report.Block], indent: Int = 0) -> [String] {
        blocks.filter { !$0.isEmpty }.flatMap { lines($0, indent: indent) }
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
    }

    /// Blocks with an empty line before each.
    private func apart(_ blocks: [Report.Block]) -> [String] {
        blocks.map { lines([$0]) }.filter { !$0.isEmpty }.flatMap { [""] + $0 }
    }

    private func lines(_ block: Report.Block, indent: Int) -> [String] {
        let space = String(repeating: " ", count: indent)
        // A list, a table and facts stand out from a paragraph, but not from the name that they belong to.
        let inner = indent == 0 ? 4 : indent
        switch block {
        case .text(let text): return [space + PrintableText(line: text).description]
        case .notes(let lines), .either(let lines, _): return lines.map { space + PrintableText(line: $0).description }
        case .list(let lines), .code(let lines):
            return lines.map { String(repeating: " ", count: inner) + PrintableText(line: $0).description }
        case .facts(let facts): return facts.flatMap { self.lines($0, indent: inner) }
        case .table(let table): return lines(table, indent: table.isAtMargin ? indent : inner)
        case .section(let section): return lines(section, indent: indent)
        case .plot: return []
        }
    }

    private func lines(_ section: Report.Section, indent: Int) -> [String] {
        let space = String(repeating: " ", count: indent)
        let note = section.note.map { " (\($0))" } ?? ""
        let name = PrintableText(line: section.name.text).description + note
        switch section.style {
        case .entry where name.isEmpty: return lines(section.blocks, indent: indent)
        case .entry: return [space + name] + lines(section.blocks, indent: indent + 4)
        case .part: return [space + name] + apart(section.blocks)
        case .chapter:
            return [space + name, space + String(repeating: "=", count: name.count)] + apart(section.blocks)
        }
    }

    /// One line for each row, two spaces between columns. Empty columns take no room.
    private func lines(_ table: Report.Table, indent: Int) -> [String] {
        let head = table.showsHead ? [table.columns.map(\.name)] : []
        let rows = (head + table.rows.map { $0.map(\.text) }).map { $0.map { PrintableText($0).description } }
        let columns = table.columns.indices.map { column in
            (isNumber: table.columns[column].isNumber, width: rows.map { $0[column].count }.max() ?? 0)
        }
        return rows.map { row in
            let cells = zip(row, columns).filter { $1.width > 0 }.map { cell, column in
                column.isNumber ? cell.leftPadded(to: column.width) : cell.rightPadded(to: column.width)
            }
            return String(repeating: " ", count: indent) + cells.joined(separator: "  ")
        }
    }

    /// A label with blocks next to it; long sentences are broken between words.
    private func lines(_ fact: Report.Fact, indent: Int) -> [String] {
        let start = max(Self.labelWidth, fact.label.count + 1)
        let room = max(20, width - indent - Self.labelWidth)
        let lines = fact.blocks.flatMap { block -> [String] in
            switch block {
            case .text(let text): Self.broken(text, at: room)
            case .either(let lines, _): lines.flatMap { Self.broken($0, at: room) }
            default: self.lines(block, indent: 2)
            }
        }
        return lines.enumerated().map { index, line in
            String(repeating: " ", count: indent) + (index == 0 ? fact.label : "").rightPadded(to: start) + line
        }
    }

    /// A sentence in lines of a readable length. Indented text belongs to a table and stays as it is.
    private static func broken(_ text: String, at length: Int) -> [String] {
        guard !text.hasPrefix("  "), text.count > length else { return [text] }
        var (lines, line): ([String], String) = ([], "")
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + word.count < length {
                line += " \(word)"
            } else {
                if !line.isEmpty { lines.append(line) }
                line = String(word)
            }
        }
        return lines + [line]
    }
}
