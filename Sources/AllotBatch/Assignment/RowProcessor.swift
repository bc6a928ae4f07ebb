import AllotConfiguration
import AllotCore

/// Assigns the rows of chunks, group after group, in memory that is reused.
struct RowProcessor: ChunkProcessor {
    private let format: RowFormat
    private let plan: Plan
    private let instant: Instant
    private let setsRejectsAside: Bool
    private let nullWords: NullWords
    private let watched: [WatchedColumn]
    private let userAttribute: Int?
    private var parser: CSVRecordParser
    private var evaluator: Evaluator
    /// An empty group, which is copied for each chunk, so that it can be read while the evaluator changes.
    private let emptyGroup: RowGroup

    init(_ batch: BatchAssignment, columns: ColumnMap) {
        format = RowFormat(batch, columns: columns)
        plan = batch.plan
        instant = batch.instant
        setsRejectsAside = batch.setsRejectsAside
        nullWords = NullWords(batch.nullWords)
        watched = columns.watched
        userAttribute = columns.attributes.first { $0.column == columns.userColumn }?.attribute
        parser = CSVRecordParser(columnCount: columns.columnCount, delimiter: columns.delimiter)
        emptyGroup = RowGroup(columns, keeping: format.keptColumns, for: batch.plan)
        evaluator = Evaluator(
            plan: batch.plan, at: batch.instant, selection: batch.selection, groupSize: emptyGroup.capacity)
    }

    mutating func process(_ chunk: Span<UInt8>, into output: inout ChunkOutput) throws(RowProblem) -> AssignmentCounts {
        var counts = AssignmentCounts(plan)
        let boundsBefore = evaluator.boundCount
        parser.start()
        var group = emptyGroup
        filling: while true {
            let stop = group.fill(&parser, chunk)
            if group.count > 0 { assign(&group, chunk, chunk, &output, &counts) }
            switch stop {
            case .full: break
            case .end: break filling
            case .problem(let problem): try reject(problem, of: chunk, &output)
            case .noInstant:
                if let problem = group.time?.problem(parser, of: chunk, nullWords) {
                    try reject(problem, of: chunk, &output)
                }
            case .escapes:
                // A row with doubled quotes, by unescaped copies of its fields.
                var bytes: [UInt8] = []
                group.append(unescaping: parser, of: chunk, to: &bytes)
                assign(&group, bytes.span, chunk, &output, &counts)
            }
        }
        counts.boundCount = evaluator.boundCount - boundsBefore
        output.longFields = parser.longFields.counted(in: chunk)
        return counts
    }

    /// Sets the parser's record aside, or ends the batch.
    private func reject(_ problem: RowProblem, of chunk: Span<UInt8>, _ output: inout ChunkOutput) throws(RowProblem) {
        guard setsRejectsAside else { throw problem }
        output.rejects.append(parser.record, of: chunk, because: problem, delimiter: parser.delimiter)
    }

    /// Decides and writes the rows of the group, whose values point into `bytes`, and removes them.
    private mutating func assign(
        _ group: inout RowGroup, _ bytes: Span<UInt8>, _ chunk: Span<UInt8>, _ output: inout ChunkOutput,
        _ counts: inout AssignmentCounts
    ) {
        group.removeNulls(nullWords, of: bytes)
        counts.doubts.note(group, watched, bytes)
        if let userAttribute { counts.repeatedUsers.note(group, attribute: userAttribute, bytes) }
        evaluator.evaluate(group: group.count, group.values.span, bytes, at: group.instants)
        write(group, chunk, bytes, &output.main, &counts)
        group.removeAll()
    }

    private mutating func write(
        _ group: RowGroup, _ chunk: Span<UInt8>, _ bytes: Span<UInt8>, _ output: inout [UInt8],
        _ counts: inout AssignmentCounts
    ) {
        switch format.layout {
        case .wide: format.appendWide(group, evaluator.groupDecisions.span, chunk, to: &output)
        case .long:
            let joined = format.hasJoinedUnits ? JoinedFields(group, format, evaluator) : nil
            format.appendLong(0..<group.count, of: group, evaluator.groupDecisions.span, joined, chunk, to: &output)
        case .json: for row in 0..<group.count { appendJSON(group, row, chunk, bytes, &output) }
        }
        counts.count(
            evaluator.groupDecisions.span, group.decisionPlaces, rows: group.count, experiments: format.experiments.span
        )
    }

    private mutating func appendJSON(
        _ group: RowGroup, _ row: Int, _ chunk: Span<UInt8>, _ bytes: Span<UInt8>, _ output: inout [UInt8]
    ) {
        output.append(contentsOf: #"{"unit":"#.utf8)
        let value = format.userField.map { group.field(row, $0).value(in: chunk) } ?? []
        if !value.isEmpty, !nullWords.contains(value.span) {
            JSONWriter.append(text: value, to: &output)
        } else {
            output.append(contentsOf: "null".utf8)
        }
        output.append(contentsOf: #","configuration":"#.utf8)
        let values = group.values.span.extracting(group.valueRange(row))
        plan.appendConfiguration(
            of: &evaluator, row: row, at: group.instants.isEmpty ? instant : group.instants[row], values, bytes,
            to: &output)
        output.append(contentsOf: "}\n".utf8)
    }
}
