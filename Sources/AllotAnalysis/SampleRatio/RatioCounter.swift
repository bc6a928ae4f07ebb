import Allot
import AllotBatch
import AllotConfiguration

/// Counts the rows of one experiment, or of a whole file: each randomisation and each revision of the definition apart,
/// because their shares may differ, and a ratio that is right in each of two periods is wrong in both together.
struct RatioCounter {
    /// Which shares are known.
    struct Known {
        /// The shares of the present definition, or those that were given.
        var shares: GivenShares
        /// The salt and the revision of the present definition; `nil` where shares were given without one.
        var present: RatioPeriod.Name?
        /// Given shares, by revision.
        var revisions: [RevisionShares] = []
        /// The salts to test; empty for the present one, or all where there is no definition.
        var salts: [String] = []
        /// The salt of rows that have none.
        var ownSalt: String

        /// Whether rows of a salt are tested.
        fileprivate func includes(salt: String) -> Bool {
            guard salts.isEmpty else { return salts.contains { UTF8Order.areEqual($0, salt) } }
            return present.map { UTF8Order.areEqual($0.salt, salt) } ?? true
        }

        /// The shares of a period, `nil` if they are not known.
        ///
        /// Rows that have no revision are taken for those of the present definition.
        fileprivate func shares(of period: RatioPeriod.Name) -> GivenShares? {
            if let given = given(period) { return given }
            return present == nil || isPresent(period) ? shares : nil
        }

        /// The shares that were given for the revision of a period.
        fileprivate func given(_ period: RatioPeriod.Name) -> GivenShares? {
            revisions.last { UTF8Order.areEqual($0.revision, period.revision) }?.shares
        }

        /// Whether a period is that of the present definition, whose decisions can be repeated.
        fileprivate func isPresent(_ period: RatioPeriod.Name) -> Bool {
            guard let present, UTF8Order.areEqual(present.salt, period.salt) else { return false }
            return period.revision.isEmpty || UTF8Order.areEqual(present.revision, period.revision)
        }
    }

    /// Where a row is counted.
    private struct Place {
        enum Target {
            /// A period that is tested, by its index.
            case tested(Int)
            /// A period whose shares are not known, by its index.
            case unknown(Int)
            /// A salt that is not tested, by its index.
            case otherSalt(Int)
        }

        let target: Target
        /// The index of the randomisation's units.
        let units: Int
        /// Whether it is a period of the present definition.
        let isPresent: Bool
    }

    let key: String?
    private let question: SampleRatioQuestion
    private let known: Known
    private let columns: SampleRatioColumns
    private let variant: Int
    private let unit: Int?
    /// What repeats the present definition's decisions.
    private let recomputed: RecordedVersusRecomputed?
    private var marks: ExposureMarks
    private var places: [Place] = []
    private var placeOf: [RatioPeriod.Name: Int] = [:]
    /// What the last row was: most rows follow one of their kind.
    private var last: (kind: ExposureMarks.Kind, place: Int)?
    private var salts: [String] = []
    private var units: [ExposedUnits] = []
    private var tested: [RatioPeriod] = []
    private(set) var untested: [UntestedPeriod] = []
    private(set) var otherSalts: [(salt: String, rows: Int)] = []

    init(
        _ question: SampleRatioQuestion, known: Known, columns: SampleRatioColumns, variant: Int, unit: Int?,
        recomputed: RecordedVersusRecomputed?
    ) {
        key = question.experiment
        self.question = question
        self.known = known
        self.columns = columns
        self.variant = variant
        self.unit = unit
        self.recomputed = recomputed
        marks = ExposureMarks(columns)
    }

    /// Counts a row.
    mutating func take(_ rows: borrowing CSVRows) throws(CSVError) {
        let (kind, number) = try period(rows)
        let place = places[number]
        switch place.target {
        case .otherSalt(let index): otherSalts[index].rows += 1
        case .unknown(let index):
            untested[index].rows += 1
            if kind == .split, try isNew(rows, number) { untested[index].units += 1 }
        case .tested(let index):
            let bytes = rows.bytes.span
            // Another definition may not have forced the units that this one does.
            if place.isPresent, kind == .split, let unit, !rows[variant].isEmpty,
                recomputed?.recomputation.isForced(bytes.extracting(rows[unit])) == true
            {
                return tested[index].takeForced(unit: bytes.extracting(rows[unit]))
            }
            let multiple = try tested[index].take(rows, kind: kind, number: number, units: &units[place.units])
            if let multiple, case .tested(let first) = places[multiple.period].target {
                tested[first].note(multiple.example, isReassigned: multiple.period != number)
            }
        }
    }

    /// Whether a row of a period that is not tested names a unit for the first time.
    private mutating func isNew(_ rows: borrowing CSVRows, _ number: Int) throws(CSVError) -> Bool {
        let bytes = rows.bytes.span
        guard let unit, !rows[unit].isEmpty, !rows[variant].isEmpty else { return false }
        let found = units[places[number].units].record(
            bytes.extracting(rows[unit]), variant: bytes.extracting(rows[variant]), period: number, line: rows.line)
        return found == .new
    }

