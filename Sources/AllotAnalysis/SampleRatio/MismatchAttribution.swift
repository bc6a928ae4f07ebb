import AllotCore
import AllotStatistics

/// The two sides of a mismatch: recorded - expected = (recomputed - expected) + (recorded - recomputed).
///
/// The first part is *who was captured*: units of some variant are missing from the data, or there are too many of
/// them, though each has the variant that Allot assigns to it. The second is *who was reassigned*: units with another
/// variant.
struct MismatchAttribution: Sendable {
    struct Row: Sendable, Hashable {
        let variant: String
        let recorded: Int
        let expected: Double
        /// The units whose bucket it owns.
        let recomputed: Int

        /// The captured units: above 0 where too many are in the data.
        var captured: Double { Double(recomputed) - expected }
        /// The reassigned units: above 0 where units of other variants were added.
        var reassigned: Int { recorded - recomputed }
    }

    /// A unit with another variant than the one that owns its bucket, if one does; the time of a row may be empty.
    typealias Example = (unit: String, time: String, recorded: String, recomputed: String?)

    enum Finding: String, Sendable {
        /// Every unit has its own variant, and the ratio is right.
        case agreement
        /// Some units have another variant than their own, but the ratio is right.
        case someReassigned = "some-reassigned"
        /// The mismatch is in the captured units, in the reassigned ones, or in both.
        case capture, reassignment, both
        /// Units were not captured, or were reassigned in one direction, though the ratio as a whole is right.
        case masked
        /// More units than are tolerated have another variant than their own; the ratio says nothing about that.
        case wrong = "wrong-variants"
    }

    /// Units of one variant that were given another, more often than the other way round.
    struct OneSided: Sendable, Hashable {
        let from: Int
        let to: Int
        let count: Int
        /// The number of units that were given the first variant instead of the second.
        let back: Int
        /// The sign test: both directions have the same probability. After Holm's correction for all pairs of variants.
        let pValue: PValue
    }

    enum Basis: Sendable, Hashable {
        /// The whole decision, with all its attributes.
        case decision
        /// Buckets, and what can be decided without some attributes.
        case withoutAttributes([String])
        /// Buckets alone, because the experiment does not enrol units.
        case buckets(ExperimentStatus)
    }

    /// One row for each variant, in the order of the data's shares.
    let rows: [Row]
    /// By recorded variant, the number of units for which each variant, and at last none, is recomputed.
    let table: [[Int]]
    let capture: RatioTest?
    /// The pair of variants between which reassignment is the most one-sided; `nil` if no unit was reassigned.
    let oneSided: OneSided?
    /// How much of the mismatch the captured units explain, about 0 to 1; `nil` without a mismatch.
    let captureShare: Double?
    let basis: Basis
    /// The reasons for which units of the data should have no variant at all, with their numbers.
    let ineligible: [Reason: Int]
    let wrong: WrongVariants
    let examples: [Example]
    let finding: Finding

    var reassignedCount: Int {
        table.indices.reduce(0) { sum, index in sum + table[index].reduce(0, +) - table[index][index] }
    }

    var unallocatedCount: Int { table.reduce(0) { $0 + ($1.last ?? 0) } }
    var unitCount: Int { rows.reduce(0) { $0 + $1.recorded } }

    /// One side explains the mismatch if it makes up at least this part of it.
    private static let mostOfIt = 0.75

    init(_ tally: AttributionTally, shares: VariantShares, isMismatch: Bool, threshold: PValue) {
        (table, basis, wrong, examples) = (tally.table, tally.basis, tally.wrong, tally.examples)
        let recorded = tally.table.map { $0.reduce(0, +) }
        let recomputed = shares.variants.indices.map { variant in tally.table.reduce(0) { $0 + $1[variant] } }
        let total = recorded.reduce(0, +)
        let expected = shares.shares.map { Double(total) * $0 }
        rows = shares.variants.indices.map {
            Row(
                variant: shares.variants[$0], recorded: recorded[$0], expected: expected[$0],
                recomputed: recomputed[$0])
        }
        capture = RatioTest(counts: recomputed, shares: shares.exactWeights)
        oneSided = Self.oneSided(table)
        captureShare = isMismatch ? Self.captureShare(rows) : nil
        ineligible = Self.ineligible(tally.reasons, basis)
        if let captureShare {
            finding =
                captureShare >= Self.mostOfIt ? .capture : captureShare <= 1 - Self.mostOfIt ? .reassignment : .both
        } else if capture.map({ $0.pValue < threshold }) ?? false || oneSided.map({ $0.pValue < threshold }) ?? false {
            finding = .masked
        } else {
            finding = wrong.isAlarm ? .wrong : wrong.unitCount == 0 ? .agreement : .someReassigned
        }
    }

    private static func oneSided(_ table: [[Int]]) -> OneSided? {
        var pairs: [(from: Int, to: Int)] = []
        for first in table.indices {
            for second in table.indices.dropFirst(first + 1) where table[first][second] + table[second][first] > 0 {
                let isForth = table[second][first] >= table[first][second]
                pairs.append(isForth ? (first, second) : (second, first))
            }
        }
        let counts = pairs.map { [table[$0.to][$0.from], table[$0.from][$0.to]] }
        let pValues = counts.map { (try? MultinomialTest(counts: $0, shares: [1, 1]))?.pValue ?? PValue(1) }
        return zip(pairs, zip(counts, Holm.adjusted(pValues))).map { pair, found in
            OneSided(from: pair.from, to: pair.to, count: found.0[0], back: found.0[1], pValue: found.1)
        }.min { $0.pValue < $1.pValue }
    }

    /// The part of the deviations from the expected counts, each by its weight in the chi-square statistic, that the
    /// recomputed counts have too.
    private static func captureShare(_ rows: [Row]) -> Double? {
        var (captured, all) = (0.0, 0.0)
        for row in rows where row.expected > 0 {
            let deviation = Double(row.recorded) - row.expected
            captured += row.captured * deviation / row.expected
            all += deviation * deviation / row.expected
        }
        return all > 0 ? captured / all : nil
    }

    /// The reasons that are about single units, not about the experiment as a whole.
    private static func ineligible(_ reasons: [Int], _ basis: Basis) -> [Reason: Int] {
        if case .buckets = basis { return [:] }
        var found: [Reason: Int] = [:]
        for reason in Reason.allCases where reasons[Int(reason.rawValue)] > 0 {
            switch reason {
            case .split, .forced, .winner, .everyone, .paused, .draft, .concluded: continue
            case .audience, .requirement:
                if case .withoutAttributes = basis { continue }
            default: break
            }
            found[reason] = reasons[Int(reason.rawValue)]
        }
        return found
    }
}

/// The variants of units in the data against those that Allot computes.
struct AttributionTally: Sendable {
    /// By recorded variant, the number of units for which each variant, and at last none, is recomputed.
    let table: [[Int]]
    /// By reason, the number of units.
    var reasons = Array(repeating: 0, count: Reason.count)
    var examples: [MismatchAttribution.Example] = []
    let basis: MismatchAttribution.Basis
    let wrong: WrongVariants
}
