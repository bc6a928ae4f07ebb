import Allot
import AllotConfiguration

/// Assigns the rows of chunks, one after another, in memory that is used again.
struct RowProcessor: ChunkProcessor {
    /// The columns that hold attributes.
    private let columns: [ColumnMap.Entry]
    /// By experiment the column of its unit ID, -1 for none.
    private let unitColumns: [Int]
    /// The column of `user_id`, -1 for none.
    private let userColumn: Int
    private let format: RowFormat
    private let plan: Plan
    private let setsRejectsAside: Bool
    private var parser: CSVRecordParser
    private var evaluator: Evaluator
    private var values: [AttributeValue]
    /// Unescaped copies of a row's fields, for rows with doubled quotes.
    private var scratch: [UInt8] = []

    init(_ batch: BatchAssignment, columns: ColumnMap) {
        // Arrays of its own: two threads that count references to the same ones wait for each other.
        self.columns = columns.entries.map { $0 }
        unitColumns = batch.plan.unitAttributes.map { columns.columns[$0] }
        userColumn = columns.unitColumn
        format = RowFormat(batch)
        plan = batch.plan
        setsRejectsAside = batch.setsRejectsAside
        parser = CSVRecordParser(columnCount: columns.columnCount)
        evaluator = Evaluator(plan: batch.plan, at: batch.instant, selection: batch.selection)
        values = Array(repeating: .missing, count: batch.plan.attributes.names.count)
    }

    mutating func process(
        _ chunk: Span<UInt8>, into output: inout ChunkOutput
    ) throws(RowProblem) -> AssignmentCounts {
        var counts = AssignmentCounts(plan)
        // Locals while the evaluator, a neighbour in `self`, looks at them.
        var (values, scratch) = (values, scratch)
        (self.values, self.scratch) = ([], [])
        defer { (self.values, self.scratch) = (values, scratch) }
        let boundsBefore = evaluator.boundCount
        parser.start()
        while parser.next(in: chunk) {
            if let problem = parser.problem {
                guard setsRejectsAside else { throw problem }
                output.reject(parser.record, of: chunk, because: problem)
                continue
            }
            counts.countRow()
            if fill(&values) {
                evaluator.evaluate(values.span, chunk)
                write(chunk, values.span, chunk, &output.main)
            } else {
                unescape(chunk, &values, &scratch)
                evaluator.evaluate(values.span, scratch.span)
                write(chunk, values.span, scratch.span, &output.main)
            }
            for position in 0..<format.experiments.count {
                let experiment = format.experiments[position]
                counts.count(experiment, evaluator.decision(of: experiment))
            }
        }
        counts.countBounds(evaluator.boundCount - boundsBefore)
        return counts
    }

    /// Points the attributes at the fields of the row; `false` if one of them has to be unescaped first.
    @inline(__always)
    private func fill(_ values: inout [AttributeValue]) -> Bool {
        var isPlain = true
        for position in 0..<columns.count {
            let entry = columns[position]
            let field = parser[entry.column]
            if field.hasEscapes { isPlain = false }
            values[entry.attribute] = .untyped(start: field.start, length: field.end - field.start)
        }
        return isPlain
    }

    /// Copies the fields of the row as text and points the attributes at the copies.
    private func unescape(_ chunk: Span<UInt8>, _ values: inout [AttributeValue], _ scratch: inout [UInt8]) {
        scratch.removeAll(keepingCapacity: true)
        for entry in columns {
            let start = scratch.count
            parser[entry.column].appendValue(in: chunk, to: &scratch)
            values[entry.attribute] = .untyped(start: start, length: scratch.count - start)
        }
    }

    // MARK: Output

    @inline(__always)
    private mutating func write(
        _ chunk: Span<UInt8>, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ output: inout [UInt8]
    ) {
        switch format.layout {
        case .wide:
            output.append(parser.record, of: chunk)
            for position in 0..<format.experiments.count {
                let experiment = format.experiments[position]
                format.appendWide(experiment, evaluator.decision(of: experiment), to: &output)
            }
            output.append(UInt8(ascii: "\n"))
        case .long:
            for position in 0..<format.experiments.count {
                let experiment = format.experiments[position]
                let decision = evaluator.decision(of: experiment)
                guard decision.variant != nil || format.includesAll else { continue }
                appendUnit(unitColumns[experiment], chunk, &output)
                format.appendLong(experiment, decision, to: &output)
            }
        case .json:
            appendJSON(chunk, values, bytes, &output)
        }
    }

    /// Appends a unit ID as a CSV field.
    @inline(__always)
    private func appendUnit(_ column: Int, _ chunk: Span<UInt8>, _ output: inout [UInt8]) {
        guard column >= 0 else { return }
        let field = parser[column]
        if field.isQuoted {
            var value: [UInt8] = []
            field.appendValue(in: chunk, to: &value)
            output.appendCSV(value.span)
        } else {
            output.append(field.range, of: chunk)
        }
    }

    private mutating func appendJSON(
        _ chunk: Span<UInt8>, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ output: inout [UInt8]
    ) {
        output.append(contentsOf: #"{"unit":"#.utf8)
        if userColumn >= 0, !parser[userColumn].isEmpty {
            var value: [UInt8] = []
            parser[userColumn].appendValue(in: chunk, to: &value)
            JSONWriter.append(text: value, to: &output)
        } else {
            output.append(contentsOf: "null".utf8)
        }
        output.append(contentsOf: #","configuration":"#.utf8)
        plan.appendConfiguration(of: &evaluator, values, bytes, to: &output)
        output.append(contentsOf: "}\n".utf8)
    }
}
