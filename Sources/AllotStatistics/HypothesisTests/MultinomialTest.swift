import RealModule

/// The way in which the p-value of counts was found.
public enum CountsTestMethod: Sendable, Hashable {
    /// Pearson's approximation.
    case chiSquare
    /// From the probabilities of all counts that are possible.
    case exact
    /// From those of the variants of which few units are expected, and Pearson's approximation among the others, if
    /// that is not below the p-value of the likelihood-ratio test.
    case partlyExact
    /// From the probabilities of this number of random counts, which are the same each time.
    case monteCarlo(draws: Int)
    /// An upper bound, from the probability of the counts and the number of counts that are possible.
    case bound
    /// The likelihood-ratio test, whose p-value is larger than that of Pearson's approximation, or of the partly
    /// exact test.
    case likelihoodRatio
}

/// The exact test of counts against expected shares: what is the probability of counts that are no more probable than
/// those observed? That is what "exact" means of every p-value of counts.
///
/// It is for few units, where Pearson's approximation fails. With two categories it is the exact binomial test. The
/// counts of categories of which few are expected are enumerated; for each of them the others are two categories, whose
/// binomial tails are exact, or are many of each, and have the chi-square distribution. Where that would take too long,
/// the counts are not enumerated but random, always the same ones for the same input; if the counts are so
/// improbable that no draw would be like them, the p-value is an upper bound.
package struct MultinomialTest: Sendable, Hashable {
    package let pValue: PValue
    package let method: CountsTestMethod

    /// Up to this number of counts are enumerated.
    package static let enumerationLimit = 50_000
    /// The number of random draws, fewer where each of them is of many units.
    package static let mostDraws = 50_000
    private static let mostUnits = 10_000_000.0

    /// Tests counts if few enough matter to enumerate them all; `nil` otherwise, after less than 10 milliseconds. Three
    /// or more categories of at least `few` expected are left to the chi-square distribution.
    package init?(enumerating counts: [Int], shares: [Double], few: Double = 5) throws(CountsError) {
        guard let split = try Self.split(counts, shares, few: few) else {
            self = .impossible
            return
        }
        self.init(split, enumerationLimit: Self.enumerationLimit)
    }

    /// Tests counts against shares. A category of share 0 is left out while its count is 0; a count in it is
    /// impossible, and the p-value 0.
    package init(
        counts: [Int], shares: [Double], few: Double = 5, enumerationLimit: Int = Self.enumerationLimit,
        mostDraws: Int = Self.mostDraws
    ) throws(CountsError) {
        guard let split = try Self.split(counts, shares, few: few) else {
            self = .impossible
            return
        }
        if let test = Self(split, enumerationLimit: enumerationLimit) {
            self = test
            return
        }
        let draws = min(mostDraws, max(1000, Int(Self.mostUnits / max(split.expectedUnits, 1))))
        if split.bound < PValue(1 / Double(draws + 1)) {
            (pValue, method) = (split.bound, .bound)
        } else {
            var generator = MultinomialDraws(split)
            pValue = PValue(generator.meanTail(draws: draws))
            method = .monteCarlo(draws: draws)
        }
    }

    private init?(_ split: MultinomialSplit, enumerationLimit: Int) {
        guard split.isEnumerable(within: enumerationLimit) else { return nil }
        self.init(pValue: PValue(logarithm: split.sum()), method: split.rest.isExact ? .exact : .partlyExact)
    }

    private init(pValue: PValue, method: CountsTestMethod) {
        self.pValue = pValue
        self.method = method
    }

    private static let impossible = Self(pValue: PValue(0), method: .exact)

    /// The categories in two parts; `nil` if the counts are impossible.
    private static func split(
        _ counts: [Int], _ shares: [Double], few: Double
    ) throws(CountsError) -> MultinomialSplit? {
        guard try ChiSquare(counts: counts, shares: shares).statistic.isFinite else { return nil }
        return MultinomialSplit(counts: counts, shares: shares, few: few)
    }
}

