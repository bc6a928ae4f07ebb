import AllotStatistics
import RealModule

/// Where a mismatch comes from: the ratio within each value of each attribute.
public struct Localisation: Sendable {
    /// One value of one attribute.
    public struct Value: Sendable, Hashable {
        /// The attribute's name.
        public let attribute: String
        /// The value, `nil` for the units that have none.
        public let text: String?
        /// The units of each variant.
        public let counts: [Int]
        /// The ratio within the value, tested by itself.
        public let pValue: PValue
        /// ``pValue`` after Holm's correction for all values that were tested.
        public let adjusted: PValue
        /// Whether its ratio differs from that of the other units, after the same correction.
        public let difference: PValue
        /// The ratio of all other units; `nil` if there are none to test.
        public let without: PValue?

        /// The number of units with the value, in all variants.
        public var unitCount: Int { counts.reduce(0, +) }
    }

    /// What the values say.
    public enum Finding: Sendable, Hashable {
        /// The ratio is right, and no value stands out.
        case nothing
        /// Values of one attribute, without which there is no alarm, with the p-value of what is then left.
        case source([Value], without: PValue)
        /// A value that stands out, though what is left without it is not right either.
        case part(Value)
        /// The ratio is wrong in much the same way everywhere.
        case everywhere
        /// The ratio is right as a whole, and wrong within a value.
        case hidden(Value)
    }

    /// All values that were tested, the smallest p-value first.
    public let values: [Value]
    /// The attributes that were looked at.
    public let attributes: [String]
    /// The attributes that were skipped for their many values.
    public let droppedAttributes: [String]
    /// The number of values that have too few units for a test.
    public let untestedCount: Int
    /// What the values say together.
    public let finding: Finding

    /// Below this p-value a value differs from the others.
    static let distinct = PValue(0.01)
    /// The most values that are named together as a source.
    static let sourceLimit = 5

    /// Tests every value of every attribute.
    ///
    /// Complexity: O(values × variants + values × log values).
    ///
    /// - Parameters:
    ///   - counts: the units of each variant.
    ///   - threshold: the p-value below which a ratio counts as wrong.
    init(_ tally: LocalisationTally, counts: [Int], shares: [Double], threshold: PValue) {
        var candidates: [Candidate] = []
        var (attributes, dropped): ([String], [String]) = ([], [])
        var untested = 0
        for attribute in tally.attributes {
            guard !attribute.isDropped else {
                dropped.append(attribute.name)
                continue
            }
            let found = Candidate.all(of: attribute, counts: counts)
            guard found.count > 1 else { continue }
            attributes.append(attribute.name)
            let tested = found.compactMap { $0.tested(counts: counts, shares: shares) }
            untested += found.count - tested.count
            candidates += tested
        }
        let adjusted = Holm.adjusted(candidates.map(\.pValue))
        let differences = Holm.adjusted(candidates.map(\.difference))
        let order = candidates.indices.sorted { candidates[$0].pValue < candidates[$1].pValue }
        values = order.map { candidates[$0].value(adjusted: adjusted[$0], difference: differences[$0]) }
        self.attributes = attributes
        droppedAttributes = dropped
        untestedCount = untested
        finding = Self.finding(values, counts: counts, shares: shares, threshold: threshold)
    }

    private static func finding(
        _ values: [Value], counts: [Int], shares: [Double], threshold: PValue
    ) -> Finding {
        guard let total = RatioTest(counts: counts, shares: shares)?.pValue, !values.isEmpty else { return .nothing }
        guard total < threshold else {
            let hidden = values.first { $0.adjusted < threshold && $0.difference < threshold }
            return hidden.map(Finding.hidden) ?? .nothing
        }
        guard let worst = values.first(where: { $0.difference < distinct && $0.adjusted < threshold }) else {
            return .everywhere
        }
        var left = counts
        var removed: [Value] = []
        for value in values where value.attribute.utf8.elementsEqual(worst.attribute.utf8) {
            guard removed.count < sourceLimit, value.adjusted < distinct, value.difference < distinct else { break }
            removed.append(value)
            for index in left.indices { left[index] -= value.counts[index] }
            if let rest = RatioTest(counts: left, shares: shares)?.pValue, rest >= threshold {
                return .source(removed, without: rest)
            }
        }
        return .part(worst)
    }
}

/// A value on its way to being tested.
private struct Candidate {
    let attribute: String
    let text: String?
    let counts: [Int]
    var pValue = PValue(1)
    var difference = PValue(1)
    var without: PValue?

    /// The values of an attribute; the units that are left over have none.
    static func all(of attribute: ValueTally, counts: [Int]) -> [Candidate] {
        var missing = counts
        var found: [Candidate] = []
        for value in 0..<attribute.valueCount {
            let counts = attribute.counts(value)
            for index in missing.indices { missing[index] -= counts[index] }
            found.append(Candidate(attribute: attribute.name, text: attribute.text(value), counts: counts))
        }
        if missing.contains(where: { $0 > 0 }) {
            found.append(Candidate(attribute: attribute.name, text: nil, counts: missing))
        }
        return found
    }

    /// The value with its tests; `nil` if it has too few units.
    func tested(counts total: [Int], shares: [Double]) -> Candidate? {
        guard let test = RatioTest(counts: counts, shares: shares), test.method == .chiSquare else { return nil }
        var tested = self
        tested.pValue = test.pValue
        let rest = zip(total, counts).map { $0 - $1 }
        tested.without = RatioTest(counts: rest, shares: shares)?.pValue
        let columns = counts.indices.filter { total[$0] > 0 }
        if let independence = try? IndependenceTest(table: [columns.map { counts[$0] }, columns.map { rest[$0] }]) {
            tested.difference = independence.pValue
        }
        return tested
    }

    func value(adjusted: PValue, difference: PValue) -> Localisation.Value {
        Localisation.Value(
            attribute: attribute, text: text, counts: counts, pValue: pValue, adjusted: adjusted,
            difference: difference, without: without)
    }
}
