import AllotBatch
import AllotConfiguration
import AllotCore

/// Counts the rows of one experiment, or of a whole file: each randomisation and each revision of the definition apart,
/// because their shares may differ, and a ratio that is right in each of two periods is wrong in both together.
struct RatioCounter {
    private struct Place {
        /// The number of the period; `nil` for those of a salt that is not tested.
        let period: Int?
        let salt: Int
    }

    let question: SampleRatioQuestion
    private let columns: SampleRatioColumns
    private let variant: Int
    /// The units of rows; `nil` for rows of counts, and where each row is a unit.
    private var unit: RowUnit?
    private let units: [Int]
    private var marks: ExposureMarks
    private var places: [Place] = []
    private var placeOf: [RatioPeriod.Name: Int] = [:]
    /// The kind and the place of the last row: most rows follow one of their kind.
    private var last: (kind: ExposureMarks.Kind, place: Int)?
    private var variants = KeyTable()
    private var moments = MomentReader()
    private(set) var periods: [RatioPeriod] = []
    private var randomisations: [SaltUnits] = []
    private(set) var otherSalts: [(salt: String, rows: Int)] = []
    private var attributes: [(column: Int, attribute: Int)] = []
    private var hasOverflown = false

    init(_ question: SampleRatioQuestion, columns: SampleRatioColumns, variant: Int, units: [Int]?) {
        self.question = question
        self.columns = columns
        self.variant = variant
        self.units = units ?? []
        unit = units.map(RowUnit.init)
        marks = ExposureMarks(columns)
    }

    mutating func take(_ rows: borrowing CSVRows) throws {
        let (kind, number) = try period(rows)
        guard let period = places[number].period else {
            otherSalts[places[number].salt].rows += 1
            return
        }
        let bytes = rows.bytes.span
        let key = bytes.extracting(rows[variant])
        let count = try self.count(rows)
        periods[period].rows.rows += 1
        unit?.read(rows)
        // A row without a variant says nothing of a reason, but that no variant was assigned.
        if kind != .split, kind != .other || !key.isEmpty {
            return periods[period].take(kind, unit: unit)
        }
        guard !key.isEmpty else {
            periods[period].rows.withoutVariant += 1
            return
        }
        // Another definition may not have forced the units that this one does.
        if let unit, periods[period].forced?.isForced(unit.id.span) == true {
            return periods[period].take(.forced, unit: unit)
        }
        let variant = variants.number(key)
        guard variant < ExposureLedger.variantLimit else {
            throw rows.error(
                in: self.variant,
                "there are more than \(ExposureLedger.variantLimit) variants in this column; name the right one")
        }
        periods[period].learn(variants.keys)
        guard periods[period].takes(variant, count: count) else { return }
        if let unit, unit.id.isEmpty {
            periods[period].rows.withoutUnit += 1
            return
        }
        place(rows, period: period, salt: places[number].salt, variant: variant, count)
    }

    private mutating func place(_ rows: borrowing CSVRows, period: Int, salt: Int, variant: Int, _ count: Int) {
        let bytes = rows.bytes.span
        let moment =
            if let time = columns.time {
                moments.read(bytes.extracting(rows[time]))
            } else if question.analysis.isInTimeOrder {
                Moment(.row, Int64(rows.rowCount))
            } else {
                Moment.unknown
            }
        let record: Int
        let change: ExposureLedger.Change
        if unit != nil {
            let window = window(rows, of: period)
            guard window != nil || periods[period].windows == nil else {
                periods[period].rows.withoutWindow += 1
                return
            }
            unit?.enter(window)
        }
        if let unit {
            let place = randomisations[salt].ledger.place(
                ByteHash.hash(unit.name.span), variant: variant, period: period, moment: moment)
            (record, change) = (place.record, place.change)
            if change != .new { periods[period].rows.repeats += 1 }
            if unit.window != nil { periods[period].hasWindows = true }
            if place.isInSeveral { randomisations[salt].several.note(unit.name.span, period: period) }
            recompute(rows, unit, record, change, period: period, salt: salt)
        } else {
            let (sum, overflow) = randomisations[salt].total.addingReportingOverflow(count)
            hasOverflown = hasOverflown || overflow
            randomisations[salt].total = sum
            randomisations[salt].ledger.append(
                UInt64(truncatingIfNeeded: rows.rowCount), variant: variant, period: period, moment: moment)
            (record, change) = (randomisations[salt].ledger.records.count - 1, .new)
            if columns.count != nil { randomisations[salt].weights.append(count) }
        }
        if let doubt = columns.record.doubt, change != .later {
            let isDoubtful = !rows[doubt].isEmpty
            if change != .asEarly || isDoubtful { randomisations[salt].ledger[record].isDoubtful = isDoubtful }
        }
        if change == .earlier { randomisations[salt].values.clear(record) }
        for link in attributes {
            randomisations[salt].values.set(record, link.attribute, bytes.extracting(rows[link.column]), change)
        }
        if let json = columns.attributes {
            randomisations[salt].values.set(record, json: bytes.extracting(rows[json]), change)
        }
    }

