struct StageText {
    let syntax: any SQLSyntax
    /// The source of the first stage, with its alias.
    let source: String
    let stages: [Stage]
    let passesRow: Bool

    private static let rowColumn = "allot_row"

    /// The columns of the table, in the list of the last `SELECT`.
    var row: String {
        switch syntax.staging {
        case _ where stages.isEmpty: return "\(SourceColumns.alias).*"
        case .lateral: return "\(SourceColumns.alias).*"
        case .row: return "(\(Self.rowColumn)).*"
        case .star(let except, let isLast): return isLast ? "*" : "* \(leftOut(except))"
        }
    }

    var exception: String {
        if case .star(let except, true) = syntax.staging, !stages.isEmpty { "\n  \(leftOut(except))" } else { "" }
    }

    private func leftOut(_ except: String) -> String {
        let names = stages.flatMap { $0.columns.map(\.name) }
        return "\(except) (\n    \(Self.wrapped(names, indent: "    "))\n  )"
    }

    /// The statement with a last query around what follows its `FROM`.
    func text(wrapping last: (String) -> String) -> String {
        if case .lateral = syntax.staging { return last(laterals) }
        guard let end = stages.last?.name else { return last(source) }
        let query = last(end)
        var previous = source
        var parts: [String] = []
        let passed = passedColumns(query)
        for (index, stage) in stages.enumerated() {
            var columns = stage.lines(syntax, after: stages[..<index].flatMap { $0.columns.map(\.name) })
            if passesRow {
                // Last, so that a later stage finds these columns if the table has columns of the same names.
                columns.append(index > 0 ? "    *" : passedRow)
            } else if !passed[index].isEmpty {
                columns.insert("    " + Self.wrapped(passed[index], indent: "    "), at: 0)
            }
            let fence = if case .row = syntax.staging { "\n  OFFSET 0" } else { "" }
            parts.append(
                "  -- \(stage.comment)\n  \(stage.name) AS (\n  SELECT\n\(columns.joined(separator: ",\n"))\n  FROM "
                    + "\(previous)\(fence)\n  )")
            previous = stage.name
        }
        return "WITH\n\(parts.joined(separator: ",\n"))\n\(query)"
    }

    /// For each stage the columns of earlier stages that later ones mention, since engines limit their number.
    private func passedColumns(_ last: String) -> [[String]] {
        var needed = InternalNames.mentioned(in: last)
        var passed = Array(repeating: [String](), count: stages.count)
        for index in stages.indices.reversed() {
            let earlier = stages[..<index].flatMap { $0.columns.map(\.name) }
            passed[index] = earlier.filter(needed.contains)
            for column in stages[index].columns { needed.formUnion(InternalNames.mentioned(in: column.expression)) }
        }
        return passed
    }

    private var passedRow: String {
        if case .row = syntax.staging {
            "    \(SourceColumns.alias) AS \(Self.rowColumn)"
        } else {
            "    \(SourceColumns.alias).*"
        }
    }

    /// The source joined with the stages, each of them a sub-query of one row.
    private var laterals: String {
        source
            + stages.map { stage in
                "\n-- \(stage.comment)\nCROSS JOIN LATERAL (\n  SELECT\n"
                    + "\(stage.lines(syntax, after: []).joined(separator: ",\n"))\n) AS \(stage.name)"
            }.joined()
    }

    private static func wrapped(_ names: [String], indent: String) -> String {
        var lines: [String] = []
        var line = ""
        for (index, name) in names.enumerated() {
            let item = name + (index < names.count - 1 ? "," : "")
            if !line.isEmpty, line.utf8.count + item.utf8.count + indent.utf8.count > 110 {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? item : " " + item
        }
        return (lines + [line]).joined(separator: "\n\(indent)")
    }
}
