import Allot
import AllotBatch
import AllotConfiguration

/// Counts the rows of one period of an experiment: those of one revision of its definition and of one randomisation.
struct RatioPeriod {
    /// Whose rows are counted: the salt and the revision, empty where rows have none.
    struct Name: Sendable, Hashable {
        let salt: String
        let revision: String

        /// By bytes.
        static func == (left: Self, right: Self) -> Bool {
            UTF8Order.areEqual(left.salt, right.salt) && UTF8Order.areEqual(left.revision, right.revision)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(UTF8Key(salt))
            hasher.combine(UTF8Key(revision))
        }
    }

    /// A unit that was counted in another period and variant.
    struct MultipleExposure {
        let period: Int
        let example: MultipleExposures.Example
    }

    let name: Name
    private(set) var tally: SampleRatioTally
    private let variant: Int
    /// The column of the unit IDs; `nil` for rows of counts.
    private let unit: Int?
    private let columns: SampleRatioColumns
    /// Columns and the numbers of their attributes in the tally.
    private let localised: [(column: Int, attribute: Int)]
    /// The attribute that is the time, by its day.
    private let day: Int?
    private var recomputed: RecordedVersusRecomputed?
    /// The order of its own rows, if a column tells their time.
    private var order: TimeOrder?

    /// - Parameters:
    ///   - question: its attributes are names of columns or of members of the attributes' JSON.
    ///   - recomputed: `nil` where the definition of the period is not known.
    init(
        _ name: Name, _ question: SampleRatioQuestion, columns: SampleRatioColumns, variant: Int, unit: Int?,
        recomputed: RecordedVersusRecomputed?
    ) {
        self.name = name
        self.columns = columns
        self.variant = variant
        self.unit = unit
        self.recomputed = recomputed
        order = columns.time.map { _ in TimeOrder() }
        var tally = SampleRatioTally(question)
        localised = columns.attributeColumns(unit: unit, variant: variant).compactMap { column in
            tally.localisation.column(columns.header.names[column]).map { (column, $0) }
        }
        day = columns.time.flatMap { tally.localisation.column(columns.header.names[$0]) }
        self.tally = tally
    }

    /// Counts a row.
    ///
    /// - Parameters:
    ///   - kind: whether the variant of the row is randomised.
    ///   - number: the number of this period.
    ///   - units: the units of the randomisation so far, of all its periods.
    /// - Returns: a unit that counts for another variant, perhaps of another period.
    mutating func take(
        _ rows: borrowing CSVRows, kind: ExposureMarks.Kind, number: Int, units: inout ExposedUnits
    ) throws(CSVError) -> MultipleExposure? {
        let bytes = rows.bytes.span
        if let time = columns.time { order?.step(bytes.extracting(rows[time]), line: rows.line) }
        let key = bytes.extracting(rows[variant])
        let count = unit == nil ? try self.count(rows) : 1
        // A row without a variant says nothing of a reason, but that no variant was assigned.
        if kind != .split, kind != .other || !key.isEmpty {
            if let unit {
                tally.take(kind, unit: bytes.extracting(rows[unit]))
            } else {
                tally.take(kind, unit: nil)
            }
            return nil
        }
        let taken: Int
        if let unit {
            let id = bytes.extracting(rows[unit])
            switch tally.take(unit: id, variant: key, line: rows.line, period: number, units: &units) {
            case .leftOut: return nil
            case .counted(let variant): taken = variant
            case .inAnotherVariant(let first, let period, let line):
                return MultipleExposure(
                    period: period,
                    example: .init(
                        unit: String(copying: id), first: first, firstLine: line, second: String(copying: key),
                        secondLine: rows.line))
            }
            recomputed?.compare(taken, rows, unit: unit, order: order, tally: &tally)
        } else {
            guard let variant = tally.take(count: count, variant: key, line: rows.line) else { return nil }
            taken = variant
        }
        if let doubt = columns.record.doubt, !rows[doubt].isEmpty { tally.noteDoubt() }
        let step = order?.stepCount ?? rows.rowCount
        tally.observe(taken, count: count, step: step, instant: order?.instant, line: rows.line)
        localise(taken, count, rows)
        return nil
    }

    /// Takes a row of a unit that the definition forces.
    mutating func takeForced(unit: Span<UInt8>) {
        tally.takeForced(unit: unit)
    }

    /// Notes that a unit, which counts here, was seen in another variant later.
    ///
    /// - Parameter isReassigned: whether that was in another period.
    mutating func note(_ multiple: MultipleExposures.Example, isReassigned: Bool) {
        tally.note(multiple: multiple, isReassigned: isReassigned)
    }

    private mutating func localise(_ variant: Int, _ count: Int, _ rows: borrowing CSVRows) {
        let bytes = rows.bytes.span
        for link in localised {
            tally.localisation.count(link.attribute, bytes.extracting(rows[link.column]), variant: variant, count)
        }
        if let day, let time = columns.time {
            let date = rows[time].prefix(Self.dateLength(bytes.extracting(rows[time])))
            tally.localisation.count(day, bytes.extracting(date), variant: variant, count)
        }
        if let attributes = columns.attributes {
            tally.localisation.count(
                json: bytes.extracting(rows[attributes]), variant: variant, count, line: rows.line)
        }
    }

    /// The length of the date that a time begins with; the whole length if it begins otherwise.
    private static func dateLength(_ time: Span<UInt8>) -> Int {
        let hyphen = UInt8(ascii: "-")
        return time.count >= 10 && time[4] == hyphen && time[7] == hyphen ? 10 : time.count
    }

    private func count(_ rows: borrowing CSVRows) throws(CSVError) -> Int {
        guard let column = columns.count else { return 1 }
        let text = String(copying: rows.bytes.span.extracting(rows[column]))
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let value = Int(text) else {
            throw rows.error(in: column, "this is not a count; a count is a whole number from 0 to \(Int.max)")
        }
        return value
    }

    /// The report on the rows.
    ///
    /// - Parameter isOrdered: whether rows are said to be in the order of time; a column of times takes precedence.
    func report(isOrdered: Bool) throws(SampleRatioError) -> SampleRatioReport {
        let known: SampleRatioTally.Order =
            if let order { order.fault.map { .broken($0) } ?? .known } else { isOrdered ? .declared : .unknown }
        return try tally.report(order: known, basis: recomputed?.basis)
    }
}
