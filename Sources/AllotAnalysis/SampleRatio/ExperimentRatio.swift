import AllotConfiguration
import AllotCore
import AllotStatistics

/// The ratio of one experiment over all its periods: a report for each that can be tested, one test of all of them
/// together, and what could not be tested.
struct ExperimentRatio: Sendable {
    let key: String?
    var reports: [SampleRatioReport] = []
    /// The stratified test, where several periods were tested.
    private(set) var together: PValue?
    private(set) var untested: [UntestedPeriod] = []
    private var ratioLevel = 0.0

    var isMismatchTogether: Bool { together.map { $0 < PValue(ratioLevel) } ?? false }

    /// The units, or the rows of counts, that were not tested.
    var untestedCount: Int {
        untested.filter(\.exclusions.isEmpty).reduce(0) { $0 + ($1.units > 0 ? $1.units : $1.rows) }
    }

    init(
        _ question: SampleRatioQuestion, _ columns: SampleRatioColumns, keys: [String], periods: [RatioPeriod],
        _ randomisations: [SaltUnits]
    ) throws(SampleRatioError) {
        key = question.experiment
        var periods = periods
        let units = PeriodUnits.all(periods, randomisations, keys: keys)
        let order = periods.indices.sorted { units[$0].rank < units[$1].rank }
        var drafts: [SampleRatioReport.Draft] = []
        var failure: SampleRatioError?
        for period in order {
            guard periods[period].shares != nil else {
                addUntested(periods[period], units[period], question, holdsCounts: columns.count != nil)
                continue
            }
            do throws(SampleRatioError) {
                let shares = try periods[period].namedShares(keys)
                guard
                    let randomisation = randomisations.first(where: {
                        UTF8Order.areEqual($0.salt, periods[period].name.salt)
                    })
                else { continue }
                var before: [Int: Int] = [:]
                for other in order where units[other].rank < units[period].rank && units[period].start != .unknown {
                    guard UTF8Order.areEqual(periods[other].name.salt, periods[period].name.salt) else { continue }
                    for record in units[other].counted {
                        before[Int(randomisation.ledger.records[Int(record)].variant), default: 0] += 1
                    }
                }
                drafts.append(
                    try SampleRatioReport.Draft(
                        question, columns, keys: keys, number: period, periods[period], shares, units[period],
                        randomisation, before: before))
            } catch {
                // Of several periods some may hold nothing that counts.
                guard case .nothingCounted(let counts) = error, periods.count > 1 else { throw error }
                failure = failure ?? error
                untested.append(
                    UntestedPeriod(
                        name: periods[period].name, rows: counts.rows,
                        exclusions: counts.exclusions.isEmpty ? ["all counts are 0"] : counts.exclusions))
            }
        }
        guard !drafts.isEmpty || !untested.isEmpty && failure == nil else {
            throw failure ?? .nothingCounted(RowCounts())
        }
        let levels = RatioLevels(question.analysis.threshold, drafts)
        ratioLevel = levels.ratio
        if drafts.count > 1 { together = StratifiedRatio.pValue(drafts) }
        let names = periods.map(\.name)
        reports = drafts.map { draft in
            var report = SampleRatioReport(draft, question, levels)
            report.isNamed = (
                salt: !question.analysis.salts.isEmpty
                    || names.contains { !UTF8Order.areEqual($0.salt, report.name.salt) },
                revision: names.contains { !UTF8Order.areEqual($0.revision, report.name.revision) }
            )
            report.isUntestedElsewhere = untestedCount > 0
            return report
        }
    }

    private mutating func addUntested(
        _ period: RatioPeriod, _ units: PeriodUnits, _ question: SampleRatioQuestion, holdsCounts: Bool
    ) {
        guard period.rows.rows > 0 else { return }
        untested.append(
            UntestedPeriod(
                name: period.name,
                isPresentSalt: question.present.map { UTF8Order.areEqual($0.salt, period.name.salt) } ?? false,
                presentShares: question.shares.text, rows: period.rows.rows,
                units: holdsCounts ? 0 : units.counted.count,
                exclusions: units.counted.isEmpty ? period.rows.exclusions + ["without a unit that counts"] : []))
    }

