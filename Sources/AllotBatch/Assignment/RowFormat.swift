import AllotConfiguration
@_spi(Groups) import AllotCore

/// Writes decisions as rows. Everything that does not depend on the row is serialised once. Each worker has its own, so
/// that no two threads count references to the same arrays.
struct RowFormat: Sendable {
    let layout: BatchAssignment.Layout
    let delimiter: CSVDelimiter
    /// The experiments that are written, in key order.
    let experiments: [Int]
    /// The columns of the input whose fields are written again, apart from whole records.
    let keptColumns: [Int]
    private let includesAll: Bool
    /// Whether every row that is written has a unit that was assigned a variant by its ID, so that the ID is short.
    private let hasShortUnits: Bool
    private let keys: [String]
    /// By experiment, the index of its unit's column in `keptColumns`; `nil` if the input does not have the column.
    private let unitFields: [Int?]
    /// Whether the long layout writes units of several attributes.
    let hasJoinedUnits: Bool
    private let texts: TextPool
    /// By experiment, the index in `texts` of its variants' keys, an empty one first.
    private let variantStarts: [Int]
    /// By experiment, the index in `texts` of `,KEY,VARIANT,REASON,` by variant (none first) and reason.
    private let middleStarts: [Int]
    /// By experiment, the index in `texts` of `,REVISION` and a line feed.
    private let suffixes: [Int]

    private struct Shown {
        let experiment: Int32
        let row: Int32
    }

    private static let bucketLength = 10
    /// The most bytes that the ID of an assigned unit takes as a field: each a doubled quote.
    private static let assignedUnitLength = 2 * UnitID.maximumLength + 2
    /// The most room that is made for several rows at once: 1 MiB.
    private static let groupRoom = 1 << 20

    init(_ batch: BatchAssignment, columns: ColumnMap) {
        layout = batch.layout
        delimiter = batch.delimiter
        includesAll = batch.includesAll
        experiments = batch.layout == .wide ? batch.wideColumns : batch.selected
        hasShortUnits = !includesAll && experiments.allSatisfy { batch.plan.experiments[$0].unit != nil }
        keys = batch.plan.experiments.map(\.key)
        let kept: Set<Int?> =
            switch batch.layout {
            case .wide: []
            case .long: Set(experiments.map { columns.unitColumns[$0] })
            case .json: [columns.userColumn]
            }
        let keptColumns = kept.compactMap { $0 }.sorted()
        self.keptColumns = keptColumns
        unitFields = columns.unitColumns.map { column in keptColumns.firstIndex { $0 == column } }
        hasJoinedUnits = experiments.contains { !batch.plan.unitParts[$0].isEmpty }
        var texts = TextPool()
        let between = batch.delimiter.text
        var (variantStarts, middleStarts, suffixes): ([Int], [Int], [Int]) = ([], [], [])
        for experiment in batch.plan.experiments {
            let variants = [""] + experiment.variants.map(\.key)
            variantStarts.append(texts.count)
            for variant in variants { texts.add(between + variant) }
            middleStarts.append(texts.count)
            for variant in variants {
                for reason in Reason.allCases {
                    texts.add(["", experiment.key, variant, reason.text, ""].joined(separator: between))
                }
            }
            suffixes.append(texts.count)
            texts.add("\(between)\(experiment.revision)\n")
        }
        self.texts = texts
        (self.variantStarts, self.middleStarts, self.suffixes) = (variantStarts, middleStarts, suffixes)
    }

    /// In the JSON layout, the index of the column of `user_id` in `keptColumns`.
    var userField: Int? { keptColumns.indices.first }

    /// The first line of the output; empty in the JSON layout.
    func header(_ header: CSVHeader) -> [UInt8] {
        switch layout {
        case .wide: header.bytes + delimiter.header([""] + experiments.map { keys[$0] })
        case .long: delimiter.header(["unit", "experiment", "variant", "reason", "bucket", "revision"])
        case .json: []
        }
    }

    /// Appends the rows of a group as they were, with a column for each experiment.
    func appendWide(_ group: RowGroup, _ decisions: Span<Decision>, _ chunk: Span<UInt8>, to output: inout [UInt8]) {
        // Only spans and numbers, because a closure that captured the format or the group would count references to all
        // their arrays for each group.
        let (count, fields, fieldPlaces, decisionPlaces) = (
            group.count, group.fields.span, group.places, group.decisionPlaces
        )
        let (experiments, variantStarts) = (experiments.span, variantStarts.span)
        let (textRanges, textBytes) = (texts.ranges.span, texts.bytes.span)
        var bound = count * (RowWriter.room(1) + experiments.count * RowWriter.room(texts.maximumLength))
        for row in 0..<count { bound += RowWriter.room(fields[fieldPlaces.record(row)].range.count) }
        RowWriter.append(to: &output, atMost: bound) { writer in
            for row in 0..<count {
                writer.write(fields[fieldPlaces.record(row)].range, of: chunk)
                for position in experiments.indices {
                    let experiment = experiments[position]
                    let cell = decisions[decisionPlaces.of(experiment, row: row)].variantRow
                    writer.write(textRanges[variantStarts[experiment] &+ cell], of: textBytes)
                }
                writer.write(UInt8(ascii: "\n"))
            }
        }
    }