/// Categories in two parts: those whose counts are enumerated or random, and the rest, whose tails are computed.
struct MultinomialSplit: Sendable {
    /// The categories whose tails are computed: the largest ones.
    enum Rest: Sendable {
        /// Two categories.
        case pair(BinomialTails)
        /// Many units of each of three or more categories, whose shares add up to 1.
        case many(shares: [Double])

        var isExact: Bool { if case .pair = self { true } else { false } }

        /// The logarithm of the probability of the most probable counts of many units, and so that of others less half
        /// their chi-square statistic.
        private static func most(_ shares: [Double], _ total: Int) -> Double {
            shares.reduce(0.5 * .log(2 * .pi * Double(total))) { $0 - 0.5 * .log(2 * .pi * Double(total) * $1) }
        }

        fileprivate func mass(_ counts: [Int]) -> Double {
            let total = counts.reduce(0, +)
            switch self {
            case .pair(let binomial): return binomial.mass(counts[0], of: total)
            case .many(let shares):
                guard let test = try? ChiSquare(counts: counts, shares: shares) else { return 0 }
                return Self.most(shares, total) - test.statistic / 2
            }
        }

        /// The logarithm of the probability of all counts whose own probability is at most a limit.
        func tail(_ limit: Double, total: Int) -> Double {
            switch self {
            case .pair(let binomial): return binomial.outside(limit, of: total)
            case .many(let shares):
                guard total > 0 else { return limit < 0 ? -.infinity : 0 }
                let statistic = 2 * (Self.most(shares, total) - limit)
                return ChiSquare.upperTail(max(statistic, 0), degreesOfFreedom: Double(shares.count - 1)).logarithm
            }
        }
    }

    let total: Int
    /// For each category that is not in the rest: its share of it, all later ones and the rest.
    let free: [BinomialTails]
    /// Their shares of all.
    let freeShares: [Double]
    /// Their sum, and what is left of 1.
    let freeShare: BinomialTails
    let rest: Rest
    /// The logarithm of the probability of the observed counts, with room for rounding: equally probable counts belong
    /// to the tail.
    let limit: Double
    let bound: PValue

    private static let slack = 1e-7

    init(counts: [Int], shares: [Double], few: Double) {
        let total = counts.reduce(0, +)
        let sum = shares.reduce(0, +)
        let order = shares.indices.filter { shares[$0] > 0 }.sorted { (shares[$0], $0) < (shares[$1], $1) }
        let largeCount = order.count { Double(total) * shares[$0] / sum >= few }
        let (first, others) = (order.dropLast(max(2, largeCount)), order.suffix(max(2, largeCount)))
        // The sums of the shares from each category on.
        let tails = order.reversed().reduce(into: [0.0]) { $0.append(($0.last ?? 0) + shares[$1]) }.reversed()
        let sums = Array(tails)
        let steps = order.enumerated().map { place, index in
            BinomialTails(probability: shares[index] / sums[place], complement: sums[place + 1] / sums[place])
        }
        free = Array(steps.prefix(first.count))
        freeShares = first.map { shares[$0] / sum }
        let restSum = sums[first.count]
        freeShare = BinomialTails(probability: freeShares.reduce(0, +), complement: restSum / sum)
        let restShares = others.map { shares[$0] / restSum }
        rest =
            restShares.count == 2
            ? .pair(BinomialTails(probability: restShares[0], complement: restShares[1])) : .many(shares: restShares)
        var left = total
        let masses = zip(steps, order).map { step, index in
            defer { left -= counts[index] }
            return step.mass(counts[index], of: left)
        }
        self.total = total
        limit = masses.prefix(first.count).reduce(0, +) + rest.mass(others.map { counts[$0] }) + Self.slack
        let possibleCounts = (1..<order.count).reduce(0) { $0 + .log(onePlus: Double(total) / Double($1)) }
        bound = PValue(logarithm: masses.reduce(0, +) + Self.slack + possibleCounts)
    }

