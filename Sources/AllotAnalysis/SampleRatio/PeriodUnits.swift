import AllotConfiguration
import AllotCore

/// The units of one period, by the records of its randomisation.
struct PeriodUnits: Sendable {
    /// The records of the units that count here: those whose first variant is of this period.
    var counted: [UInt32] = []
    /// One record of each unit that was seen in the period: the earliest, or the earliest with a wrong variant.
    var present: [UInt32] = []
    /// By variant, the units in several variants of the period that count here, and all units by their first variant.
    var severalCounted: [Int: Int] = [:]
    var firstVariants: [Int: Int] = [:]
    /// By first variant ever, the units that count in an earlier period and were seen in this one.
    var returning: [Int: Int] = [:]
    var several = MultipleExposures()
    /// The earliest time, and the place of the period in the order of these.
    var start = Moment.unknown
    var rank = 0

    /// The units of all periods of some randomisations. Complexity: O(records).
    static func all(_ periods: [RatioPeriod], _ randomisations: [SaltUnits], keys: [String]) -> [PeriodUnits] {
        var units = Array(repeating: PeriodUnits(), count: periods.count)
        for randomisation in randomisations {
            for record in randomisation.ledger.records where record.moment < units[Int(record.period)].start {
                units[Int(record.period)].start = record.moment
            }
        }
        let order = periods.indices.sorted { left, right in
            units[left].start == units[right].start
                ? RatioPeriod.Name.precedes(periods[left].name, periods[right].name)
                : units[left].start < units[right].start
        }
        for (rank, period) in order.enumerated() { units[period].rank = rank }
        let keyOrder = keys.indices.sorted { UTF8Order.precedes(keys[$0], keys[$1]) }
        var keyRanks = Array(repeating: 0, count: keys.count)
        for (rank, key) in keyOrder.enumerated() { keyRanks[key] = rank }
        for randomisation in randomisations { take(randomisation.ledger, periods, keyRanks, &units) }
        return units
    }

    private static func take(
        _ ledger: ExposureLedger, _ periods: [RatioPeriod], _ keyRanks: [Int], _ units: inout [PeriodUnits]
    ) {
        var chain: [Int] = []
        for head in ledger.records.indices where ledger.records[head].isHead {
            let record = ledger.records[head]
            if record.next == 0 {
                let period = Int(record.period)
                units[period].counted.append(UInt32(head))
                units[period].present.append(UInt32(head))
                units[period].firstVariants[Int(record.variant), default: 0] += 1
                continue
            }
            ledger.chain(head, into: &chain)
            chain.sort { left, right in
                let (left, right) = (ledger.records[left], ledger.records[right])
                return (left.moment, units[Int(left.period)].rank, keyRanks[Int(left.variant)])
                    < (right.moment, units[Int(right.period)].rank, keyRanks[Int(right.variant)])
            }
            take(chain, ledger, periods, &units)
        }
    }

    /// Takes a unit with several records, which are in the order of time.
    private static func take(
        _ chain: [Int], _ ledger: ExposureLedger, _ periods: [RatioPeriod], _ units: inout [PeriodUnits]
    ) {
        let first = ledger.records[chain[0]]
        let home = Int(first.period)
        let isDecided = !isTied(chain.filter { Int(ledger.records[$0].period) == home }, ledger)
        for period in Set(chain.map { Int(ledger.records[$0].period) }) {
            let records = chain.filter { Int(ledger.records[$0].period) == period }
            let variant = Int(ledger.records[records[0]].variant)
            let wrong = records.first {
                ledger.records[$0].isWrong(
                    periods[period].place(of: Int(ledger.records[$0].variant)), winner: periods[period].winner)
            }
            units[period].present.append(UInt32(wrong ?? records[0]))
            if records.count > 1 { units[period].several.unitCount += 1 }
            if !isTied(records, ledger) { units[period].firstVariants[variant, default: 0] += 1 }
            guard isDecided else {
                if period == home { units[home].several.undecidedCount += 1 }
                continue
            }
            if period == home {
                units[home].counted.append(UInt32(chain[0]))
                if records.count > 1 { units[home].severalCounted[variant, default: 0] += 1 }
            } else if units[period].rank > units[home].rank {
                units[period].returning[Int(first.variant), default: 0] += 1
                if variant != Int(first.variant) { units[home].several.reassignedCount += 1 }
            }
        }
    }

    /// Whether nothing says which of a unit's variants in a period was the first.
    private static func isTied(_ records: [Int], _ ledger: ExposureLedger) -> Bool {
        records.count > 1 && ledger.records[records[0]].moment == ledger.records[records[1]].moment
    }

    static func examples(of period: Int, _ randomisation: SaltUnits, keys: [String]) -> [MultipleExposures.Example] {
        let ledger = randomisation.ledger
        var chain: [Int] = []
        return (randomisation.several.examples[period] ?? []).compactMap { example in
            guard let head = ledger.head(of: ByteHash.hash(example.unit.span)) else { return nil }
            ledger.chain(head, into: &chain)
            var records: [ExposureLedger.Record] = chain.map { ledger.records[$0] }
            records.removeAll { Int($0.period) != period }
            records.sort { left, right in
                if left.moment != right.moment { return left.moment < right.moment }
                return UTF8Order.precedes(keys[Int(left.variant)], keys[Int(right.variant)])
            }
            return .init(
                unit: String(decoding: example.unit, as: UTF8.self), variants: records.map { keys[Int($0.variant)] },
                times: records.map(\.moment.text))
        }
    }
}