    /// The window in which the unit of a row was randomised: that of its column, or of its time. A unit is one in each
    /// window. Returns `nil` without a period, and if the row does not tell.
    ///
    /// Where no definition says whether there is a period, a window that is written is believed. A file without either
    /// column is of one window.
    private func window(_ rows: borrowing CSVRows, of period: Int) -> Int64? {
        let windows = periods[period].windows
        guard windows != nil || !periods[period].isDefined else { return nil }
        if let column = columns.record.window, !rows[column].isEmpty, let number = Int64(rows.text(column)), number >= 0
        {
            return number
        }
        guard columns.time == nil, columns.record.window == nil else {
            return columns.time == nil ? nil : moments.instant.flatMap { windows?.number(at: $0) }
        }
        // As of `allot assign`: all rows are decided at one instant.
        return windows?.number(at: periods[period].recomputed?.instant ?? question.instant)
    }

    private mutating func recompute(
        _ rows: borrowing CSVRows, _ unit: RowUnit, _ record: Int, _ change: ExposureLedger.Change, period: Int,
        salt: Int
    ) {
        guard let readsAttributes = periods[period].readsAttributes else { return }
        let instant = columns.time == nil ? nil : moments.instant
        if change == .new {
            randomisations[salt].ledger[record].owner =
                periods[period].recomputed?.owner(of: unit) ?? ExposureLedger.Record.notRecomputed
            randomisations[salt].takeOthers(record, rows, unit, at: instant)
        }
        let row = randomisations[salt].ledger[record]
        let own = periods[period].place(of: Int(row.variant))
        if row.isWrong(own, winner: periods[period].winner) {
            let moment = columns.time == nil ? Moment.unknown : moments.last
            randomisations[salt].wrong.note(
                unit.name.span, period: period, variant: Int(row.variant), owner: row.owner, moment)
        }
        let isDecided =
            switch change {
            case .new, .earlier: true
            case .asEarly: readsAttributes
            case .later: false
            }
        if !isDecided { periods[period].recomputed?.notice(rows, unit) }
        guard isDecided, let reason = periods[period].recomputed?.reason(rows, unit, at: instant) else { return }
        // Of rows with the same time the first reason in the order of checks.
        randomisations[salt].ledger[record].reason = change == .asEarly ? min(row.reason, reason) : reason
    }

    private func count(_ rows: borrowing CSVRows) throws(CSVError) -> Int {
        guard let column = columns.count else { return 1 }
        let text = String(copying: rows.bytes.span.extracting(rows[column]))
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let value = Int(text) else {
            throw rows.error(in: column, "this is not a count; a count is a whole number from 0 to \(Int.max)")
        }
        return value
    }

    // MARK: Periods

    private mutating func period(_ rows: borrowing CSVRows) throws -> (kind: ExposureMarks.Kind, Int) {
        if marks.isLikeLast(rows), let last { return last }
        let (kind, revision) = marks.read(rows)
        var salt = question.present?.salt ?? question.experiment ?? ""
        if let column = columns.record.salt, !rows[column].isEmpty { salt = rows.text(column) }
        let name = RatioPeriod.Name(salt: salt, revision: revision)
        let number = if let known = placeOf[name] { known } else { try newPlace(name, rows) }
        last = (kind, number)
        return (kind, number)
    }

    private mutating func newPlace(_ name: RatioPeriod.Name, _ rows: borrowing CSVRows) throws -> Int {
        guard places.count < ExposureLedger.periodLimit else {
            throw rows.error(
                in: columns.record.revision ?? columns.record.salt ?? variant,
                "there are more than \(ExposureLedger.periodLimit) salts and revisions; is this the right file?")
        }
        if question.includes(salt: name.salt) {
            let found = randomisations.firstIndex { UTF8Order.areEqual($0.salt, name.salt) }
            if found == nil { addRandomisation(name.salt) }
            places.append(Place(period: periods.count, salt: found ?? randomisations.count - 1))
            periods.append(try newPeriod(name))
        } else {
            let found = otherSalts.firstIndex { UTF8Order.areEqual($0.salt, name.salt) }
            if found == nil { otherSalts.append((name.salt, 0)) }
            places.append(Place(period: nil, salt: found ?? otherSalts.count - 1))
        }
        placeOf[name] = places.count - 1
        return places.count - 1
    }

