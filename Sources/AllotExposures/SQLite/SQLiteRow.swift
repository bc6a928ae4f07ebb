/// A row of the table of exposures.
struct SQLiteRow {
    let cursor: Int64
    let place: Place
    let isCounted: Bool
    let unit: String
    let at: Int64
    let receivedAt: Int64
    let doubt: Exposure.Doubt?
    let reportedAt: Int64?
    let event: String?
    let attributes: String?
    /// The checksum of all columns but the cursor, which is the row's place.
    private(set) var mark: Int64 = 0

    /// The numbers that stand for an exposure's texts.
    struct Place: Hashable {
        let randomisation: Int64
        let variant: Int64
        let cohort: Int64
    }

    static let columns = """
        cursor, randomisation, variant, cohort, counted, unit, at, received_at, doubt, reported_at, event, \
        attributes, mark
        """

    init(_ exposure: Exposure, cursor: Int64, place: Place) {
        self.cursor = cursor
        self.place = place
        isCounted = exposure.isCounted
        unit = exposure.unit
        at = exposure.at
        receivedAt = exposure.receivedAt
        doubt = exposure.doubt
        reportedAt = exposure.reportedAt
        event = exposure.id
        attributes = exposure.attributes
        mark = checksum
    }

    /// Reads ``columns``.
    ///
    /// - Throws: ``SQLiteDamage`` if the row is not what was written.
    init(_ row: SQLiteStatement) throws {
        cursor = row.number(0)
        place = Place(randomisation: row.number(1), variant: row.number(2), cohort: row.number(3))
        isCounted = row.number(4) == 1
        unit = row.text(5)
        at = row.number(6)
        receivedAt = row.number(7)
        doubt = row.optionalNumber(8).flatMap { Self.doubt($0) }
        reportedAt = row.optionalNumber(9)
        event = row.optionalText(10)
        attributes = row.optionalText(11)
        mark = checksum
        guard row.number(12) == mark else { throw SQLiteDamage("exposure \(cursor) is not what was written") }
    }

    var values: [(any SQLiteValue)?] {
        [
            cursor, place.randomisation, place.variant, place.cohort, isCounted ? Int64(1) : 0, unit, at, receivedAt,
            doubtNumber, reportedAt, event, attributes, mark,
        ]
    }

    private var checksum: Int64 {
        var sum = SQLiteChecksum()
        sum.add(place.randomisation)
        sum.add(place.variant)
        sum.add(place.cohort)
        sum.add(isCounted ? 1 : 0)
        sum.add(unit)
        sum.add(at)
        sum.add(receivedAt)
        sum.add(doubtNumber)
        sum.add(reportedAt)
        sum.add(event)
        sum.add(attributes)
        return sum.value
    }

    /// The checksum of an entry in the tree of identities.
    static func identityMark(isCounted: Bool, unit: some Sequence<UInt8>, variant: Int64) -> Int64 {
        var sum = SQLiteChecksum()
        sum.add(isCounted ? 1 : 0)
        sum.add(bytes: unit)
        sum.add(variant)
        return sum.value
    }

    private var doubtNumber: Int64? {
        switch doubt {
        case nil: nil
        case .beforeStart: 1
        case .tooOld: 2
        }
    }

    private static func doubt(_ number: Int64) -> Exposure.Doubt? {
        switch number {
        case 1: .beforeStart
        case 2: .tooOld
        default: nil
        }
    }

    var rank: ExposureRank { ExposureRank(isInDoubt: doubt != nil, at: at) }
}
