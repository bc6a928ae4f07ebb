import Allot
import AllotConfiguration

/// Writes one statement.
struct StatementWriter {
    private let statement: WarehouseStatement
    private let plan: Plan
    private let syntax: any SQLSyntax
    private let columnNames: SourceColumns
    private var problems: [String] = []

    init(_ statement: WarehouseStatement, _ plan: Plan) {
        self.statement = statement
        self.plan = plan
        syntax = statement.dialect.syntax
        columnNames = SourceColumns(syntax: syntax, columns: statement.columns)
    }

    mutating func text() throws(SQLTranslationError) -> String {
        var result = ""
        do {
            result = try compose()
        } catch {
            problems.append(error.reason)
        }
        guard problems.isEmpty else { throw SQLTranslationError(problems: problems) }
        return result
    }

    // MARK: What is asked for

    /// The experiments that were asked for and are shown.
    private var shown: [Int] {
        let selected = statement.selection.map { Set($0).sorted() } ?? Array(plan.experiments.indices)
        return statement.layout == .long ? selected : selected.filter(canAssign)
    }

    private func canAssign(_ index: Int) -> Bool {
        let experiment = plan.experiments[index]
        if let instant = statement.instant { return experiment.canAssign(at: instant) }
        // The instant says nothing about the others.
        return experiment.status == .running || experiment.canAssign(at: Instant(seconds: 0))
    }

    private var isFunction: Bool { statement.creation?.kind == .function }

    /// Each further requirement of a requirement is a sub-query around the others.
    private static let deepestRequirement = 20

    // MARK: Composition

    private mutating func compose() throws(Unsupported) -> String {
        let shown = shown
        guard !shown.isEmpty else {
            throw Unsupported(
                plan.experiments.isEmpty
                    ? "the definitions hold no experiment"
                    : "no experiment can assign anybody; --layout long tells why, for each row")
        }
        try checkNames(shown)
        var creationName: String?
        if let creation = statement.creation { creationName = try TableName.quoted(creation.name, syntax) }
        if isFunction, statement.layout == .wide {
            throw Unsupported("a function returns the long layout; give --layout long")
        }

        var columns = Columns(syntax, source: columnNames)
        let order = plan.order(of: shown)
        let requiredExperiments = Set(order.flatMap(plan.required(by:)))
        var variantColumns: [Int: String] = [:]
        for index in order where requiredExperiments.contains(index) || statement.layout == .long {
            variantColumns[index] = columns.name("variant_", plan.experiments[index].key)
        }
        var writer = DecisionWriter(plan, at: statement.instant, syntax, variantColumns: variantColumns)
        var decisions: [Int: DecisionSteps] = [:]
        for index in order { decisions[index] = writer.steps(of: index, &columns) }
        problems += writer.problems
        // The same cause in two experiments is told twice, as it has to be mended twice.
        guard problems.isEmpty else { return "" }

        let levels = levels(order)
        guard levels.count - 1 <= Self.deepestRequirement else {
            let last = levels[levels.count - 1].map { plan.experiments[$0].key }.joined(separator: ", ")
            throw Unsupported(
                "\(last): it stands behind a chain of \(levels.count - 1) requirements, and engines give up on "
                    + "statements nested so deep (\(Self.deepestRequirement) are tried); choose others with --experiment"
            )
        }
        let required = try requiredStages(levels, decisions, variantColumns, requiredExperiments)
        let body: String
        switch statement.layout {
        case .wide:
            body = try wide(columns, columns.stages.used + required, shown, decisions, variantColumns)
        case .long:
            var reasonColumns: [Int: String] = [:]
            for index in shown { reasonColumns[index] = columns.name("reason_", plan.experiments[index].key) }
            let stages = try longStages(shown, decisions, variantColumns, reasonColumns, requiredExperiments)
            let rows = try longRows(shown, decisions, variantColumns, reasonColumns, &columns)
            body = try long(columns, columns.stages.used + required + stages, rows)
        }
        return try finished(body, columns, creationName)
    }

    private mutating func checkNames(_ shown: [Int]) throws(Unsupported) {
        guard statement.layout == .wide else { return }
        var seen: [String: String] = [:]
        for index in shown {
            let key = plan.experiments[index].key
            if InternalNames.isReserved(key) {
                problems.append("\(key): names that begin with allot_ are the statement's own; use --layout long")
            }
            if let fault = syntax.fault(ofColumnName: key) {
                problems.append("\(key): \(fault); use --layout long, or choose with --experiment")
            }
            let name = syntax.ignoresCaseOfNames ? key.lowercasedASCII : key
            // A result may have two columns of one name; a table or a view may not.
            if let other = seen.updateValue(key, forKey: name), statement.creation != nil {
                problems.append(
                    "\(other) and \(key) are one column's name in \(syntax.title); use --layout long, or choose with "
                        + "--experiment")
            }
        }
    }

    /// The experiments by how many others must be decided before.
    private func levels(_ order: [Int]) -> [[Int]] {
        var level: [Int: Int] = [:]
        var levels: [[Int]] = []
        for index in order {
            let own = (plan.required(by: index).compactMap { level[$0] }.max() ?? -1) + 1
            level[index] = own
            if levels.count == own { levels.append([]) }
            levels[own].append(index)
        }
        return levels
    }

    /// The decisions that others require, level by level.
    private func requiredStages(
        _ levels: [[Int]], _ decisions: [Int: DecisionSteps], _ variantColumns: [Int: String], _ required: Set<Int>
    ) throws(Unsupported) -> [Stage] {
        var stages: [Stage] = []
        let writer = DecisionText(syntax: syntax, indent: "    ")
        for (level, indices) in levels.enumerated() {
            var stage = Stage("allot_required_\(level + 1)", "Variants that other experiments require.")
            for index in indices where required.contains(index) {
                guard let column = variantColumns[index], let steps = decisions[index] else { continue }
                stage.add(column, try writer.variant(steps))
            }
            if !stage.columns.isEmpty { stages.append(stage) }
        }
        return stages
    }

