import AllotBatch
import AllotConfiguration
import AllotCore

/// Rows of one period of an experiment: those of one revision of its definition and of one randomisation.
struct RatioPeriod: Sendable {
    /// The salt and the revision of rows; empty where rows have none.
    struct Name: Sendable, Hashable {
        let salt: String
        let revision: String

        private var keys: [UTF8Key] { [UTF8Key(salt), UTF8Key(revision)] }

        static func == (left: Self, right: Self) -> Bool {
            UTF8Order.areEqual(left.salt, right.salt) && UTF8Order.areEqual(left.revision, right.revision)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(UTF8Key(salt))
            hasher.combine(UTF8Key(revision))
        }

        static func precedes(_ left: Self, _ right: Self) -> Bool { left.keys.lexicographicallyPrecedes(right.keys) }
    }

    let name: Name
    /// `nil` where they are not known, so that the period cannot be tested.
    let shares: GivenShares?
    /// Repeats the decisions of the period's definition; `nil` where it is not known.
    var recomputed: RecordedVersusRecomputed?
    /// The winner of the period's definition, which everyone gets after the conclusion.
    let winner: Int?
    /// Whether decisions look at attributes; `nil` where they are not repeated.
    let readsAttributes: Bool?
    /// Finds the units that the period's definition forces; `nil` if it forces none.
    let forced: Recomputation?
    /// Whether the definition is known, and with it whether units are randomised anew in windows.
    let isDefined: Bool
    /// The windows of the definition, where rows have units; `nil` without any.
    let windows: Period?
    var hasWindows: Bool
    private let ignored: [String]
    var rows = RowCounts()
    private var forcedHashes: Set<UInt64> = []
    /// By number of the counter's variant, its place among the shares, or one of the two below.
    private var places: [Int] = []
    /// Rows, or units, of variants that the shares do not have, by number of the variant.
    private var unknownCounts: [Int: Int] = [:]

    static let unknown = -1
    static let left = -2

    init(
        _ name: Name, shares: GivenShares?, recomputed: RecordedVersusRecomputed?, definition: Recomputation?,
        ignored: [String]
    ) {
        self.name = name
        self.shares = shares
        self.recomputed = recomputed
        winner = recomputed?.winner
        readsAttributes = recomputed?.readsAttributes
        forced = definition?.forcing
        isDefined = definition != nil
        windows = definition?.period
        hasWindows = windows != nil
        self.ignored = ignored
    }

    /// The place of a variant among the shares, ``unknown``, or ``left`` where it is to be ignored.
    func place(of variant: Int) -> Int { places[variant] }

    mutating func learn(_ keys: [String]) {
        while places.count < keys.count {
            let key = keys[places.count]
            if ignored.contains(where: { UTF8Order.areEqual($0, key) }) {
                places.append(Self.left)
            } else if case .named(let shares)? = shares {
                places.append(shares.variants.firstIndex { UTF8Order.areEqual($0, key) } ?? Self.unknown)
            } else {
                // Variants without names are put in order when all are known.
                places.append(places.count)
            }
        }
    }

    /// The shares with all names: variants that are not named are put in byte order.
    mutating func namedShares(_ keys: [String]) throws(SampleRatioError) -> VariantShares {
        switch shares {
        case .named(let shares)?: return shares
        case nil: throw .nothingCounted(rows)
        case .equal(let count)?:
            let found = places.indices.filter { places[$0] >= 0 }.sorted { UTF8Order.precedes(keys[$0], keys[$1]) }
            guard !found.isEmpty else { throw .nothingCounted(rows) }
            guard found.count == count, let shares = try? VariantShares(found.map { (key: keys[$0], weight: 1) }) else {
                throw .untestable(
                    "the shares are those of \(count) variants, and the data hold "
                        + "\(found.count < count ? "only " : "")\(found.map { keys[$0] }.listed(atMost: 12)); name "
                        + "each variant with its share, such as control=50%,green=50%")
            }
            for (place, variant) in found.enumerated() { places[variant] = place }
            return shares
        }
    }

    func unknown(_ keys: [String]) -> UnknownVariants {
        UnknownVariants(unknownCounts.map { (key: keys[$0.key], count: $0.value) })
    }

    mutating func takes(_ variant: Int, count: Int) -> Bool {
        switch places[variant] {
        case Self.left: rows.ignored += 1
        case Self.unknown: unknownCounts[variant] = (unknownCounts[variant] ?? 0).addingClamped(count)
        default: return true
        }
        return false
    }

    /// Takes a row of an exposure that is not randomised and does not count. Rows of counts have no unit.
    mutating func take(_ kind: ExposureMarks.Kind, unit: RowUnit?) {
        switch kind {
        case .split: return
        case .forced:
            rows.forced += 1
            if let unit, forcedHashes.insert(ByteHash.hash(unit.id.span)).inserted { rows.forcedUnits += 1 }
        case .winner: rows.winners += 1
        case .overridden: rows.overridden += 1
        case .other: rows.otherReasons += 1
        }
    }
}

/// Numbers keys, such as those of variants, by their bytes.
struct KeyTable: Sendable {
    private(set) var keys: [String] = []
    private var numbers: [[UInt8]: Int] = [:]
    private var last: (key: [UInt8], number: Int)?

    /// The number of a key, entered if it is new.
    mutating func number(_ key: Span<UInt8>) -> Int {
        if let last, ByteTable.areEqual(key, last.key.span) { return last.number }
        let key = key.withUnsafeBytes { Array($0) }
        let number = numbers[key] ?? keys.count
        if number == keys.count {
            keys.append(String(decoding: key, as: UTF8.self))
            numbers[key] = number
        }
        last = (key, number)
        return number
    }
}

/// Variants that the data hold and the shares do not.
struct UnknownVariants: Sendable {
    private static let limit = 20

    /// Each with the number of its rows, or the sum of their counts; the most frequent first.
    let variants: [(key: String, count: Int)]
    /// The rows, or the sum of their counts, of all variants beyond those.
    let otherCount: Int

    var isEmpty: Bool { variants.isEmpty }

    init(_ found: [(key: String, count: Int)]) {
        let sorted = found.sorted { $0.count == $1.count ? UTF8Order.precedes($0.key, $1.key) : $0.count > $1.count }
        variants = Array(sorted.prefix(Self.limit))
        otherCount = sorted.dropFirst(Self.limit).reduce(0) { $0.addingClamped($1.count) }
    }
}

extension Int {
    /// A sum that stays at the largest number instead of overflowing.
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
