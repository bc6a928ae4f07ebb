import AllotConfiguration
import AllotStatistics
import RealModule

/// Where a mismatch comes from: the ratio within each value of each attribute.
struct Localisation: Sendable {
    struct Value: Sendable, Hashable {
        let attribute: String
        /// The value, `nil` for the units that have none.
        let text: String?
        /// A value of another attribute, where only units with both are meant.
        var other: Other?
        /// Whether the attribute was named, or is known before the assignment.
        var isNamed = false
        var counts: [Int]
        /// The ratio within the value, tested by itself.
        var pValue: PValue
        /// ``pValue`` after Holm's correction for all values that were tested, those of named attributes apart.
        var adjusted: PValue
        /// Whether its ratio differs from that of the other units, after the same correction.
        var difference: PValue
        /// The ratio of all other units; `nil` if there are none to test, or if the value does not stand out.
        var without: PValue?
    }

    struct Other: Sendable, Hashable {
        let attribute: String
        let text: String?
    }

    struct Attribute: Sendable, Hashable {
        let name: String
        let valueCount: Int
        /// Whether the ratio differs between the values, of which those with few units are one, after Holm's correction
        /// for all attributes; `nil` where there are too few units, or no mismatch.
        var homogeneity: PValue?
    }

    /// The source of a mismatch, as far as the values show it.
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
    let attributes: [Attribute]
    /// The number of values that have too few units for a test.
    let untestedCount: Int
    let finding: Finding
    let tally: LocalisationTally
    /// The attribute that holds the days of the data.
    let time: String?

    /// Below this p-value a value differs from the others.
    static let distinct = PValue(0.01)
    /// Below this p-value of homogeneity a mismatch is not said to be everywhere, because that ends all searches.
    static let uneven = PValue(0.05)
    /// Up to this p-value a value is shown.
    static let shown = PValue(0.05)
    /// The most attributes whose pairs of values are tested, and the most numbers that are counted for two of them.
    fileprivate static let pairedAttributes = 8
    fileprivate static let pairedCells = 1 << 20

    /// Tests every value of every attribute.
    ///
    /// Complexity: O(records × attributes + values × variants + values × log values), and an exact test for each value
    /// that stands out. Pairs of values take O(records) for each pair of up to eight attributes.
    init(_ source: RecordAttributes, _ sample: RecordSample, shares: [Double], threshold: PValue, hidden: PValue) {
        var tested: [Value] = []
        var attributes: [Attribute] = []
        var tables: [[[Int]]] = []
        var untestedCount = 0
        let counts = sample.counts
        let ratio = ValueRatio(shares: shares)
        var several: [RecordAttribute] = []
        for attribute in source.attributes(sample) {
            let table = ValueTable(attribute, sample)
            guard table.values.count > 1 else { continue }
            several.append(attribute)
            attributes.append(Attribute(name: table.name, valueCount: table.values.count))
            tables.append(table.values.map(\.counts))
            let values = table.values.compactMap { Value(table, $0, of: counts, ratio) }
            untestedCount += table.values.count - values.count
            tested += values
        }
        // Facts from before the assignment do not pay for what may be outcomes.
        for isNamed in [true, false] {
            let group = tested.indices.filter { tested[$0].isNamed == isNamed }
            let adjusted = zip(
                Holm.adjusted(group.map { tested[$0].pValue }), Holm.adjusted(group.map { tested[$0].difference }))
            for (index, pair) in zip(group, adjusted) {
                (tested[index].adjusted, tested[index].difference) = pair
                guard pair.0 < Self.shown else { continue }
                let rest = zip(counts, tested[index].counts).map { $0 - $1 }
                tested[index].without = RatioTest(counts: rest, shares: shares)?.pValue
            }
        }
        values = tested.enumerated().sorted {
            ($0.element.pValue.logarithm, $0.offset) < ($1.element.pValue.logarithm, $1.offset)
        }.map(\.element)
        self.untestedCount = untestedCount
        (tally, time) = (source.values, source.time)
        let total = RatioTest(counts: counts, shares: shares)?.pValue
        let pairs = PairSearch(
            source: source, attributes: several, sample: sample, shares: shares, threshold: threshold)
        if let total, total < threshold {
            let homogeneity = tables.map(ratio.homogeneity)
            let known = attributes.indices.filter { homogeneity[$0] != nil }
            let adjusted = Holm.adjusted(known.compactMap { homogeneity[$0] })
            for (index, pValue) in zip(known, adjusted) { attributes[index].homogeneity = pValue }
            let found =
                MismatchSearch(
                    values: values, attributes: attributes, counts: counts, shares: shares, threshold: threshold
                ).finding
            finding = pairs.narrow(found)
        } else {
            let hiding = values.filter { $0.adjusted < hidden && $0.difference < hidden }
            let found = hiding.first(where: \.isNamed) ?? pairs.hidden(below: hidden) ?? hiding.first
            finding = found.map(Finding.hidden) ?? .nothing
        }
        self.attributes = attributes
    }

    var droppedAttributes: [String] { tally.attributes.filter(\.isDropped).map(\.name) }
}

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
    fileprivate init?(
        _ table: ValueTable, _ value: (text: String?, counts: [Int]), of total: [Int], _ ratio: ValueRatio
    ) {
        guard let pValue = ratio.pValue(value.counts) else { return nil }
        let rest = zip(total, value.counts).map { $0 - $1 }
        self.init(
            attribute: table.name, text: value.text, isNamed: table.isNamed, counts: value.counts, pValue: pValue,
            adjusted: pValue, difference: ratio.difference(value.counts, rest), without: nil)
    }
}

