import Allot
import AllotConfiguration

/// How decisions are written: everything that does not depend on the row, serialised once.
///
/// Each worker makes its own, so that no two threads count references to the same arrays.
struct RowFormat: Sendable {
    let layout: BatchAssignment.Layout
    /// The experiments that are written, in key order.
    let experiments: [Int]
    /// The columns of the input that are written again beside whole records.
    let keptColumns: [Int]
    private let includesAll: Bool
    private let experimentCount: Int
    private let keys: [String]
    /// By experiment the place of its unit's column in `keptColumns`, -1 for none.
    private let unitFields: [Int]
    private let texts: TextPool
    /// By experiment where its variants' keys are in `texts`, an empty one first.
    private let variantStarts: [Int]
    /// By experiment where, by variant (none first) and reason, `,KEY,VARIANT,REASON,` is.
    private let middleStarts: [Int]
    /// By experiment where `,REVISION` and a line feed are.
    private let suffixes: [Int]

    /// The most digits of a bucket.
    private static let bucketLength = 6
    /// Records of a group that together are longer than this are long: 64 KiB.
    private static let longRecords = 65536

    init(_ batch: BatchAssignment, columns: ColumnMap) {
        layout = batch.layout
        includesAll = batch.includesAll
        experiments = batch.layout == .wide ? batch.wideColumns : batch.selected
        experimentCount = batch.plan.experiments.count
        keys = batch.plan.experiments.map(\.key)
        let unitColumns = batch.plan.unitAttributes.map { columns.columns[$0] }
        let kept: Set<Int> =
            switch batch.layout {
            case .wide: []
            case .long: Set(experiments.map { unitColumns[$0] })
            case .json: [columns.unitColumn]
            }
        let keptColumns = kept.filter { $0 >= 0 }.sorted()
        self.keptColumns = keptColumns
        unitFields = unitColumns.map { keptColumns.firstIndex(of: $0) ?? -1 }
        var texts = TextPool()
        var (variantStarts, middleStarts, suffixes): ([Int], [Int], [Int]) = ([], [], [])
        for experiment in batch.plan.experiments {
            let variants = [""] + experiment.variants.map(\.key)
            variantStarts.append(texts.count)
            for variant in variants { texts.add(",\(variant)") }
            middleStarts.append(texts.count)
            for variant in variants {
                for reason in Reason.allCases { texts.add(",\(experiment.key),\(variant),\(reason.text),") }
            }
            suffixes.append(texts.count)
            texts.add(",\(experiment.revision)\n")
        }
        self.texts = texts
        (self.variantStarts, self.middleStarts, self.suffixes) = (variantStarts, middleStarts, suffixes)
    }

    /// The place of the column of `user_id` in `keptColumns` in the JSON layout.
    var userColumn: Int? {
        keptColumns.indices.first
    }

    /// The first line of the output; none in the JSON layout.
    func header(_ header: CSVHeader) -> [UInt8] {
        switch layout {
        case .wide: header.bytes + Array((experiments.map { ",\(keys[$0])" }.joined() + "\n").utf8)
        case .long: Array("unit,experiment,variant,reason,bucket,revision\n".utf8)
        case .json: []
        }
    }

    /// Appends the rows of a group as they were, with a column for each experiment.
    func appendWide(_ group: RowGroup, _ decisions: Span<Decision>, _ chunk: Span<UInt8>, to output: inout [UInt8]) {
        var bound = 0
        for row in 0..<group.count {
            bound +=
                RowWriter.room(group.record(row).count) + RowWriter.room(1)
                + experiments.count * RowWriter.room(texts.maximumLength)
        }
        RowWriter.append(to: &output, atMost: bound) { writer in
            for row in 0..<group.count {
                writer.write(group.record(row), of: chunk)
                for position in 0..<experiments.count {
                    let experiment = experiments[position]
                    let cell = decisions[row &* experimentCount &+ experiment].variantRow
                    texts.write(variantStarts[experiment] &+ cell, to: &writer)
                }
                writer.write(UInt8(ascii: "\n"))
            }
        }
    }

    /// The most bytes that the units of a group take when each is written once.
    private func unitBound(_ group: RowGroup) -> Int {
        // A field takes no more room than in its record, in quotes as it was there. Only long records are looked into.
        guard group.records.count > Self.longRecords else { return group.records.count }
        var bound = 0
        for row in 0..<group.count {
            bound += (0..<keptColumns.count).map { group.field(row, $0).writtenRange.count }.max() ?? 0
        }
        return bound
    }

    /// Appends a row for each variant that is held, or for each experiment.
    func appendLong(_ group: RowGroup, _ decisions: Span<Decision>, _ chunk: Span<UInt8>, to output: inout [UInt8]) {
        let rowBound =
            RowWriter.room(0) + RowWriter.room(Self.bucketLength) + 2 * RowWriter.room(texts.maximumLength)
        let bound = experiments.count * (unitBound(group) + group.count * rowBound)
        RowWriter.append(to: &output, atMost: bound) { writer in
            let (experimentCount, includesAll) = (experimentCount, includesAll)
            let experiments = experiments.span
            for row in 0..<group.count {
                for position in 0..<experiments.count {
                    let experiment = experiments[position]
                    let decision = decisions[row &* experimentCount &+ experiment]
                    guard decision.variantRow != 0 || includesAll else { continue }
                    let unit = unitFields[experiment]
                    if unit >= 0 { writer.write(field: group.field(row, unit), of: chunk) }
                    let cell = decision.variantRow &* Reason.allCases.count &+ Int(decision.reason.rawValue)
                    texts.write(middleStarts[experiment] &+ cell, to: &writer)
                    if let bucket = decision.bucket { writer.write(bucket: bucket) }
                    texts.write(suffixes[experiment], to: &writer)
                }
            }
        }
    }
}

extension Decision {
    /// The row of a table of variants with none first.
    @inline(__always)
    var variantRow: Int {
        (variant ?? -1) &+ 1
    }
}