    var expectedUnits: Double { Double(total) * freeShare.probability }
}

/// The sum over all counts of the free categories that matter.
extension MultinomialSplit {
    /// Parts of less than exp(-40) of the sum do not matter. The observed counts are in the sum.
    private static let negligible = 40.0

    /// Whether fewer than a number of counts matter.
    func isEnumerable(within limit: Int) -> Bool {
        var left = limit
        enumerate(left: total, atMost: &left) { _, _ in }
        return left > 0
    }

    /// The logarithm of the probability of all counts whose own probability is at most the limit.
    func sum() -> Double {
        var (sum, unlimited) = (-Double.infinity, Int.max)
        enumerate(left: total, atMost: &unlimited) { probability, left in
            guard probability > sum - Self.negligible else { return }
            sum = Logarithm.sum(sum, probability + rest.tail(limit - probability, total: left))
        }
        return sum
    }

    /// Calls `body` with the logarithm of the probability of free counts, those before `place` in `prefix`, and the
    /// number of units that they leave. At most `steps` more counts are looked at; 0 are left when they were too many.
    private func enumerate(
        from place: Int = 0, prefix: Double = 0, left: Int, atMost steps: inout Int, _ body: (Double, Int) -> Void
    ) {
        guard place < free.count else { return body(prefix, left) }
        let mean = Double(left) * free[place].probability
        for count in 0...left {
            guard steps > 0 else { return }
            steps -= 1
            let mass = prefix + free[place].mass(count, of: left)
            if mass >= limit - Self.negligible {
                enumerate(from: place + 1, prefix: mass, left: left - count, atMost: &steps, body)
            } else if Double(count) > mean {
                return
            }
        }
    }
}

/// The mean of the rest's tail over random counts of the free categories.
private struct MultinomialDraws {
    private let split: MultinomialSplit
    private let sums: [Double]
    private let logarithms: [Double]
    private var state: UInt64 = 0

    init(_ split: MultinomialSplit) {
        self.split = split
        sums = split.freeShares.indices.map { split.freeShares[...$0].reduce(0, +) }
        logarithms = split.freeShares.map { .log($0 / split.freeShare.probability) }
    }

    /// The observed counts are one of the draws, so that the mean is a valid p-value.
    mutating func meanTail(draws: Int) -> Double {
        var counts = split.freeShares.map { _ in 0 }
        var sum = 1.0
        for _ in 0..<draws {
            let count = draw(&counts)
            var prefix = split.freeShare.mass(count, of: split.total) + .logGamma(Double(count) + 1)
            for index in counts.indices where counts[index] > 0 {
                prefix += Double(counts[index]) * logarithms[index] - .logGamma(Double(counts[index]) + 1)
                counts[index] = 0
            }
            sum += .exp(split.rest.tail(split.limit - prefix, total: split.total - count))
        }
        return sum / Double(draws + 1)
    }

    /// Draws counts and returns their sum. The distance from one free unit to the next is geometric.
    private mutating func draw(_ counts: inout [Int]) -> Int {
        let scale = 1 / Double.log(onePlus: -split.freeShare.probability)
        var (position, sum) = (0.0, 0)
        while true {
            position += (.log(uniform()) * scale).rounded(.down) + 1
            guard position <= Double(split.total) else { return sum }
            let point = uniform() * split.freeShare.probability
            var (low, high) = (0, sums.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if sums[middle] <= point { low = middle + 1 } else { high = middle }
            }
            counts[low] += 1
            sum += 1
        }
    }

    /// Above 0 and at most 1, by SplitMix64 (Steele, Lea and Flood 2014).
    private mutating func uniform() -> Double {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Double(((mixed ^ (mixed >> 31)) >> 11) + 1) * 0x1p-53
    }
}
