import AllotStatistics
import RealModule

/// Where a mismatch comes from: the ratio within each value of each attribute.
struct Localisation: Sendable {
    /// One value of one attribute.
    struct Value: Sendable, Hashable {
        /// The attribute's name.
        let attribute: String
        /// The value, `nil` for the units that have none.
        let text: String?
        /// The units of each variant.
        let counts: [Int]
        /// The ratio within the value, tested by itself.
        let pValue: PValue
        /// ``pValue`` after Holm's correction for all values that were tested.
        var adjusted: PValue
        /// Whether its ratio differs from that of the other units, after the same correction.
        var difference: PValue
        /// The ratio of all other units; `nil` if there are none to test.
        let without: PValue?
    }

    /// What the values say.
    enum Finding: Sendable, Hashable {
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
    let values: [Value]
    /// The attributes that were looked at.
    let attributes: [String]
    /// The number of values that have too few units for a test.
    let untestedCount: Int
    /// What the values say together.
    let finding: Finding
    /// What was counted.
    let tally: LocalisationTally

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
        var tested: [Value] = []
        var attributes: [String] = []
        var untestedCount = 0
        for attribute in tally.attributes where !attribute.isDropped {
            let found = attribute.values(of: counts)
            guard found.count > 1 else { continue }
            attributes.append(attribute.name)
            let values = found.compactMap {
                Value(attribute.name, $0.text, counts: $0.counts, of: counts, shares: shares)
            }
            untestedCount += found.count - values.count
            tested += values
        }
        let adjusted = zip(Holm.adjusted(tested.map(\.pValue)), Holm.adjusted(tested.map(\.difference)))
        for (index, pair) in adjusted.enumerated() { (tested[index].adjusted, tested[index].difference) = pair }
        values = tested.sorted { $0.pValue < $1.pValue }
        self.attributes = attributes
        self.untestedCount = untestedCount
        self.tally = tally
        finding = Self.finding(values, counts: counts, shares: shares, threshold: threshold)
    }

    /// The attributes that were skipped for their many values.
    var droppedAttributes: [String] {
        tally.attributes.filter(\.isDropped).map(\.name)
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

extension Localisation.Value {
    /// Tests a value, without corrections; `nil` if it has too few units.
    fileprivate init?(_ attribute: String, _ text: String?, counts: [Int], of total: [Int], shares: [Double]) {
        guard let test = RatioTest(counts: counts, shares: shares), test.method == .chiSquare else { return nil }
        let rest = zip(total, counts).map { $0 - $1 }
        let columns = counts.indices.filter { total[$0] > 0 }
        let independence = try? IndependenceTest(table: [columns.map { counts[$0] }, columns.map { rest[$0] }])
        self.init(
            attribute: attribute, text: text, counts: counts, pValue: test.pValue, adjusted: test.pValue,
            difference: independence?.pValue ?? PValue(1), without: RatioTest(counts: rest, shares: shares)?.pValue)
    }
}

extension ValueTally {
    /// The units of each value; those that are left over have none.
    fileprivate func values(of total: [Int]) -> [(text: String?, counts: [Int])] {
        var missing = total
        var found: [(text: String?, counts: [Int])] = []
        for value in 0..<valueCount {
            found.append((text(value), counts(value)))
            for (index, count) in counts(value).enumerated() { missing[index] -= count }
        }
        return missing.contains { $0 > 0 } ? found + [(nil, missing)] : found
    }
}
