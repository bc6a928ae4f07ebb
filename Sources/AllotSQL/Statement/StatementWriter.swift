import AllotConfiguration
import AllotCore

struct StatementWriter {
    private let statement: WarehouseStatement
    private let source: SourceColumns
    private var problems: [String] = []

    let plan: Plan
    let syntax: any SQLSyntax
    var columns: Columns

    private(set) var decisions: [Int: DecisionSteps] = [:]
    private(set) var variantColumns: [Int: String] = [:]
    private(set) var required: Set<Int> = []

    init(_ statement: WarehouseStatement, _ plan: Plan) {
        self.statement = statement
        self.plan = plan
        syntax = statement.dialect.syntax
        source = SourceColumns(syntax: syntax, columns: statement.columns)
        columns = Columns(syntax: syntax, source: source)
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

    private var shown: [Int] { statement.shown(of: plan) }
    private var isFunction: Bool { statement.creation?.kind == .function }

    /// The longest chain of requirements. Each requirement nests another sub-query.
    private static let deepestRequirement = 20

    // MARK: Composition

    private mutating func compose() throws(Unsupported) -> String {
        let shown = shown
        try checkGivenNames()
        guard !shown.isEmpty || statement.layout == .wide else {
            throw Unsupported("the definitions have no experiment, so that no rows can be long; use the wide layout")
        }
        try checkNames(shown)
        // Several engines would replace the table, and with it all its columns.
        if let creation = statement.creation, !isFunction || syntax.functionsAreViews,
            try TableName.canBeSame(creation.name, statement.table, syntax)
        {
            throw Unsupported(
                "the \(creation.kind.rawValue) \(creation.name) would take the place of the table "
                    + "\(statement.table); give it another name, or write the schemas of both if they differ")
        }
        if isFunction, statement.layout == .wide {
            throw Unsupported("a function returns the long layout; use that layout")
        }
        if let column = statement.instantColumn {
            guard !isFunction else {
                throw Unsupported(
                    "the parameters of a function are text, not instants; leave out the column, or create a view")
            }
            if !shown.isEmpty { try columns.takeInstants(from: column) }
        }
        let order = plan.order(of: shown)
        decide(order)
        try checkReadNames(shown)
        // The same cause in two experiments is reported twice, because each of them must be fixed.
        guard problems.isEmpty else { return "" }

        let stages = columns.steps + (try requiredStages(levels(order)))
        let body =
            switch (statement.layout, syntax.longForm) {
            case (.wide, _): try wide(stages, shown)
            case (.long, .columns(let write)): try longFromColumns(stages, shown, write: write)
            case (.long, .outcomes(let list, let write)): try longFromOutcomes(stages, shown, list: list, write: write)
            }
        return try finished(body)
    }

    private mutating func decide(_ order: [Int]) {
        required = Set(order.flatMap(plan.required(by:)))
        for index in order where required.contains(index) { variantColumns[index] = variantColumn(of: index) }
        var writer = DecisionWriter(
            plan: plan, instant: statement.commonInstant, time: columns.instant ?? syntax.clock, syntax: syntax,
            variantColumns: variantColumns)
        for index in order { decisions[index] = writer.steps(of: index, &columns) }
        problems += writer.problems
    }

    mutating func variantColumn(of index: Int) -> String { columns.name("variant_", plan.experiments[index].key) }

    /// Checks the names of tables and columns that the caller gives, so that what is wrong with one says which it is.
    private func checkGivenNames() throws(Unsupported) {
        let hasTable = !isFunction || syntax.functionsAreViews
        let names: [(place: String, name: String?, isColumn: Bool)] =
            [
                ("the table", hasTable ? statement.table : nil, false),
                ("the name to create", statement.creation?.name, false),
                ("the column of instants", statement.instantColumn, true),
            ] + statement.columns.map { ("the column of \($0.attribute)", $0.column, true) }
        for case (let place, let name?, let isColumn) in names {
            do throws(Unsupported) {
                _ = try isColumn ? TableName.quoted(column: name, syntax) : TableName.quoted(name, syntax)
            } catch {
                throw Unsupported("\(place): \(error.reason)")
            }
        }
    }

    private mutating func checkNames(_ shown: [Int]) throws(Unsupported) {
        guard statement.layout == .wide else { return }
        var seen: [String: String] = [:]
        for index in shown {
            let key = plan.experiments[index].key
            if InternalNames.isReserved(key) {
                problems.append("\(key): names with the prefix allot_ are reserved; use the long layout")
            }
            if let fault = syntax.fault(ofColumnName: key) {
                problems.append("\(key): \(fault); use the long layout, or choose other experiments")
            }
            let name = syntax.compared(name: key)
            // A query may return both, but whatever reads its result by name gets one of them, or one renamed.
            if let other = seen.updateValue(key, forKey: name) {
                problems.append(
                    "\(other) and \(key) are the same column name in \(syntax.title); use the long layout, or choose "
                        + "other experiments")
            }
        }
    }

    /// Refuses experiments with the names of columns that the statement reads, which are columns of the table too.
    private mutating func checkReadNames(_ shown: [Int]) throws(Unsupported) {
        guard statement.layout == .wide else { return }
        var read: Set<UTF8Key> = []
        for attribute in columns.attributes {
            if let name = try source.name(of: attribute) { read.insert(UTF8Key(syntax.compared(name: name))) }
        }
        if let column = statement.instantColumn {
            read.insert(UTF8Key(syntax.compared(name: try TableName.quoted(column: column, syntax))))
        }
        for index in shown {
            let key = plan.experiments[index].key
            guard let name = try? syntax.quoted(name: key), read.contains(UTF8Key(syntax.compared(name: name))) else {
                continue
            }
            problems.append(
                "\(key): the table has a column of that name, which the statement reads; use the long layout, or "
                    + "choose other experiments")
        }
    }

    /// The experiments by the length of the longest chain of requirements before them.
    private func levels(_ order: [Int]) throws(Unsupported) -> [[Int]] {
        var level: [Int: Int] = [:]
        var levels: [[Int]] = []
        for index in order {
            let own = (plan.required(by: index).compactMap { level[$0] }.max() ?? -1) + 1
            level[index] = own
            if levels.count == own { levels.append([]) }
            levels[own].append(index)
        }
        guard levels.count - 1 <= Self.deepestRequirement else {
            let last = levels[levels.count - 1].map { plan.experiments[$0].key }.joined(separator: ", ")
            throw Unsupported(
                "\(last): it depends on a chain of \(levels.count - 1) requirements, and engines reject statements "
                    + "that are nested so deeply (at most \(Self.deepestRequirement) are supported); choose other "
                    + "experiments")
        }
        return levels
    }

    private func requiredStages(_ levels: [[Int]]) throws(Unsupported) -> [Stage] {
        var stages: [Stage] = []
        for (level, indices) in levels.enumerated() {
            let writer = DecisionText(syntax: syntax, indent: "    ", columns: Self.columns(of: columns.steps + stages))
            var stage = Stage(name: "allot_required_\(level + 1)", comment: "Variants that other experiments require.")
            for index in indices where required.contains(index) {
                guard let column = variantColumns[index], let steps = decisions[index] else { continue }
                stage.add(column, try writer.variant(steps))
            }
            stages.append(stage)
        }
        return stages.filter { !$0.columns.isEmpty }
    }

    private func wide(_ stages: [Stage], _ shown: [Int]) throws(Unsupported) -> String {
        let writer = DecisionText(syntax: syntax, indent: "  ", columns: Self.columns(of: stages))
        var expressions: [String] = []
        for index in shown {
            guard let steps = decisions[index] else { continue }
            var expression = variantColumns[index] ?? ""
            if expression.isEmpty { expression = try writer.variant(steps) }
            expressions.append(expression)
        }
        expressions = SelectPieces(syntax: syntax, earlier: Self.columns(of: stages)).applied(to: expressions)
        var lines: [String] = []
        for (index, expression) in zip(shown, expressions) {
            let experiment = plan.experiments[index]
            lines.append(
                "  -- \(experiment.key), revision \(experiment.revision)\n"
                    + "  \(expression) AS \(try syntax.quoted(name: experiment.key))")
        }
        let staged = StageText(syntax: syntax, source: try from(), stages: stages, passesRow: true)
        let list = ["  \(staged.row)"] + lines
        return staged.text(wrapping: { "SELECT\n\(list.joined(separator: ",\n"))\(staged.exception)\nFROM \($0)" })
    }

    static func columns(of stages: [Stage]) -> [String] { stages.flatMap { $0.columns.map(\.name) } }

    // MARK: Around the query

    /// The operand of `FROM`: the table, or one row of a function's parameters.
    func from() throws(Unsupported) -> String {
        guard let creation = statement.creation, isFunction else {
            let table = try TableName.quoted(statement.table, syntax)
            guard statement.layout == .long, let column = statement.instantColumn else {
                return "\(table) AS \(SourceColumns.alias)"
            }
            let instant = try source.column(named: column)
            let query = "SELECT * FROM \(table) AS \(SourceColumns.alias) WHERE \(instant) IS NOT NULL"
            return "(\(query)) AS \(SourceColumns.alias)"
        }
        let function = try TableName.quoted(last: creation.name, syntax)
        var list: [String] = []
        for (position, parameter) in try parameters().enumerated() {
            let value = try syntax.parameter(parameter, position: position + 1, of: function)
            list.append("\(value) AS \(parameter)")
        }
        // A function of everyone has no parameter.
        if list.isEmpty { list.append("1 AS allot_everyone") }
        return "(SELECT \(list.joined(separator: ", "))) AS \(SourceColumns.alias)"
    }

    /// The quoted names of the columns that decisions use, in the order of the attributes.
    private func parameters() throws(Unsupported) -> [String] {
        var names: [String] = []
        for attribute in columns.attributes.sorted(by: UTF8Order.precedes) {
            guard let name = try source.name(of: attribute), !names.contains(where: { UTF8Order.areEqual($0, name) })
            else { continue }
            names.append(name)
        }
        return names
    }

    private func finished(_ body: String) throws(Unsupported) -> String {
        guard let creation = statement.creation else {
            // Without a semicolon, so that it can be a part of other statements.
            return try header(of: body) + body + "\n"
        }
        let query = try syntax.creation(
            creation.kind, of: try TableName.quoted(creation.name, syntax), parameters: try parameters(), query: body,
            layout: statement.layout)
        return try header(of: query) + query + ";\n"
    }

    private func header(of query: String) throws(Unsupported) -> String {
        var lines = [
            "Written by \"allot sql\" for \(syntax.title): the variants of the experiments of revision "
                + "\(plan.revision)."
        ]
        if shown.isEmpty { lines.append("None of them can assign a variant, so it adds no column to the rows.") }
        lines += hashLines
        lines += try columnLines()
        if let column = statement.instantColumn {
            lines.append(
                "The instant of evaluation is that of each row in \(try source.column(named: column)), which has the "
                    + "type \(syntax.instantType).")
        } else {
            lines.append(
                statement.instant.map { "The instant of evaluation is \($0)." }
                    ?? "The instant of evaluation is that of the engine's clock when the \(syntax.clockUnit) begins.")
        }
        lines.append(
            syntax.testedVersion.map { "Proved equal to Allot's own decisions on \(syntax.title) \($0)." }
                ?? "From the documentation of \(syntax.title), not proved on the engine: compare some rows with "
                + "\"allot assign\".")
        lines += syntax.notes(onStatementOf: query.utf8.count, experiments: shown.count)
        let functions = columns.foreignHashes.compactMap { ForeignNumber(hash: $0, syntax: syntax).function }
        lines += Set(functions.compactMap(syntax.note(on:))).sorted()
        return lines.map { "-- \($0)\n" }.joined()
    }

    private func columnLines() throws(Unsupported) -> [String] {
        if let creation = statement.creation, isFunction {
            return syntax.callNotes(on: try TableName.quoted(creation.name, syntax), parameters: try parameters())
        }
        var lines: [String] = []
        for attribute in columns.attributes {
            guard let name = try source.name(of: attribute) else { continue }
            let uses = columns.uses(of: attribute)
            let list = ColumnUse.allCases.filter(uses.contains).map(\.rawValue).joined(separator: ", ")
            lines.append("  \(name): \(list.isEmpty ? "whether it is empty" : list)")
        }
        let table = try TableName.quoted(statement.table, syntax)
        return lines.isEmpty
            ? ["The statement reads no column of \(table)."]
            : ["The statement reads these columns of \(table):"] + lines
    }

    private var hashLines: [String] {
        let foreign = Set(columns.foreignHashes.map(\.scheme.rawValue)).sorted()
        let others = "the hashes of other systems: \(foreign.joined(separator: ", "))"
        let own = "\(Bucketing.hashVersion): SHA-256 of salt, \":\" and ID, both as UTF-8"
        guard columns.usesOwnHash else { return foreign.isEmpty ? [] : ["Unit IDs are hashed with \(others)."] }
        return ["Unit IDs are hashed as \(own)."]
            + (columns.usesWindows ? ["With a period, \"@\" and the number of the window follow the ID."] : [])
            + (foreign.isEmpty ? [] : ["Some are hashed with \(others)."])
    }
}
