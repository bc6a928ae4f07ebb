import Allot
import SystemLibrary

/// The columns of the wide layout while threads fill them, each its own rows.
struct WideTable: Sendable {
    private struct Column: Sendable {
        let experiment: Int
        let variants: OutputBuffer
        let variantValidity: OutputBuffer
        let reasons: OutputBuffer?
        let buckets: OutputBuffer?
        let bucketValidity: OutputBuffer?
    }

    private let plan: Plan
    private let columns: [Column]
    private let rowCount: Int
    private let writesTexts: Bool

    init(_ assignment: TableAssignment, rowCount: Int) throws {
        plan = assignment.plan
        self.rowCount = rowCount
        writesTexts = assignment.writesTexts
        let bitmapSize = (rowCount + 7) / 8
        columns = try assignment.experiments.map { experiment in
            Column(
                experiment: experiment, variants: try OutputBuffer(byteCount: rowCount * 4),
                variantValidity: try OutputBuffer(byteCount: bitmapSize),
                reasons: assignment.addsReason ? try OutputBuffer(byteCount: rowCount * 4) : nil,
                buckets: assignment.addsBucket ? try OutputBuffer(byteCount: rowCount * 8) : nil,
                bucketValidity: assignment.addsBucket ? try OutputBuffer(byteCount: bitmapSize) : nil)
        }
    }

    static func schema(_ assignment: TableAssignment) -> [ExportedSchema] {
        assignment.experiments.flatMap { index in
            let key = assignment.plan.experiments[index].key
            return [ExportedSchema(dictionaryNamed: key, isNullable: true, isPlain: assignment.writesTexts)]
                + (assignment.addsReason
                    ? [
                        ExportedSchema(
                            dictionaryNamed: key + ".reason", isNullable: false, isPlain: assignment.writesTexts)
                    ] : [])
                + (assignment.addsBucket ? [ExportedSchema("l", name: key + ".bucket", isNullable: true)] : [])
        }
    }

    /// Writes the decisions of a group of rows. Two threads never write the same byte, if their rows are a multiple of
    /// eight apart.
    func write(_ rows: Range<Int>, _ decisions: Span<Decision>) {
        let stride = plan.experiments.count
        for column in columns {
            let variants = column.variants.values(of: Int32.self)
            let validity = column.variantValidity.values(of: UInt8.self)
            var index = column.experiment
            for row in rows {
                let variant = decisions[index].variant ?? -1
                variants[row] = Int32(truncatingIfNeeded: max(variant, 0))
                validity[row &>> 3] |= (variant < 0 ? 0 : 1) &<< UInt8(row & 7)
                index &+= stride
            }
            if let reasons = column.reasons?.values(of: Int32.self) {
                for row in rows {
                    reasons[row] = Int32(
                        decisions[(row - rows.lowerBound) * stride + column.experiment].reason.rawValue)
                }
            }
            guard let buckets = column.buckets?.values(of: Int64.self),
                let bucketValidity = column.bucketValidity?.values(of: UInt8.self)
            else { continue }
            for row in rows {
                let bucket = decisions[(row - rows.lowerBound) * stride + column.experiment].bucket
                buckets[row] = Int64(bucket ?? 0)
                bucketValidity[row >> 3] |= (bucket == nil ? 0 : 1) << UInt8(row & 7)
            }
        }
    }

    /// The finished table.
    func export() throws -> ExportedArray {
        let reasons = Reason.allCases.map(\.text)
        return ExportedArray(
            table: try columns.flatMap { column in
                var arrays = [
                    try ExportedArray(
                        length: rowCount, nullCount: nullCount(column.variantValidity),
                        validity: column.variantValidity, indices: column.variants,
                        into: plan.experiments[column.experiment].variants.map(\.key), isPlain: writesTexts)
                ]
                if let indices = column.reasons {
                    arrays.append(
                        try ExportedArray(
                            length: rowCount, nullCount: 0, validity: nil, indices: indices, into: reasons,
                            isPlain: writesTexts))
                }
                if let buckets = column.buckets, let validity = column.bucketValidity {
                    let nullCount = nullCount(validity)
                    arrays.append(
                        ExportedArray(
                            length: rowCount, nullCount: nullCount, buffers: [nullCount > 0 ? validity : nil, buckets]))
                }
                return arrays
            }, length: rowCount)
    }

    private func nullCount(_ validity: OutputBuffer) -> Int {
        let bytes = validity.values(of: UInt8.self)
        var count = rowCount
        for index in 0..<(rowCount + 7) / 8 { count -= bytes[index].nonzeroBitCount }
        return count
    }
}
