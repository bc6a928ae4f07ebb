import Allot

/// What units hold according to the data, beside what Allot computes for them.
struct CauseTally: Sendable {
    private let variantCount: Int
    /// By recorded variant, then by recomputed one, the last for none.
    private var counts: [Int]
    private(set) var reasons: [Int] = Array(repeating: 0, count: Reason.allCases.count)
    private(set) var examples: [CauseSplit.Example] = []

    init(variantCount: Int) {
        self.variantCount = variantCount
        counts = Array(repeating: 0, count: variantCount * (variantCount + 1))
    }

    /// Counts a unit.
    ///
    /// - Parameters:
    ///   - recorded: the variant in the data.
    ///   - recomputed: the owner of its bucket, `nil` for none.
    mutating func count(_ unit: Span<UInt8>, recorded: Int, recomputed: Int?, line: Int) {
        counts[recorded * (variantCount + 1) + (recomputed ?? variantCount)] += 1
        guard recorded != recomputed, examples.count < CauseSplit.exampleLimit else { return }
        let text = unit.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        examples.append(
            CauseSplit.Example(unit: text, line: line, recorded: recorded, recomputed: recomputed))
    }

    /// Counts why a unit holds a variant, or none.
    mutating func count(_ reason: Reason) {
        reasons[Int(reason.rawValue)] += 1
    }

    /// By recorded variant, how many units each variant, and at last none, is recomputed for.
    var table: [[Int]] {
        (0..<variantCount).map { recorded in
            let start = recorded * (variantCount + 1)
            return Array(counts[start...start + variantCount])
        }
    }
}
