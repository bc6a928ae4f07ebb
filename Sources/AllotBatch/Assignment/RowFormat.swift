import Allot
import AllotConfiguration

/// How decisions are written: everything that does not depend on the row, serialised once.
///
/// Each worker makes its own, so that no two threads count references to the same arrays.
struct RowFormat: Sendable {
    let layout: BatchAssignment.Layout
    let includesAll: Bool
    /// The experiments that are written, in key order.
    let experiments: [Int]
    private let keys: [String]
    private let texts: TextPool
    /// By experiment where its variants' keys are in `texts`.
    private let variantStarts: [Int]
    /// By experiment where, by variant (none first) and reason, `,KEY,VARIANT,REASON,` is.
    private let middleStarts: [Int]
    /// By experiment where `,REVISION` and a line feed are.
    private let suffixes: [Int]

    init(_ batch: BatchAssignment) {
        layout = batch.layout
        includesAll = batch.includesAll
        experiments = batch.layout == .wide ? batch.wideColumns : batch.selected
        keys = batch.plan.experiments.map(\.key)
        var texts = TextPool()
        var (variantStarts, middleStarts, suffixes): ([Int], [Int], [Int]) = ([], [], [])
        for experiment in batch.plan.experiments {
            variantStarts.append(texts.count)
            for variant in experiment.variants { texts.add(variant.key) }
            middleStarts.append(texts.count)
            for variant in [""] + experiment.variants.map(\.key) {
                for reason in Reason.allCases { texts.add(",\(experiment.key),\(variant),\(reason.text),") }
            }
            suffixes.append(texts.count)
            texts.add(",\(experiment.revision)\n")
        }
        self.texts = texts
        (self.variantStarts, self.middleStarts, self.suffixes) = (variantStarts, middleStarts, suffixes)
    }

    /// The first line of the output; none in the JSON layout.
    func header(_ header: CSVHeader) -> [UInt8] {
        switch layout {
        case .wide: header.bytes + Array((experiments.map { ",\(keys[$0])" }.joined() + "\n").utf8)
        case .long: Array("unit,experiment,variant,reason,bucket,revision\n".utf8)
        case .json: []
        }
    }

    /// Appends the column of one experiment to a row of the wide layout.
    @inline(__always)
    func appendWide(_ experiment: Int, _ decision: Decision, to output: inout [UInt8]) {
        output.append(UInt8(ascii: ","))
        if let variant = decision.variant { texts.append(variantStarts[experiment] + variant, to: &output) }
    }

    /// Appends what stands behind the unit ID in a row of the long layout.
    @inline(__always)
    func appendLong(_ experiment: Int, _ decision: Decision, to output: inout [UInt8]) {
        let row = (decision.variant ?? -1) + 1
        texts.append(
            middleStarts[experiment] + row * Reason.allCases.count + Int(decision.reason.rawValue), to: &output)
        if let bucket = decision.bucket { output.appendBucket(bucket) }
        texts.append(suffixes[experiment], to: &output)
    }
}

extension [UInt8] {
    /// Appends a bucket, 0 to 999999, in decimal digits.
    @inline(__always)
    mutating func appendBucket(_ bucket: Int) {
        // Divisions by constants are multiplications; one by a variable costs as much as the rest of the row.
        let rest = UInt32(truncatingIfNeeded: bucket)
        let zero = UInt32(UInt8(ascii: "0"))
        let digits: InlineArray<6, UInt8> = [
            UInt8(truncatingIfNeeded: rest / 100_000 + zero), UInt8(truncatingIfNeeded: rest / 10_000 % 10 + zero),
            UInt8(truncatingIfNeeded: rest / 1_000 % 10 + zero), UInt8(truncatingIfNeeded: rest / 100 % 10 + zero),
            UInt8(truncatingIfNeeded: rest / 10 % 10 + zero), UInt8(truncatingIfNeeded: rest % 10 + zero),
        ]
        var first = 0
        while first < 5, digits[first] == UInt8(ascii: "0") { first += 1 }
        digits.span.extracting(first..<6).withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends a part of a chunk.
    @inline(__always)
    mutating func append(_ range: Range<Int>, of chunk: Span<UInt8>) {
        chunk.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