    /// Appends a row for each assigned variant, or for each experiment: for all rows at once, or for one half after the
    /// other if there would have to be too much room.
    func appendLong(
        _ rows: Range<Int>, of group: RowGroup, _ decisions: Span<Decision>, _ joined: JoinedFields?,
        _ chunk: Span<UInt8>, to output: inout [UInt8]
    ) {
        let joinedBound = joined.map { experiments.count &* rows.count &* RowWriter.room($0.longest) } ?? 0
        let bound = quickLongBound(rows, of: group) &+ joinedBound
        if bound <= Self.groupRoom {
            writeLong(rows, of: group, decisions, joined, chunk, atMost: bound, to: &output)
        } else if rows.count == 1 {
            let bound = longBound(rows.lowerBound, of: group) &+ joinedBound
            writeLong(rows, of: group, decisions, joined, chunk, atMost: bound, to: &output)
        } else {
            let middle = rows.lowerBound &+ rows.count / 2
            appendLong(rows.lowerBound..<middle, of: group, decisions, joined, chunk, to: &output)
            appendLong(middle..<rows.upperBound, of: group, decisions, joined, chunk, to: &output)
        }
    }

    /// A bound of the output for rows, from the bytes of all their records together. Complexity: O(1).
    private func quickLongBound(_ rows: Range<Int>, of group: RowGroup) -> Int {
        let start = group.fields[group.places.record(rows.lowerBound)].start
        let end = group.fields[group.places.record(rows.upperBound &- 1)].end
        let units = end &- start &+ rows.count &* RowWriter.room(2)
        return experiments.count &* (units &+ rows.count &* longRest)
    }

    /// The most bytes that the output for a row takes.
    private func longBound(_ row: Int, of group: RowGroup) -> Int {
        var unit = 0
        for kept in 0..<keptColumns.count { unit = max(unit, group.field(row, kept).length &+ 2) }
        if hasShortUnits { unit = min(unit, Self.assignedUnitLength) }
        return experiments.count &* (RowWriter.room(unit) &+ longRest)
    }

    /// The most bytes that a row takes beside its unit.
    private var longRest: Int { RowWriter.room(Self.bucketLength) &+ 2 &* RowWriter.room(texts.maximumLength) }

    private func writeLong(
        _ rows: Range<Int>, of group: RowGroup, _ decisions: Span<Decision>, _ joined: JoinedFields?,
        _ chunk: Span<UInt8>, atMost bound: Int, to output: inout [UInt8]
    ) {
        // Only spans and numbers, as in `appendWide`.
        let (fields, fieldPlaces, decisionPlaces) = (group.fields.span, group.places, group.decisionPlaces)
        let (unitFields, middleStarts, suffixes) = (unitFields.span, middleStarts.span, suffixes.span)
        let delimiter = delimiter
        let (textRanges, textBytes) = (texts.ranges.span, texts.bytes.span)
        Self.withShown(rows, experiments.span, decisions, decisionPlaces, includesAll: includesAll) { shown in
            RowWriter.append(to: &output, atMost: bound) { writer in
                for next in shown {
                    let (experiment, row) = (Int(next.experiment), Int(next.row))
                    let decision = decisions[decisionPlaces.of(experiment, row: row)]
                    if let unit = unitFields[experiment] {
                        writer.write(field: fields[fieldPlaces.field(row, unit)], of: chunk, delimiter: delimiter)
                    } else if let joined {
                        writer.write(joined.range(row, experiment), of: joined.bytes.span)
                    }
                    writer.write(textRanges[middleStarts[experiment] &+ decision.outcomeRow], of: textBytes)
                    if let bucket = decision.bucket { writer.write(bucket: bucket) }
                    writer.write(textRanges[suffixes[experiment]], of: textBytes)
                }
            }
        }
    }

    /// Gives `body` the decisions that get a row of the long layout. They are found first, without a branch: whether a
    /// unit is assigned follows no pattern, and the processor would guess wrong too often.
    private static func withShown(
        _ rows: Range<Int>, _ experiments: Span<Int>, _ decisions: Span<Decision>, _ decisionPlaces: DecisionPlaces,
        includesAll: Bool,
        _ body: (UnsafeMutableBufferPointer<Shown>.SubSequence) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: Shown.self, capacity: rows.count * experiments.count) { found in
            var count = 0
            let always = includesAll ? 1 : 0
            for row in rows {
                for position in experiments.indices {
                    let experiment = experiments[position]
                    found[count] = Shown(
                        experiment: Int32(truncatingIfNeeded: experiment), row: Int32(truncatingIfNeeded: row))
                    // Not `||`, of which the compiler makes a branch.
                    count &+= min(decisions[decisionPlaces.of(experiment, row: row)].variantRow, 1) | always
                }
            }
            body(found[..<count])
        }
    }
}

extension Decision {
    @inline(__always)
    var variantRow: Int { (variant ?? -1) &+ 1 }
    /// The place in a table of variants, none first, each of them by reason.
    @inline(__always)
    var outcomeRow: Int { variantRow &* Reason.count &+ reasonNumber }
}
