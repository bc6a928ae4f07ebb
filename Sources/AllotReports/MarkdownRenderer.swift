import AllotConfiguration

/// Writes reports for pull requests, in GitHub's Markdown.
package struct MarkdownRenderer: Sendable {
    // A comment on GitHub can have 65,536 characters.
    private static let sectionsShown = 25
    /// The number of lines of a list and of rows of a table; the others are counted.
    private let linesShown: Int

    package static func lines(_ report: Report) -> [String] {
        let verdict = ["### \(report.isGood ? "✅" : "⚠️") \(MarkdownText(line: report.verdict))"]
        let renderer = Self(linesShown: report.isRecord ? .max : 20)
        let body = renderer.blocks(report.lead + report.blocks, level: 4)
        var lines = report.verdict.isEmpty ? Array(body.dropFirst()) : verdict + body
        if let source = report.source { lines += ["", "<sub>\(source)</sub>"] }
        return lines
    }

    private func blocks(_ blocks: [Report.Block], level: Int) -> [String] {
        var (lines, sections, hidden): ([String], Int, [String]) = ([], 0, [])
        for block in blocks.flatMap(\.onPages) where !block.isEmpty {
            if case .section(let section) = block {
                sections += 1
                if sections > Self.sectionsShown {
                    hidden.append(text(section.name))
                    continue
                }
            }
            lines += [""] + self.lines(block, level: level)
        }
        return hidden.isEmpty ? lines : lines + ["", "Not shown: \(hidden.prefix(200).joined(separator: ", "))"]
    }

    private func lines(_ block: Report.Block, level: Int) -> [String] {
        switch block {
        case .text(let text): return ["\(MarkdownText(line: text))"]
        case .list(let lines): return listed(lines.map { "* \(MarkdownText(line: $0))" })
        // Two spaces end a line within a quotation.
        case .notes(let lines): return listed(lines.map { "> \(MarkdownText(line: $0))  " })
        case .facts(let facts): return facts.filter { !$0.blocks.isEmpty }.flatMap { lines($0) }
        case .table(let table): return lines(table)
        case .code(let lines):
            // A fence is longer than any in the text.
            let longest = lines.map { $0.prefix { $0 == "`" }.count }.max() ?? 0
            let fence = String(repeating: "`", count: max(3, longest + 1))
            return [fence] + lines.map { PrintableText(line: $0).description } + [fence]
        case .section(let section):
            guard !section.name.text.isEmpty else { return Array(blocks(section.blocks, level: level).dropFirst()) }
            let heading = String(repeating: "#", count: min(level, 6))
            let note = section.note.map { ": \(MarkdownText(line: $0))" } ?? ""
            return ["\(heading) \(section.isGood ? "" : "⚠️ ")\(text(section.name))\(note)"]
                + blocks(section.blocks, level: level + 1)
        case .plot(let plot): return ["\(MarkdownText(line: plot.caption))"]
        case .either(_, let page): return blocks(page, level: level)
        }
    }

    /// An item of a list; what follows a list or a table in it is a paragraph of its own.
    private func lines(_ fact: Report.Fact) -> [String] {
        var lines = ["* **\(MarkdownText(line: fact.label))**"]
        var separator: String? = " "
        for block in fact.blocks.flatMap(\.onPages) {
            guard case .text(let text) = block else {
                lines += [""] + self.lines(block, level: 6).map { "  \($0)" }
                separator = nil
                continue
            }
            let sentence = MarkdownText(line: String(text.drop { $0 == " " })).description
            if let separator { lines[lines.count - 1] += separator + sentence } else { lines += ["", "  \(sentence)"] }
            separator = "<br>"
        }
        return lines
    }

    private func lines(_ table: Report.Table) -> [String] {
        func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
        let rows = table.rows.prefix(linesShown).map { row($0.map(text)) }
        let more = table.rows.count - rows.count
        return [
            row(table.columns.map { "\(MarkdownText(line: $0.name))" }),
            row(table.columns.map { $0.isNumber ? "---:" : "---" }),
        ] + rows + (more > 0 ? ["", "and \(counted(more, "more row"))"] : [])
    }

    private func text(_ cell: Report.Cell) -> String {
        if cell.text.isEmpty { return "" }
        let text = cell.isName ? MarkdownText(code: cell.text) : MarkdownText(line: cell.text)
        return cell.isBad ? "**\(text)**" : "\(text)"
    }

    /// The first lines, and the number of further ones.
    private func listed(_ lines: [String]) -> [String] {
        lines.count > linesShown ? lines.prefix(linesShown) + ["* and \(lines.count - linesShown) more"] : lines
    }
}