    // MARK: For people

    /// The verdict over all periods, where there are several; it is the first line.
    var summary: [String] {
        guard reports.count > 1 || untestedCount > 0 || reports.isEmpty else { return [] }
        let noun =
            reports.contains(where: \.isNamed.salt) && !reports.contains(where: \.isNamed.revision)
            ? "salt" : "revision"
        let size = reports.isEmpty ? "" : ", \(counted(reports.count, noun))"
        let bad = reports.filter(\.isMismatch)
        var parts: [String] = []
        if isMismatchTogether, let together {
            parts.append(
                "SAMPLE RATIO MISMATCH over all of them (p = \(together)): do not trust results before it is explained")
        }
        if !bad.isEmpty { parts.append("\(bad.map(\.shortFinding).listed(atMost: 4)): see below") }
        if parts.isEmpty, !reports.isEmpty {
            parts.append(
                "no sign of a sample ratio mismatch" + (together.map { " over all of them (p = \($0))" } ?? ""))
        }
        let exact = untested.allSatisfy { $0.units > 0 || !$0.exclusions.isEmpty }
        if untestedCount > 0 {
            parts.append("\(counted(untestedCount, exact ? "unit" : "row")) NOT TESTED, see the last lines")
        }
        return ["\(key.map { PrintableText($0).description } ?? "all rows")\(size): \(parts.joined(separator: "; "))"]
    }

    var alarms: [String] {
        var alarms = isMismatchTogether ? ["ratio-over-revisions"] : []
        for alarm in reports.flatMap(\.alarms) where !alarms.contains(alarm) { alarms.append(alarm) }
        if untestedCount > 0, !alarms.contains("untested") { alarms.append("untested") }
        return alarms
    }

    var json: JSONValue {
        JSONValue(members: [
            "experiment": key, "alarms": alarms, "revisions_tested": reports.count,
            "p_value_over_revisions": together?.json, "untested_units": untestedCount,
        ])
    }
}

/// The levels at which the tests of an experiment are alarms.
///
/// Each kind of test has the whole threshold, shared equally among its tests: the ratio of each period and of all
/// together; the sequential tests; and all others. The first two see the same units, and the others are careful, so
/// that an experiment without a fault is reported with less than twice the threshold.
struct RatioLevels: Sendable {
    let ratio: Double
    let sequential: Double
    let other: Double

    init(_ threshold: Double, _ drafts: [SampleRatioReport.Draft]) {
        let count = Double(max(drafts.count, 1))
        ratio = threshold / (count > 1 ? count + 1 : 1)
        sequential = threshold / count
        other = threshold / Double(max(drafts.reduce(0) { $0 + $1.otherTestCount }, 1))
    }
}

/// Rows of a period that cannot be tested.
struct UntestedPeriod: Sendable, Hashable {
    let name: RatioPeriod.Name
    var isPresentSalt = true
    var presentShares: String?
    var rows = 0
    /// Their units, where they are not counts.
    var units = 0
    /// The reason why no row counts, where shares are known.
    var exclusions: [String] = []

    /// The period, after the experiment's key if there is one, and the way to test it.
    func text(of experiment: String?) -> String {
        let revision = name.revision.isEmpty ? nil : "revision \(PrintableText(name.revision))"
        let salt = isPresentSalt ? nil : "salt \(PrintableText(name.salt))"
        let parts = [experiment.map { PrintableText($0).description }, salt, revision].compactMap { $0 }.joined(
            separator: ", ")
        guard exclusions.isEmpty else {
            return "\(parts): no row counts, of \(rows): \(exclusions.joined(separator: ", "))"
        }
        let size = units > 0 ? counted(units, "unit") : counted(rows, "row")
        let shares = presentShares.map { "\($0) if they were the present ones" } ?? "control=50%,green=50%"
        let fix = name.revision.isEmpty ? "" : " as \(PrintableText(name.revision))=\(shares)"
        return "\(parts): \(size) not tested, as the shares of that time are not known; give them\(fix)"
    }
}
