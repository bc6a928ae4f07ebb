import AllotBatch
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import CAllot
import Dispatch
import Synchronization

struct TableAssignment: Sendable {
    private enum Layout: String, CaseIterable {
        case wide, long
    }

    let plan: Plan
    let instant: Instant
    let timeColumn: String?
    /// The wide layout; `nil` for the long one.
    let wide: WideLayout?
    let includesAll: Bool
    /// The columns of attributes that have another name there.
    let columns: [String: String]
    let nullWords: NullWords
    let addsReason: Bool
    let addsBucket: Bool
    /// Whether the columns of the input come first, in the wide layout of a stream.
    let includesInput: Bool
    /// Whether texts are written one by one, for readers that do not know dictionaries.
    let writesTexts: Bool
    /// Whether texts are written as codes, for readers to which a text costs much more than a number.
    let writesCodes: Bool
    let threadCount: Int
    /// The experiments that are decided and written, in key order.
    let experiments: [Int]

    init(plan: Plan, options pointer: UnsafePointer<CChar>?) throws {
        var options = try Options(pointer)
        let given = try options.instant()
        timeColumn = try options.text("time_column")
        let layout = try options.choice("layout") ?? Layout.wide
        let selection = try options.selection(of: plan)
        includesAll = try options.flag("all")
        columns = try options.names("columns")
        nullWords = NullWords(try options.texts("null") ?? [])
        (addsReason, addsBucket) = (try options.flag("reason"), try options.flag("bucket"))
        includesInput = try options.flag("input")
        writesCodes = try options.flag("codes")
        // A column that has too many texts for codes is one of texts.
        writesTexts = try options.flag("texts") || writesCodes
        threadCount = try options.threadCount()
        try options.finish()
        if timeColumn != nil, given != nil {
            throw InterfaceError.argument("time_column gives each row its own instant; leave out at")
        }
        if includesInput, layout != .wide { throw InterfaceError.argument("the option input needs the layout wide") }
        if includesAll, layout != .long { throw InterfaceError.argument("the option all needs the layout long") }
        if writesCodes, layout != .wide { throw InterfaceError.argument("the option codes needs the layout wide") }
        if layout == .long, addsReason || addsBucket {
            throw InterfaceError.argument("the layout long always has reason and bucket; leave out these options")
        }
        self.plan = plan
        instant = given ?? .now
        // The rules which experiments get a column are those of CSV files.
        var batch = BatchAssignment(plan: plan, instant: instant)
        batch.selection = selection
        batch.timeColumn = timeColumn
        experiments = includesAll ? batch.selected : batch.wideColumns
        wide =
            layout == .long
            ? nil
            : WideLayout(
                plan, experiments: experiments, addsReason: addsReason, addsBucket: addsBucket, writesCodes: writesCodes
            )
    }

    /// The instant of evaluation if all rows have the same one.
    var commonInstant: Instant? { timeColumn == nil ? instant : nil }
}

extension TableAssignment {
    /// Decides a batch, before which there were `firstRow` rows.
    func assign(
        _ schema: UnsafePointer<ArrowSchema>?, _ array: UnsafePointer<ArrowArray>?, firstRow: Int = 0
    ) throws -> ExportedArray {
        guard let array else { throw InterfaceError.missing("array") }
        let rowCount = try TableColumns(self, schema, array).rows.count
        let parts = parts(of: rowCount)
        let table = Lent(schema: UInt(bitPattern: schema), array: UInt(bitPattern: array))
        if let wide {
            let output = try WideTable(self, wide, rowCount: rowCount)
            try decide(parts, of: table, firstRow: firstRow) { part, group in
                try decide(part, &group) { rows, decisions, group, _ in
                    output.write(rows, decisions, group.decisionPlaces)
                }
            }
            return try output.export()
        }
        let format = LongTable.Format(self, firstRow: firstRow)
        let tables = Mutex<[Int: LongTable]>([:])
        try decide(parts, of: table, firstRow: firstRow) { part, group in
            var output = LongTable()
            try decide(part, &group) { rows, decisions, group, evaluator in
                output.write(rows, decisions, group, evaluator, format)
            }
            let written = output
            tables.withLock { $0[part.lowerBound] = written }
        }
        let written = tables.withLock { tables in parts.compactMap { tables[$0.lowerBound] } }
        var output = written.first ?? LongTable()
        for next in written.dropFirst() { output.append(next) }
        return try output.export(format)
    }

