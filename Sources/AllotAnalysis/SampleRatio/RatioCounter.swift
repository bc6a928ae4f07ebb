import Allot
import AllotBatch

/// Counts the rows of one experiment, or of a whole file.
struct RatioCounter {
    let key: String?
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

    /// - Parameter question: its attributes are names of columns or of members of the attributes' JSON.
    init(
        _ question: SampleRatioQuestion, columns: SampleRatioColumns, variant: Int, unit: Int?,
        recomputed: RecordedVersusRecomputed?
    ) {
        key = question.experiment
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
    mutating func take(_ rows: borrowing CSVRows) throws(CSVError) {
        let bytes = rows.bytes.span
        if let time = columns.time { order?.step(bytes.extracting(rows[time]), line: rows.line) }
        let key = bytes.extracting(rows[variant])
        if let reason = columns.reason, takeNotRandomised(bytes.extracting(rows[reason]), rows) { return }
        let count: Int
        let taken: Int?
        if let unit {
            let id = bytes.extracting(rows[unit])
            count = 1
            if !key.isEmpty, recomputed?.recomputation.isForced(id) == true { return tally.takeForced(unit: id) }
            taken = tally.take(unit: id, variant: key, line: rows.line)
            if let taken { recomputed?.compare(taken, rows, unit: unit, order: order, tally: &tally) }
        } else {
            count = try self.count(rows)
            taken = tally.take(count: count, variant: key, line: rows.line)
        }
        guard let taken else { return }
        let step = order?.stepCount ?? rows.rowCount
        tally.observe(taken, count: count, step: step, instant: order?.instant, line: rows.line)
        for link in localised {
            tally.localisation.count(link.attribute, bytes.extracting(rows[link.column]), variant: taken, count)
        }
        if let day, let time = columns.time {
            let date = rows[time].prefix(Self.dateLength(bytes.extracting(rows[time])))
            tally.localisation.count(day, bytes.extracting(date), variant: taken, count)
        }
        if let attributes = columns.attributes {
            tally.localisation.count(
                json: bytes.extracting(rows[attributes]), variant: taken, count, line: rows.line)
        }
    }

    /// Takes a row of the long layout whose variant was not randomised; returns `false` for any other.
    private mutating func takeNotRandomised(_ reason: Span<UInt8>, _ rows: borrowing CSVRows) -> Bool {
        if String(copying: reason) == Reason.winner.text {
            tally.takeWinner()
            return true
        }
        guard String(copying: reason) == Reason.forced.text, let unit else { return false }
        tally.takeForced(unit: rows.bytes.span.extracting(rows[unit]))
        return true
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
            if let order { order.fault.map { .broken($0) } ?? .known } else { isOrdered ? .known : .unknown }
        return try tally.report(order: known, basis: recomputed?.basis)
    }
}
