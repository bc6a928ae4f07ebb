import AllotConfiguration
@_spi(Groups) import AllotCore

/// The rows of the long layout that one thread writes.
struct LongTable: Sendable {
    private var rows: [Int64] = [], unitEnds: [Int64] = [], unitBytes: [UInt8] = []
    /// The indices of rows whose unit is null: those without a unit ID, which are few.
    private var missingUnits: [Int] = []
    private var experiments: [Int32] = [], reasons: [Int32] = []
    /// -1 for null.
    private var variants: [Int32] = [], buckets: [Int64] = []

    struct Format: Sendable {
        let assignment: TableAssignment
        /// The keys of all variants, each once.
        let variants: [String]
        /// By position in the selection, the indices of the experiment's variants in `variants`.
        fileprivate let variantIndices: [[Int32]]
        let firstRow: Int

        init(_ assignment: TableAssignment, firstRow: Int) {
            var (variants, positions): ([String], [UTF8Key: Int32]) = ([], [:])
            variantIndices = assignment.experiments.map { index in
                assignment.plan.experiments[index].variants.map { variant in
                    if let position = positions[UTF8Key(variant.key)] { return position }
                    positions[UTF8Key(variant.key)] = Int32(variants.count)
                    variants.append(variant.key)
                    return Int32(variants.count - 1)
                }
            }
            (self.assignment, self.variants, self.firstRow) = (assignment, variants, firstRow)
        }

        static func schema(_ assignment: TableAssignment) -> [ExportedSchema] {
            func texts(_ name: String, isNullable: Bool = false) -> ExportedSchema {
                ExportedSchema(dictionaryNamed: name, isNullable: isNullable, isPlain: assignment.writesTexts)
            }
            return [
                ExportedSchema("l", name: "row", isNullable: false),
                ExportedSchema("U", name: "unit", isNullable: true), texts("experiment"),
                texts("variant", isNullable: true), texts("reason"),
                ExportedSchema("l", name: "bucket", isNullable: true), texts("revision"),
            ]
        }
    }

    mutating func write(
        _ group: Range<Int>, _ decisions: Span<Decision>, _ rows: borrowing TableGroup,
        _ evaluator: borrowing Evaluator, _ format: Format
    ) {
        let plan = format.assignment.plan
        let selected = format.assignment.experiments
        let places = rows.decisionPlaces
        for row in 0..<group.count {
            for position in selected.indices {
                let experiment = selected[position]
                let decision = decisions[places.of(experiment, row: row)]
                let variant = decision.variant
                guard variant != nil || format.assignment.includesAll else { continue }
                self.rows.append(Int64(format.firstRow &+ group.lowerBound &+ row))
                if !plan.unitParts[experiment].isEmpty {
                    if let joined = evaluator.joinedUnit(of: experiment, row: row) {
                        unitBytes.append(contentsOf: evaluator.joinedBytes[joined])
                    } else {
                        missingUnits.append(unitEnds.count)
                    }
                } else {
                    let unit = rows.unit(row, plan.unitAttributes[experiment])
                    if unit.length > 0, unit.kind == .untyped {
                        unitBytes.append(contentsOf: rows.store.bytes[unit.range])
                    } else {
                        missingUnits.append(unitEnds.count)
                    }
                }
                unitEnds.append(Int64(unitBytes.count))
                experiments.append(Int32(truncatingIfNeeded: position))
                variants.append(variant.map { format.variantIndices[position][$0] } ?? -1)
                reasons.append(Int32(truncatingIfNeeded: decision.reasonNumber))
                buckets.append(Int64(decision.bucket ?? -1))
            }
        }
    }

    mutating func append(_ next: LongTable) {
        let (rowCount, byteCount) = (rows.count, Int64(unitBytes.count))
        rows += next.rows
        unitEnds += next.unitEnds.map { $0 + byteCount }
        unitBytes += next.unitBytes
        missingUnits += next.missingUnits.map { $0 + rowCount }
        experiments += next.experiments
        variants += next.variants
        reasons += next.reasons
        buckets += next.buckets
    }

    func export(_ format: Format) throws -> ExportedArray {
        let selected = format.assignment.experiments.map { format.assignment.plan.experiments[$0] }
        let count = rows.count
        let units = ExportedArray(
            length: count, nullCount: missingUnits.count,
            buffers: [
                missingUnits.isEmpty ? nil : try validity(missing: missingUnits), try OutputBuffer([0] + unitEnds),
                try OutputBuffer(unitBytes),
            ])
        func dictionary(_ indices: [Int32], _ texts: [String]) throws -> ExportedArray {
            let missing = indices.indices.filter { indices[$0] < 0 }
            return try ExportedArray(
                length: count, nullCount: missing.count, validity: try validity(missing: missing),
                indices: try OutputBuffer(missing.isEmpty ? indices : indices.map { max($0, 0) }), into: texts,
                isPlain: format.assignment.writesTexts)
        }
        let withoutBucket = buckets.indices.filter { buckets[$0] < 0 }
        return ExportedArray(
            table: [
                ExportedArray(length: count, nullCount: 0, buffers: [nil, try OutputBuffer(rows)]), units,
                try dictionary(experiments, selected.map(\.key)), try dictionary(variants, format.variants),
                try dictionary(reasons, Reason.allCases.map(\.text)),
                ExportedArray(
                    length: count, nullCount: withoutBucket.count,
                    buffers: [
                        withoutBucket.isEmpty ? nil : try validity(missing: withoutBucket),
                        try OutputBuffer(withoutBucket.isEmpty ? buckets : buckets.map { max($0, 0) }),
                    ]), try dictionary(experiments, selected.map(\.revision)),
            ], length: count)
    }

    /// A bitmap of all rows but some.
    private func validity(missing: [Int]) throws -> OutputBuffer {
        var bits = [UInt8](repeating: 0xFF, count: (rows.count + 7) / 8)
        for row in missing { bits[row >> 3] &= ~(1 << UInt8(row & 7)) }
        return try OutputBuffer(bits)
    }
}