    // MARK: Wide

    private func wide(
        _ columns: Columns, _ stages: [Stage], _ shown: [Int], _ decisions: [Int: DecisionSteps],
        _ variantColumns: [Int: String]
    ) throws(Unsupported) -> String {
        let writer = DecisionText(syntax: syntax, indent: "  ")
        var lines: [String] = []
        for index in shown {
            guard let steps = decisions[index] else { continue }
            let experiment = plan.experiments[index]
            var expression = variantColumns[index] ?? ""
            if expression.isEmpty { expression = try writer.variant(steps) }
            lines.append(
                "  -- \(experiment.key), revision \(experiment.revision)\n"
                    + "  \(expression) AS \(try syntax.quoted(name: experiment.key))")
        }
        let staged = StageText(syntax: syntax, source: try source(columns), stages: stages, passesRow: true)
        return staged.text(selecting: "SELECT\n  \(staged.row),\n\(lines.joined(separator: ",\n"))\(staged.exception)")
    }

    // MARK: Long

    /// The reasons, and with them the variants that are not known yet.
    private func longStages(
        _ order: [Int], _ decisions: [Int: DecisionSteps], _ variantColumns: [Int: String],
        _ reasonColumns: [Int: String], _ required: Set<Int>
    ) throws(Unsupported) -> [Stage] {
        var reasons = Stage("allot_reasons", "The first check that applies gives the reason.")
        var variants = Stage("allot_variants", "The variants that are held.")
        let writer = DecisionText(syntax: syntax, indent: "    ")
        for index in order {
            guard let reason = reasonColumns[index], let variant = variantColumns[index], let steps = decisions[index]
            else { continue }
            reasons.add(reason, try writer.reason(steps))
            if !required.contains(index) { variants.add(variant, try writer.variant(steps, reason: reason)) }
        }
        return [reasons, variants].filter { !$0.columns.isEmpty }
    }

    private func longRows(
        _ shown: [Int], _ decisions: [Int: DecisionSteps], _ variantColumns: [Int: String],
        _ reasonColumns: [Int: String], _ columns: inout Columns
    ) throws(Unsupported) -> [LongRows.Row] {
        let writer = DecisionText(syntax: syntax, indent: "")
        var rows: [LongRows.Row] = []
        for index in shown {
            guard let reason = reasonColumns[index], let variant = variantColumns[index], let steps = decisions[index]
            else { continue }
            let experiment = plan.experiments[index]
            rows.append(
                LongRows.Row(
                    experiment: try syntax.literal(experiment.key), unit: try columns.text(experiment.unit),
                    variant: variant, reason: reason, bucket: writer.bucket(steps, reason: reason),
                    revision: try syntax.literal(experiment.revision)))
        }
        return rows
    }

    private func long(_ columns: Columns, _ stages: [Stage], _ rows: [LongRows.Row]) throws(Unsupported) -> String {
        let staged = StageText(syntax: syntax, source: try source(columns), stages: stages, passesRow: false)
        return staged.text(wrapping: { syntax.long(LongRows(rows: rows, source: $0)) })
    }

    // MARK: Around the query

    /// What follows `FROM`: the table, or one row of a function's parameters.
    private func source(_ columns: Columns) throws(Unsupported) -> String {
        guard let creation = statement.creation, creation.kind == .function else {
            return "\(try TableName.quoted(statement.table, syntax)) AS \(SourceColumns.alias)"
        }
        let function = try TableName.quoted(last: creation.name, syntax)
        var list: [String] = []
        for (position, parameter) in try parameters(columns).enumerated() {
            let value = try syntax.parameter(parameter, position: position + 1, of: function)
            list.append("\(value) AS \(parameter)")
        }
        return "(SELECT \(list.joined(separator: ", "))) AS \(SourceColumns.alias)"
    }

    /// The quoted names of the columns that decisions look at, unit IDs among them.
    private func parameters(_ columns: Columns) throws(Unsupported) -> [String] {
        var names: [String] = []
        for attribute in columns.attributes {
            guard let name = try columnNames.name(of: attribute),
                !names.contains(where: { UTF8Order.areEqual($0, name) })
            else { continue }
            names.append(name)
        }
        return names
    }

    private func finished(_ body: String, _ columns: Columns, _ creationName: String?) throws(Unsupported) -> String {
        var query = body
        if let settings = syntax.settings(readsNumbers: columns.readsNumbers) { query += "\n" + settings }
        if let creation = statement.creation, let name = creationName {
            query = try syntax.creation(
                creation.kind, of: name, parameters: try parameters(columns), query: query)
        }
        return header(of: query) + query + ";\n"
    }

    private func header(of query: String) -> String {
        var lines = [
            "Written by \"allot sql\" for \(syntax.title): the variants of the experiments of revision \(plan.revision).",
            "Unit IDs are hashed as \(Bucketing.hashVersion): SHA-256 of salt, \":\" and ID, both as UTF-8.",
            statement.instant.map { "The instant of evaluation is \($0)." }
                ?? "The instant of evaluation is that of the engine's clock when the statement runs.",
        ]
        lines.append(
            syntax.testedVersion.map { "Proved equal to Allot's own decisions on \(syntax.title) \($0)." }
                ?? "From the documentation of \(syntax.title), not proved on the engine: compare some rows with \"allot assign\"."
        )
        if let note = syntax.note(onStatementOf: query.utf8.count, experiments: shown.count) { lines.append(note) }
        return lines.map { "-- \($0)\n" }.joined()
    }
}
