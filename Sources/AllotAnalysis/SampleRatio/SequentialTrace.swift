import AllotConfiguration
import AllotCore
import AllotStatistics
import RealModule

/// The always-valid test of the ratio, row after row in the order of time. Rows of the same time are tested together:
/// within a moment their order says nothing, and a file may sort them by variant.
struct SequentialTrace: Sendable {
    private var test: SequentialRatioTest
    private let shares: [Double]
    private let threshold: PValue
    private var moment: [Int]
    private var momentTotal = 0
    private var step = 0
    private var lastVariant = 0
    private var lastMoment = Moment.unknown
    /// Units that were weighed, but not yet handed to the test.
    private var pending: [Int]
    private var pendingTotal = 0
    private var unitCount = 0
    /// The logarithm of the Bayes factor after each unit, and the largest so far.
    private var logarithm = 0.0
    private var largest = 0.0
    private(set) var crossing: SequentialResult.Crossing?

    /// The value of the authors of the test.
    private static let concentration = 100.0
    /// The number of units after which the sum of small steps is computed anew.
    private static let longestPending = 65_536
    /// More than the error of the sum of steps.
    private static let margin = 1e-6

    init?(weights: [Double], threshold: PValue) {
        guard let test = try? SequentialRatioTest(shares: weights, concentration: Self.concentration) else {
            return nil
        }
        self.test = test
        self.threshold = threshold
        let total = weights.reduce(0, +)
        shares = weights.map { $0 / total }
        moment = Array(repeating: 0, count: weights.count)
        pending = moment
    }

    var pValue: PValue { min(test.pValue, PValue(logarithm: -largest)) }

    /// Takes units of one variant, whose share is above 0.
    /// - Parameter step: grows with time; rows of one step are tested together.
    mutating func observe(_ variant: Int, count: Int, step: Int, moment time: Moment = .unknown) {
        if step != self.step { endMoment() }
        self.step = step
        moment[variant] += count
        momentTotal += count
        lastVariant = variant
        lastMoment = time
    }

    mutating func endMoment() {
        guard momentTotal > 0 else { return }
        unitCount += momentTotal
        if momentTotal == 1 {
            weighOne(lastVariant)
            moment[lastVariant] = 0
        } else {
            for variant in moment.indices {
                pending[variant] += moment[variant]
                moment[variant] = 0
            }
            handOver()
        }
        momentTotal = 0
    }

    /// Multiplies the Bayes factor by what one unit adds to it, which is sooner done than working it out anew.
    private mutating func weighOne(_ variant: Int) {
        let share = shares[variant]
        let parameter = Self.concentration * share + Double(test.counts[variant] + pending[variant])
        logarithm += .log(parameter / ((Self.concentration + Double(unitCount - 1)) * share))
        largest = max(largest, logarithm)
        pending[variant] += 1
        pendingTotal += 1
        let isNear = crossing == nil && logarithm > -threshold.logarithm - Self.margin
        if isNear || pendingTotal == Self.longestPending { handOver() }
    }

    private mutating func handOver() {
        test.observe(counts: pending)
        for variant in pending.indices { pending[variant] = 0 }
        pendingTotal = 0
        logarithm = test.bayesFactorLogarithm
        if crossing == nil, test.pValue < threshold {
            crossing = SequentialResult.Crossing(moment: lastMoment, unitCount: unitCount)
        }
    }
}

enum SequentialResult: Sendable, Hashable {
    /// Where the p-value first fell below the threshold.
    struct Crossing: Sendable, Hashable {
        let moment: Moment
        let unitCount: Int
    }

    /// The smallest p-value at any row, which is valid however often one looks.
    case tested(PValue, crossing: Crossing?)
    /// There is a column of times, and no time in it that can be read.
    case untimed
    case orderUnknown
    /// The rows are said to be in the order of time, but are sorted by variant.
    case sorted(VariantRuns)
}

/// How often the variant changes from one row to the next. In the order of time variants come mixed. A file that is
/// sorted by variant consists of a few long runs, whatever the variants' ratio.
struct VariantRuns: Sendable, Hashable {
    private(set) var count = 0
    private var last: Int?
    private var rows: [Int]

    init(variantCount: Int) { rows = Array(repeating: 0, count: variantCount) }

    mutating func note(_ variant: Int) {
        if variant != last { count += 1 }
        last = variant
        rows[variant] += 1
    }

    /// The number of runs that rows in random order are expected to have (W. L. Stevens, "Distribution of groups in a
    /// sequence of alternatives", 1939).
    var expected: Double {
        let total = Double(rows.reduce(0, +))
        guard total > 0 else { return 0 }
        return 1 + rows.reduce(0) { $0 + Double($1) * (total - Double($1)) / total }
    }

    /// Whether there are so few runs that the order cannot be that of time. Even if a variant is lost from some moment
    /// on, there is half the expected number.
    var isSorted: Bool { count > 0 && Double(count) * 4 <= expected }
}