/// Looks for pairs of values of two attributes, where a mismatch is of a part of the units with a value only.
private struct PairSearch {
    let source: RecordAttributes
    let attributes: [RecordAttribute]
    let sample: RecordSample
    let shares: [Double]
    let threshold: PValue

    /// The finding about the pair of values that holds the mismatch, or the finding itself.
    func narrow(_ finding: Localisation.Finding) -> Localisation.Finding {
        switch finding {
        case .source(let values, _):
            guard values.count == 1, let pair = pair(values[0]) else { return finding }
            return pair.without.map { .source([pair], without: $0) } ?? finding
        case .part(let value):
            guard let pair = pair(value), let without = pair.without else { return finding }
            return without < threshold ? .part(pair) : .source([pair], without: without)
        case .nothing, .uneven, .everywhere:
            guard let pair = worst(of: attributes, below: Localisation.distinct),
                let without = pair.without, without >= threshold
            else { return finding }
            return .source([pair], without: without)
        case .hidden: return finding
        }
    }

    /// The pair of values of named attributes that is not in the ratio, though all units together are.
    func hidden(below level: PValue) -> Localisation.Value? { worst(of: attributes.filter(\.isNamed), below: level) }

    /// The pair of values whose units are the least in the ratio, and in another ratio than all other units, after
    /// Bonferroni's correction for all pairs.
    private func worst(of attributes: [RecordAttribute], below level: PValue) -> Localisation.Value? {
        // Variants of other experiments come last.
        let few = (attributes.filter { !$0.isComputed } + attributes.filter(\.isComputed))
            .prefix(Localisation.pairedAttributes)
        let ratio = ValueRatio(shares: shares)
        var pairs: [(value: Localisation.Value, approximation: PValue)] = []
        for (index, first) in few.enumerated() {
            for second in few[(index + 1)...] where !first.isComputed { pairs += values(first, second, ratio) }
        }
        func corrected(_ pValue: PValue) -> PValue { PValue(logarithm: pValue.logarithm + .log(Double(pairs.count))) }
        // An exact test takes its time. The order of rows, by which values are numbered, must not show.
        let smallest = pairs.sorted { left, right in
            left.approximation == right.approximation
                ? UTF8Order.precedes(left.value.name, right.value.name) : left.approximation < right.approximation
        }.prefix(Self.testedExactly)
        let tested = smallest.compactMap { pair in
            ratio.pValue(pair.value.counts).map { pValue in
                var value = pair.value
                (value.pValue, value.adjusted) = (pValue, corrected(pValue))
                return value
            }
        }
        guard var worst = tested.min(by: { $0.pValue < $1.pValue }), worst.adjusted < level else { return nil }
        let rest = zip(sample.counts, worst.counts).map { $0 - $1 }
        worst.difference = corrected(ratio.difference(worst.counts, rest))
        worst.without = RatioTest(counts: rest, shares: shares)?.pValue
        return worst.difference < level ? worst : nil
    }

    private static let testedExactly = 20

    /// The pairs of values of two attributes with enough units for a test.
    private func values(
        _ first: RecordAttribute, _ second: RecordAttribute, _ ratio: ValueRatio
    ) -> [(value: Localisation.Value, approximation: PValue)] {
        let (width, rows) = (second.valueCount + 1, first.valueCount + 1)
        guard rows * width * sample.classCount <= Localisation.pairedCells else { return [] }
        let both = RecordAttribute(
            name: first.name, isNamed: first.isNamed && second.isNamed, valueCount: rows * width,
            number: { record in
                let (row, column) = (first.number(record), second.number(record))
                return (row < 0 ? rows - 1 : row) * width + (column < 0 ? width - 1 : column)
            }, text: String.init)
        return ValueTable(both, sample).values.compactMap { value in
            guard let cell = value.text.flatMap({ Int($0) }), let pValue = ratio.approximatePValue(value.counts)
            else { return nil }
            let (row, column) = cell.quotientAndRemainder(dividingBy: width)
            // Units without a variant of another experiment say nothing.
            guard !second.isComputed || column < width - 1 else { return nil }
            let found = Localisation.Value(
                attribute: first.name, text: row < rows - 1 ? first.text(row) : nil,
                other: .init(attribute: second.name, text: column < width - 1 ? second.text(column) : nil),
                isNamed: both.isNamed, counts: value.counts, pValue: pValue, adjusted: pValue, difference: pValue)
            return (found, pValue)
        }
    }

    /// The part of a value's units in which the ratio is wrong, if it is right in the rest of them.
    private func pair(_ value: Localisation.Value) -> Localisation.Value? {
        let part = sample.filter(source.holder(of: value.attribute, [value.text]))
        let ratio = ValueRatio(shares: shares)
        var found: [Localisation.Value] = []
        for table in source.tables(part) where table.values.count > 1 {
            found += table.values.compactMap { Localisation.Value(table, $0, of: part.counts, ratio) }
        }
        let differences = Holm.adjusted(found.map(\.difference))
        let best = found.indices.min { found[$0].pValue < found[$1].pValue }
        guard let best, differences[best] < Localisation.distinct else { return nil }
        let rest = zip(part.counts, found[best].counts).map { $0 - $1 }
        guard let left = RatioTest(counts: rest, shares: shares), left.pValue >= Localisation.distinct else {
            return nil
        }
        var pair = value
        pair.other = .init(attribute: found[best].attribute, text: found[best].text)
        (pair.counts, pair.difference) = (found[best].counts, differences[best])
        pair.pValue = found[best].pValue
        pair.without = RatioTest(counts: zip(sample.counts, pair.counts).map { $0 - $1 }, shares: shares)?.pValue
        return pair
    }
}
