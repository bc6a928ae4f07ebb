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
        /// The ratio of all other units; `nil` if there are none to test, or if the value does not stand out.
        var without: PValue?
    }

    /// An attribute whose values were tested.
    struct Attribute: Sendable, Hashable {
        /// Its name.
        let name: String
        /// The number of its values.
        let valueCount: Int
        /// Whether the ratio differs between the values, of which those with few units are one, after Holm's correction
        /// for all attributes; `nil` where there are too few units, or no mismatch.
        var homogeneity: PValue?
    }

    /// What the values say.
    enum Finding: Sendable, Hashable {
        /// The ratio is right, and no value stands out.
        case nothing
        /// Values of one attribute, without which there is no alarm, with the p-value of what is then left.
        case source([Value], without: PValue)
        /// A value that stands out, though what is left without it is not right either.
        case part(Value)
        /// The ratio differs between the values of an attribute, and none of them stands out.
        case uneven(Attribute)
        /// The ratio is wrong in much the same way everywhere.
        case everywhere
        /// The ratio is right as a whole, and wrong within a value.
        case hidden(Value)
    }

    /// All values that were tested, the smallest p-value first.
    let values: [Value]
    /// The attributes that were looked at.
    let attributes: [Attribute]
    /// The number of values that have too few units for a test.
    let untestedCount: Int
    /// What the values say together.
    let finding: Finding
    /// What was counted.
    let tally: LocalisationTally

    /// Below this p-value a value differs from the others.
    static let distinct = PValue(0.01)
    /// Below this p-value of homogeneity a mismatch is not said to be everywhere, because that ends all searches.
    static let uneven = PValue(0.05)
    /// Up to this p-value a value is shown.
    static let shown = PValue(0.05)

    /// Tests every value of every attribute.
    ///
    /// Complexity: O(values × variants + values × log values), and an exact test for each value that stands out.
    ///
    /// - Parameters:
    ///   - counts: the units of each variant.
    ///   - threshold: the p-value below which a ratio counts as wrong.
    init(_ tally: LocalisationTally, counts: [Int], shares: [Double], threshold: PValue) {
        var tested: [Value] = []
        var attributes: [Attribute] = []
        var tables: [[[Int]]] = []
        var untestedCount = 0
        let ratio = ValueRatio(shares: shares)
        for attribute in tally.attributes where !attribute.isDropped {
            let found = attribute.values(of: counts)
            guard found.count > 1 else { continue }
            attributes.append(Attribute(name: attribute.name, valueCount: found.count))
            tables.append(found.map(\.counts))
            let values = found.compactMap { Value(attribute.name, $0.text, counts: $0.counts, of: counts, ratio) }
            untestedCount += found.count - values.count
            tested += values
        }
        let adjusted = zip(Holm.adjusted(tested.map(\.pValue)), Holm.adjusted(tested.map(\.difference)))
        for (index, pair) in adjusted.enumerated() {
            (tested[index].adjusted, tested[index].difference) = pair
            guard pair.0 < Self.shown else { continue }
            let rest = zip(counts, tested[index].counts).map { $0 - $1 }
            tested[index].without = RatioTest(counts: rest, shares: shares)?.pValue
        }
        values = tested.sorted { $0.pValue < $1.pValue }
        self.untestedCount = untestedCount
        self.tally = tally
        let total = RatioTest(counts: counts, shares: shares)?.pValue
        if let total, total < threshold {
            let homogeneity = tables.map(ratio.homogeneity)
            let known = attributes.indices.filter { homogeneity[$0] != nil }
            let adjusted = Holm.adjusted(known.compactMap { homogeneity[$0] })
            for (index, pValue) in zip(known, adjusted) { attributes[index].homogeneity = pValue }
            finding =
                MismatchSearch(
                    values: values, attributes: attributes, counts: counts, shares: shares, threshold: threshold
                ).finding
        } else {
            let hidden = values.first { $0.adjusted < threshold && $0.difference < threshold }
            finding = hidden.map(Finding.hidden) ?? .nothing
        }
        self.attributes = attributes
    }

    /// The attributes that were skipped for their many values.
    var droppedAttributes: [String] {
        tally.attributes.filter(\.isDropped).map(\.name)
    }
}

/// Looks for the values that a mismatch comes from.
private struct MismatchSearch {
    let values: [Localisation.Value]
    let attributes: [Localisation.Attribute]
    let counts: [Int]
    let shares: [Double]
    let threshold: PValue

    var finding: Localisation.Finding {
        guard !values.isEmpty else { return .nothing }
        // Values that differ from the others, or an attribute that differs as a whole.
        let candidates = attributes.map { (attribute: $0, evidence: evidence($0)) }
            .filter { $0.evidence < Localisation.uneven }.sorted { $0.evidence < $1.evidence }
        for candidate in candidates where candidate.evidence < Localisation.distinct {
            if let source = source(candidate.attribute) { return source }
        }
        guard let first = candidates.first?.attribute else { return .everywhere }
        let worst = values(of: first).first { $0.difference < Localisation.distinct && $0.adjusted < threshold }
        return worst.map(Localisation.Finding.part) ?? .uneven(first)
    }

    private func values(of attribute: Localisation.Attribute) -> [Localisation.Value] {
        values.filter { $0.attribute.utf8.elementsEqual(attribute.name.utf8) }
    }

    private func evidence(_ attribute: Localisation.Attribute) -> PValue {
        let wrong = values(of: attribute).filter { $0.adjusted < threshold }
        return (wrong.map(\.difference) + [attribute.homogeneity ?? PValue(1)]).min() ?? PValue(1)
    }

    /// All values whose ratio is wrong, if the rest is right without them and differs from them.
    private func source(_ attribute: Localisation.Attribute) -> Localisation.Finding? {
        let wrong = values(of: attribute).filter { $0.adjusted < Localisation.distinct }
        guard !wrong.isEmpty, wrong.count < attribute.valueCount else { return nil }
        let removed = counts.indices.map { index in wrong.reduce(0) { $0 + $1.counts[index] } }
        let rest = zip(counts, removed).map { $0 - $1 }
        guard let without = RatioTest(counts: rest, shares: shares)?.pValue, without >= threshold else { return nil }
        guard ValueRatio(shares: shares).difference(removed, rest) < Localisation.distinct else { return nil }
        return .source(wrong, without: without)
    }
}

extension Localisation.Value {
    /// Tests a value, without corrections; `nil` if it has too few units.
    fileprivate init?(_ attribute: String, _ text: String?, counts: [Int], of total: [Int], _ ratio: ValueRatio) {
        guard let pValue = ratio.pValue(counts) else { return nil }
        let rest = zip(total, counts).map { $0 - $1 }
        self.init(
            attribute: attribute, text: text, counts: counts, pValue: pValue, adjusted: pValue,
            difference: ratio.difference(counts, rest), without: nil)
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
