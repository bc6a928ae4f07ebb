import AllotCore

/// The units of one randomisation: for each unit a record of each variant that it had in each period, which is the time
/// of one revision, with the earliest time. Records do not depend on the order of rows.
///
/// Units are distinguished by a 64-bit hash, however long their IDs are. A unit with one record takes about 40 bytes,
/// and half as much again while the tables grow. That two of *n* units are taken for one has a probability of about
/// *n*² / 2⁶⁵: 3 in a million for 10 million units.
struct ExposureLedger: Sendable {
    /// A variant that a unit had in a period.
    struct Record: Sendable {
        let unit: UInt64
        var moment: Moment
        /// The place of the unit's next record plus 1; 0 for none.
        fileprivate(set) var next: UInt32 = 0
        let variant: UInt16
        let period: UInt16
        var owner = Self.notRecomputed
        /// The reason why the unit has a variant or none, at that time; ``noReason`` if it was not decided.
        var reason = Self.noReason
        /// Whether it is the first record of its unit in the ledger.
        fileprivate(set) var isHead = false
        var isDoubtful = false

        static let notRecomputed = UInt16.max
        static let noOwner = UInt16.max - 1
        static let noReason = UInt8.max
    }

    enum Change: Sendable {
        /// The row is the first of its unit, variant and period.
        case new
        /// The row is earlier than the former ones.
        case earlier
        /// The row has the time of the earliest.
        case asEarly
        case later
    }

    static let variantLimit = 2000
    static let periodLimit = 2048

    private(set) var records: [Record] = []
    /// The places of units' first records plus 1, by hash; 0 for none.
    private var slots: [UInt32] = Array(repeating: 0, count: 1024)
    private(set) var unitCount = 0

    subscript(record: Int) -> Record {
        get { records[record] }
        _modify { yield &records[record] }
    }

    /// Finds or makes the record of a row, and says whether the unit has another variant in this period. Complexity:
    /// O(records of the unit), expected.
    mutating func place(
        _ unit: UInt64, variant: Int, period: Int, moment: Moment
    ) -> (record: Int, change: Change, isInSeveral: Bool) {
        if unitCount &* 4 >= slots.count &* 3 { grow() }
        let slot = slot(of: unit)
        if slots[slot] != 0 { return visit(Int(slots[slot]) &- 1, variant: variant, period: period, moment: moment) }
        append(unit, variant: variant, period: period, moment: moment)
        slots[slot] = UInt32(records.count)
        return (records.count &- 1, .new, false)
    }

    /// Takes a row that is a unit of its own.
    mutating func append(_ unit: UInt64, variant: Int, period: Int, moment: Moment) {
        var record = Record(unit: unit, moment: moment, variant: UInt16(variant), period: UInt16(period))
        record.isHead = true
        records.append(record)
        unitCount &+= 1
    }

    private mutating func visit(
        _ head: Int, variant: Int, period: Int, moment: Moment
    ) -> (record: Int, change: Change, isInSeveral: Bool) {
        var (place, found, isInSeveral) = (head, -1, false)
        while true {
            let record = records[place]
            if Int(record.period) == period {
                if Int(record.variant) == variant { found = place } else { isInSeveral = true }
            }
            guard record.next != 0 else { break }
            place = Int(record.next) &- 1
        }
        guard found >= 0 else {
            var record = Record(
                unit: records[head].unit, moment: moment, variant: UInt16(variant), period: UInt16(period))
            record.next = records[head].next
            records.append(record)
            records[head].next = UInt32(records.count)
            return (records.count &- 1, .new, isInSeveral)
        }
        let known = records[found].moment
        if moment == known { return (found, .asEarly, isInSeveral) }
        guard moment < known else { return (found, .later, isInSeveral) }
        records[found].moment = moment
        return (found, .earlier, isInSeveral)
    }

    mutating func keepTimes(of kind: Moment.Kind?) {
        for index in records.indices where records[index].moment.kind != kind { records[index].moment = .unknown }
    }

    /// The places of a unit's records, by the place of its first one in the ledger.
    func chain(_ head: Int, into chain: inout [Int]) {
        chain.removeAll(keepingCapacity: true)
        var place = head
        while true {
            chain.append(place)
            guard records[place].next != 0 else { return }
            place = Int(records[place].next) - 1
        }
    }

    func head(of unit: UInt64) -> Int? {
        let place = Int(slots[slot(of: unit)])
        return place == 0 ? nil : place - 1
    }

    /// The slot of a unit, or the empty one that it would take.
    private func slot(of unit: UInt64) -> Int {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: unit) & mask
        while slots[slot] != 0, records[Int(slots[slot]) &- 1].unit != unit { slot = (slot &+ 1) & mask }
        return slot
    }

    private mutating func grow() {
        let former = slots
        slots = Array(repeating: 0, count: former.count * 2)
        for place in former where place != 0 { slots[slot(of: records[Int(place) - 1].unit)] = place }
    }
}