    /// The fewest rows that a thread of its own is worth: to begin takes as long as some hundred rows.
    private static let smallestPart = 4096

    /// The rows that each thread decides: whole words of a bitmap, so that no two write the same byte.
    private func parts(of rowCount: Int) -> [Range<Int>] {
        let size = max((rowCount + threadCount * 64 - 1) / (threadCount * 64) * 64, Self.smallestPart)
        return stride(from: 0, to: rowCount, by: size).map { $0..<min($0 + size, rowCount) }
    }

    /// Decides parts of a batch, each on a thread of its own, and throws the error of the first row that has one.
    private func decide(
        _ parts: [Range<Int>], of table: Lent, firstRow: Int,
        _ body: @Sendable (Range<Int>, inout TableGroup) throws -> Void
    ) throws {
        let failures = Mutex<[Int: InterfaceError]>([:])
        @Sendable func decide(_ index: Int) {
            do {
                var group = TableGroup(self, try table.columns(self), firstRow: firstRow, rowCount: parts[index].count)
                try body(parts[index], &group)
            } catch {
                let failure = InterfaceError(error)
                failures.withLock { $0[index] = failure }
            }
        }
        if parts.count == 1 {
            decide(0)
        } else {
            DispatchQueue.concurrentPerform(iterations: parts.count, execute: decide)
        }
        if let first = failures.withLock({ failures in failures.min { $0.key < $1.key } }) { throw first.value }
    }

    /// Decides rows of the table, and gives `write` those of each group with their decisions.
    private func decide(
        _ rows: Range<Int>, _ group: inout TableGroup,
        _ write: (Range<Int>, Span<Decision>, borrowing TableGroup, borrowing Evaluator) -> Void
    ) throws {
        var evaluator = Evaluator(plan: plan, at: instant, selection: experiments, groupSize: group.capacity)
        var start = rows.lowerBound
        while start < rows.upperBound {
            let part = try group.fill(start..<rows.upperBound)
            if group.instants.isEmpty {
                evaluator.evaluate(group: part.count, group.values.span, group.store.bytes.span)
            } else {
                evaluator.evaluate(group: part.count, group.values.span, group.store.bytes.span, at: group.instants)
            }
            write(part, evaluator.groupDecisions.span, group, evaluator)
            start = part.upperBound
        }
    }

    /// The schema of the output. Its metadata have the revision of the definitions, the attributes that the input does
    /// not have, and where the codes are.
    func schema(of schema: UnsafePointer<ArrowSchema>?) throws -> ExportedSchema {
        let missing = try TableColumns(self, schema, nil).missing
        var metadata = [
            (key: "allot.revision", value: plan.revision),
            (key: "allot.missing_columns", value: JSONValue.strings(missing).canonicalText),
        ]
        let columns = wide?.schema(writesTexts: writesTexts) ?? LongTable.Format.schema(self)
        try checkNames(wide?.columns.map(\.name) ?? columns.map(\.name), of: schema)
        if writesCodes, let wide { metadata.append((key: "allot.codes", value: wide.json.canonicalText)) }
        return ExportedSchema(table: columns, metadata: metadata)
    }

    /// Throws if two columns of the output have one name.
    private func checkNames(_ names: [String], of schema: UnsafePointer<ArrowSchema>?) throws {
        var taken: Set<UTF8Key> = []
        for name in names where !taken.insert(UTF8Key(name)).inserted {
            throw InterfaceError.data(
                "the answer has two columns \(QuotedText(name)), as an experiment has the name of another one's "
                    + "column; leave out the option reason or bucket, or name other experiments")
        }
        guard includesInput else { return }
        let table = try ArrowStructure(table: schema, nil)
        for index in 0..<Int(table.schema.n_children) {
            let name = try table.column(index).name
            guard taken.contains(UTF8Key(name)) else { continue }
            throw InterfaceError.data(
                "the table has a column \(QuotedText(name)) already, which is a column of the answer; rename it or "
                    + "leave it out, name other experiments, or use layout=\"long\"")
        }
    }
}

/// A table that the caller lends to the threads of one call: the addresses of its schema and its data.
private struct Lent: Sendable {
    let schema: UInt
    let array: UInt

    /// Its columns, of a thread's own, so that no two threads count references to the same ones.
    func columns(_ assignment: TableAssignment) throws -> TableColumns {
        try TableColumns(assignment, UnsafePointer(bitPattern: schema), UnsafePointer(bitPattern: array))
    }
}
