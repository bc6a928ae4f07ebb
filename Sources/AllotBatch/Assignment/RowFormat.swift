import Allot
import AllotConfiguration

/// How decisions are written: everything that does not depend on the row, serialised once.
struct RowFormat: Sendable {
    let layout: BatchAssignment.Layout
    let includesAll: Bool
    /// The experiments that are written, in key order.
    let experiments: [Int]
    private let keys: [String]
    /// By experiment and variant: the key.
    private let variants: [[[UInt8]]]
    /// By experiment, by variant (none first) and reason: `,KEY,VARIANT,REASON,`.
    private let middles: [[[UInt8]]]
    /// By experiment: `,REVISION` and a line feed.
    private let suffixes: [[UInt8]]

    init(_ batch: BatchAssignment) {
        layout = batch.layout
        includesAll = batch.includesAll
        experiments = batch.layout == .wide ? batch.wideColumns : batch.selected
        let plan = batch.plan
        keys = plan.experiments.map(\.key)
        variants = plan.experiments.map { $0.variants.map { Array($0.key.utf8) } }
        middles = plan.experiments.map { experiment in
            ([""] + experiment.variants.map(\.key)).flatMap { variant in
                Reason.allCases.map { Array(",\(experiment.key),\(variant),\($0.text),".utf8) }
            }
        }
        suffixes = plan.experiments.map { Array(",\($0.revision)\n".utf8) }
    }

    /// The first line of the output; none in the JSON layout.
    func header(_ header: CSVHeader) -> [UInt8] {
        switch layout {
        case .wide: header.bytes + Array((experiments.map { ",\(keys[$0])" }.joined() + "\n").utf8)
        case .long: Array("unit,experiment,variant,reason,bucket,revision\n".utf8)
        case .json: []
        }
    }

    /// Appends the variants of a row behind the row itself.
    @inline(__always)
    func appendWide(_ decisions: [Decision], to output: inout [UInt8]) {
        for experiment in experiments {
            output.append(UInt8(ascii: ","))
            if let variant = decisions[experiment].variant { output.append(contentsOf: variants[experiment][variant]) }
        }
        output.append(UInt8(ascii: "\n"))
    }

    /// Appends what stands behind the unit ID in a row of the long layout.
    @inline(__always)
    func appendLong(_ experiment: Int, _ decision: Decision, to output: inout [UInt8]) {
        let row = (decision.variant ?? -1) + 1
        output.append(contentsOf: middles[experiment][row * Reason.allCases.count + Int(decision.reason.rawValue)])
        if let bucket = decision.bucket { output.appendBucket(bucket) }
        output.append(contentsOf: suffixes[experiment])
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
