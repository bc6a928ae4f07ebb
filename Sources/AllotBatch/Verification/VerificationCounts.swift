import AllotConfiguration

/// The rows and units that agree, and those that differ.
struct VerificationCounts: BatchStatistics {
    /// A variant of an experiment that rows have, or none.
    struct Match: Sendable, Hashable {
        let target: Int
        var experiment: Int?
        var variant = 0
    }

    /// A way in which rows differ.
    struct Key: Sendable, Hashable, Comparable {
        /// The experiment or setting that the rows name; `nil` if the plan has none.
        let target: Int?
        /// The names of the experiment and of what was recorded and found, and the reason.
        private let texts: [UTF8Key]
        /// Whether the unit has no variant: the base's value of a setting, or one that says "no".
        let isNone: Bool

        init(
            _ target: Int?, _ experiment: String, _ recorded: String, _ found: String, _ reason: String, isNone: Bool
        ) {
            (self.target, self.isNone) = (target, isNone)
            texts = [experiment, recorded, found, reason].map(UTF8Key.init)
        }

        var experiment: String { texts[0].text }
        var recorded: String { texts[1].text }
        var found: String { texts[2].text }
        var reason: String { texts[3].text }
        static func < (left: Key, right: Key) -> Bool { left.texts.lexicographicallyPrecedes(right.texts) }
    }

    struct Tally: Sendable {
        var count = 0
        var units: Set<UInt64> = []
        var examples: [String] = []
    }

    private(set) var rowCount = 0
    var doubts = DoubtfulValues()
    /// The number of rows without the unit ID that decides, which prove nothing.
    private(set) var withoutUnitCount = 0
    /// The number of rows that agree, by what they have.
    private(set) var kept: [Match: Int] = [:]
    /// Hashes of the unit IDs of rows that prove something, each once.
    private(set) var units: Set<UInt64> = []
    private(set) var hasRowsWithoutID = false
    /// The targets that rows name; empty before the first.
    private(set) var named: [Bool] = []
    private(set) var differences: [Key: Tally] = [:]

    private static let exampleLimit = 3
    /// Whatever a file has in its columns, the number of differences is bounded: further ones are counted as one. Only
    /// the hashes of units grow with the file, by about 20 bytes for each unit.
    private static let keyLimit = 10_000
    private static let further = Key(nil, "(others)", "", "", "others", isNone: false)

    @inline(__always)
    mutating func addNamed(_ target: Int, of count: Int) {
        if named.isEmpty { named = Array(repeating: false, count: count) }
        named[target] = true
    }

    mutating func addWithoutUnit() {
        rowCount += 1
        withoutUnitCount += 1
    }

    mutating func add(_ match: Match, _ unit: UInt64?) {
        addRow(of: unit)
        kept[match, default: 0] += 1
    }

    mutating func add(_ key: Key, _ unit: UInt64?, name: String) {
        addRow(of: unit)
        add(key, Tally(count: 1, units: unit.map { [$0] } ?? [], examples: [name]))
    }

    private mutating func addRow(of unit: UInt64?) {
        rowCount += 1
        if let unit { units.insert(unit) } else { hasRowsWithoutID = true }
    }

    private mutating func add(_ key: Key, _ tally: Tally) {
        let key = differences[key] == nil && differences.count >= Self.keyLimit ? Self.further : key
        var sum = differences.removeValue(forKey: key) ?? Tally()
        sum.count += tally.count
        sum.units.formUnion(tally.units)
        for example in tally.examples where sum.examples.count < Self.exampleLimit && !sum.examples.contains(example) {
            sum.examples.append(example)
        }
        differences[key] = sum
    }

    mutating func merge(_ next: Self) {
        rowCount += next.rowCount
        doubts.merge(next.doubts)
        withoutUnitCount += next.withoutUnitCount
        kept.merge(next.kept, uniquingKeysWith: +)
        units.formUnion(next.units)
        hasRowsWithoutID = hasRowsWithoutID || next.hasRowsWithoutID
        // Which differences are still kept must not depend on the order of a dictionary.
        let isFull = differences.count + next.differences.count > Self.keyLimit
        for (key, tally) in isFull ? next.differences.sorted(by: { $0.key < $1.key }) : Array(next.differences) {
            add(key, tally)
        }
        if named.isEmpty { named = next.named }
        for (index, isNamed) in next.named.enumerated() where isNamed { named[index] = true }
    }
}