    /// The period of a revision, with its shares where they are known; without a revision, of the present definition.
    private func newPeriod(_ name: RatioPeriod.Name) throws -> RatioPeriod {
        var shares = question.given(name)
        var recomputed: RecordedVersusRecomputed?
        if shares == nil, question.present == nil { shares = question.shares }
        if shares == nil, question.isPresent(name) {
            shares = question.shares
            recomputed = question.plan.flatMap { question.recomputed($0.plan, $0.experiment) }
        }
        if shares == nil, !name.revision.isEmpty, let past = try question.past(name.revision),
            past.plan.experiments[past.experiment].salt.map({ UTF8Order.areEqual($0, name.salt) }) == true,
            let found = try? VariantShares(past.plan.experiments[past.experiment])
        {
            shares = .named(found)
            recomputed = question.recomputed(past.plan, past.experiment)
        }
        // The present definition forces its units also where shares are given.
        let present = question.isPresent(name) ? question.plan : nil
        let definition = recomputed?.recomputation ?? present.map { Recomputation($0.plan, experiment: $0.experiment) }
        return RatioPeriod(
            name, shares: shares, recomputed: recomputed, definition: unit == nil ? nil : definition,
            ignored: question.analysis.ignoredVariants)
    }

    private mutating func addRandomisation(_ salt: String) {
        var randomisation = SaltUnits(salt, question)
        attributes = columns.attributeColumns(units: units, variant: variant).compactMap { column in
            randomisation.values.column(columns.header.names[column]).map { (column, $0) }
        }
        if unit != nil, let (plan, experiment) = question.plan {
            randomisation.others = OtherExperiments(
                plan, besides: experiment, columns: columns, attributes.map { $0.column }, at: question.instant,
                &randomisation.values)
        }
        randomisations.append(randomisation)
    }

    // MARK: Reports

    /// Salts with their numbers of rows, in the order of the salts' bytes.
    static func listed(_ salts: [(salt: String, rows: Int)]) -> String {
        salts.sorted { UTF8Order.precedes($0.salt, $1.salt) }
            .map { "\(QuotedText($0.salt)) (\(counted($0.rows, "row")))" }.listed(atMost: 8)
    }

    mutating func report() throws(SampleRatioError) -> ExperimentRatio {
        guard !hasOverflown else {
            throw .untestable("the counts add up to more than \(Int.max); divide them all by the same number")
        }
        if periods.isEmpty, !otherSalts.isEmpty {
            throw .untestable("no row is of the salts to test, but of \(Self.listed(otherSalts)); choose one of these")
        }
        if moments.isMixed {
            for index in randomisations.indices { randomisations[index].ledger.keepTimes(of: moments.kind) }
        }
        for index in periods.indices { periods[index].learn(variants.keys) }
        for index in randomisations.indices { randomisations[index].finishOthers() }
        return try ExperimentRatio(question, columns, keys: variants.keys, periods: periods, randomisations)
    }
}

struct SaltUnits: Sendable {
    let salt: String
    var ledger = ExposureLedger()
    var values: LocalisationTally
    var weights: [Int] = []
    var total = 0
    /// Units with other variants than those recomputed, and units in several variants, a few of each.
    var wrong = UnitExamples()
    var several = UnitExamples()
    var others: OtherExperiments?

    init(_ salt: String, _ question: SampleRatioQuestion) {
        self.salt = salt
        let wanted = question.analysis.attributes
        values = LocalisationTally(wanted: wanted.isEmpty ? nil : wanted, known: question.knownAttributes)
    }

    mutating func takeOthers(_ record: Int, _ rows: borrowing CSVRows, _ unit: RowUnit, at instant: Instant?) {
        others?.take(record, rows, unit, at: instant, units: ledger.unitCount, &values)
    }

    mutating func finishOthers() { others?.finish(ledger, &values) }
}

extension ExposureLedger.Record {
    /// Whether the variant is another one than the definition's, whose place among the shares is `own`.
    func isWrong(_ own: Int, winner: Int?) -> Bool { owner != Self.notRecomputed && Int(owner) != own && own != winner }
}