    /// The kind of a row and the number of its period.
    private mutating func period(_ rows: borrowing CSVRows) throws(CSVError) -> (kind: ExposureMarks.Kind, Int) {
        if marks.isLikeLast(rows), let last { return last }
        let (kind, revision) = marks.read(rows)
        var salt = known.ownSalt
        if let column = columns.record.salt, !rows[column].isEmpty { salt = rows.text(column) }
        let name = RatioPeriod.Name(salt: salt, revision: revision)
        let number = if let known = placeOf[name] { known } else { try newPlace(name, rows) }
        last = (kind, number)
        return (kind, number)
    }

    private mutating func newPlace(_ name: RatioPeriod.Name, _ rows: borrowing CSVRows) throws(CSVError) -> Int {
        guard places.count < UnitLedger.periodLimit else {
            throw rows.error(
                in: columns.record.revision ?? columns.record.salt ?? variant,
                "there are more than \(UnitLedger.periodLimit) salts and revisions; is this the right file?")
        }
        let units = self.units(of: name.salt)
        let isPresent = known.isPresent(name)
        let target: Place.Target
        if !known.includes(salt: name.salt) {
            let index = otherSalts.firstIndex { UTF8Order.areEqual($0.salt, name.salt) } ?? otherSalts.count
            if index == otherSalts.count { otherSalts.append((name.salt, 0)) }
            target = .otherSalt(index)
        } else if let shares = known.shares(of: name) {
            target = .tested(tested.count)
            var question = question
            question.shares = shares
            tested.append(
                RatioPeriod(
                    name, question, columns: columns, variant: variant, unit: unit,
                    recomputed: isPresent && known.given(name) == nil ? recomputed : nil))
        } else {
            target = .unknown(untested.count)
            untested.append(
                UntestedPeriod(
                    name: name, isPresentSalt: known.present?.salt == name.salt, presentShares: known.shares.text))
        }
        places.append(Place(target: target, units: units, isPresent: isPresent))
        placeOf[name] = places.count - 1
        return places.count - 1
    }

    private mutating func units(of salt: String) -> Int {
        if let index = salts.firstIndex(where: { UTF8Order.areEqual($0, salt) }) { return index }
        salts.append(salt)
        units.append(ExposedUnits())
        return salts.count - 1
    }

    // MARK: Reports

    /// The reports on all periods that are tested, in the order of their first rows.
    ///
    /// - Parameter isOrdered: whether rows are said to be in the order of time; a column of times takes precedence.
    /// - Throws: if no period can be tested, or the counts of one are too large.
    mutating func reports(isOrdered: Bool) throws(SampleRatioError) -> [SampleRatioReport] {
        var reports: [SampleRatioReport] = []
        var failure: SampleRatioError?
        for period in tested {
            do throws(SampleRatioError) {
                var report = try period.report(isOrdered: isOrdered)
                report.name = period.name
                report.isNamed = isNamed(period.name)
                reports.append(report)
            } catch {
                // Of several periods some may hold nothing that counts.
                guard case .nothingCounted(let counts) = error, places.count > 1 else { throw error }
                failure = failure ?? error
                untested.append(UntestedPeriod(name: period.name, rows: counts.rows, exclusions: counts.exclusions))
            }
        }
        guard reports.isEmpty else { return reports }
        if !untested.isEmpty, failure == nil { throw .unknownShares(untested.map { $0.text(of: nil) }) }
        if !otherSalts.isEmpty, failure == nil {
            throw .otherSalts(otherSalts.map { "\(QuotedText($0.salt)) (\(counted($0.rows, "row")))" })
        }
        throw failure ?? .nothingCounted(RowCounts())
    }

    /// Whether a report must say which salt and which revision it is about.
    private func isNamed(_ name: RatioPeriod.Name) -> (salt: Bool, revision: Bool) {
        let others = tested.map(\.name) + untested.map(\.name)
        return (
            salt: !known.salts.isEmpty || others.contains { !UTF8Order.areEqual($0.salt, name.salt) },
            revision: others.contains { !UTF8Order.areEqual($0.revision, name.revision) }
        )
    }
}

/// Rows of a period that cannot be tested.
struct UntestedPeriod: Sendable, Hashable {
    let name: RatioPeriod.Name
    /// Whether they are of the present randomisation.
    var isPresentSalt = true
    /// The present definition's shares as text, if they are few.
    var presentShares: String?
    var rows = 0
    /// Their units, where they are not counts.
    var units = 0
    /// Why no row counts, where shares are known.
    var exclusions: [String] = []

    /// What it is and how it can be tested.
    ///
    /// - Parameter experiment: The experiment's key, if the text is to begin with it.
    func text(of experiment: String?) -> String {
        let revision = name.revision.isEmpty ? nil : "revision \(PrintableText(name.revision))"
        let salt = isPresentSalt ? nil : "salt \(PrintableText(name.salt))"
        let parts = [experiment, salt, revision].compactMap { $0 }.joined(separator: ", ")
        guard exclusions.isEmpty else {
            return "\(parts): no row counts, of \(rows): \(exclusions.joined(separator: ", "))"
        }
        let size = units > 0 ? counted(units, "unit") : counted(rows, "row")
        let shares = presentShares.map { "\($0) if they were the present ones" } ?? "control=50%,green=50%"
        let fix =
            name.revision.isEmpty
            ? "give them with --shares" : "give them with --shares-of \(PrintableText(name.revision))=\(shares)"
        return "\(parts): \(size) not tested, as the shares of that time are not known; \(fix)"
    }
}
