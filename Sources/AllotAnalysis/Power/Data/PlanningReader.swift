import AllotBatch
import AllotConfiguration
import AllotCore
import AllotReports

/// Reads the rows of which a plan is made, and sums them by unit.
struct PlanningReader {
    private let question: PowerDataQuestion
    private let fileName: String
    /// The columns of numbers, and whether values of several rows are added; otherwise the first one counts.
    private let columns: [(column: Int, isSum: Bool)]
    /// For each metric the places of its columns in `columns`.
    private let places: [(value: Int, ratio: Int?, before: Int?)]
    private let decided: UnitColumns
    /// The columns of what is summed; `nil` where each row is a unit of a cluster.
    private let unit: UnitColumns?
    private let cluster: Int?
    private let time: Int?

    private var decision: RepeatedDecision
    private var numberOf: [UInt64: Int] = [:]
    private var clusterOf: [UInt64: Int] = [:]
    /// The windows of an experiment with a period; `nil` without one.
    private var windows: PlanningWindows?
    private var ids = UnitBlock()
    private var clusterIDs = UnitBlock()
    private var values: [[Double]]
    private var clusters: [Int] = []
    private var arrivals: [Double] = []
    private var rowCount = 0
    private var reasons = Array(repeating: 0, count: Reason.count)

    init(_ question: PowerDataQuestion, _ header: CSVHeader, fileName: String) throws {
        func index(_ name: String, _ purpose: String) throws(BatchError) -> Int {
            try header.index(of: name, in: fileName, for: purpose)
        }
        (self.question, self.fileName) = (question, fileName)
        let attribute = question.definition.unit ?? Subject.defaultUnit
        let cluster = try question.cluster.map { try index($0, "the clusters") }
        if question.cluster == attribute, let cluster {
            decided = UnitColumns([cluster])
            let named = try question.unitColumn.map { try index($0, "the unit IDs") }
            let isUsual = named == nil && attribute != Subject.defaultUnit
            let usual = isUsual ? try header.indexIfPresent(of: Subject.defaultUnit, in: fileName) : nil
            unit = (named ?? usual).map { UnitColumns([$0]) }
        } else {
            decided = try UnitColumns(
                of: attribute, in: header, fileName, column: question.unitColumn, for: "the unit IDs")
            unit = decided
        }
        windows = question.period.map { PlanningWindows($0, washout: question.washout?.seconds ?? 0) }
        self.cluster = cluster
        time = try question.atColumn.map { try index($0, "the instants") }
        var columns: [(column: Int, isSum: Bool)] = []
        func place(_ name: String, _ purpose: String, isSum: Bool) throws -> Int {
            let column = try index(name, purpose)
            if let known = columns.firstIndex(where: { $0.column == column && $0.isSum == isSum }) { return known }
            columns.append((column, isSum))
            return columns.count - 1
        }
        places = try question.metrics.map { metric in
            (
                try place(metric.column, "a metric", isSum: true),
                try metric.ratio.map { try place($0, "the denominator", isSum: true) },
                try metric.before.map { try place($0, "the time before", isSum: false) }
            )
        }
        self.columns = columns
        values = columns.map { _ in [] }
        decision = RepeatedDecision(
            question.plan.admittingAll(of: question.experiment), experiment: question.experiment,
            attributes: header.unambiguousColumns.map { (header.names[$0], $0) })
    }

    var unitColumns: [Int] { decided.columns }

    mutating func take(_ rows: borrowing CSVRows) throws {
        rowCount += 1
        let instant = try time.map { try rows.instant($0) } ?? question.instant
        let id = decided.id(of: rows) ?? []
        let reason = decision.decide(rows, unit: id.span, at: instant)
        reasons[Int(reason.rawValue)] += 1
        guard reason == .split else { return }
        guard let number = try self.number(rows, at: instant) else { return }
        let moment = time == nil ? 0 : Double(instant.seconds) + Double(instant.nanoseconds) / 1e9
        arrivals[number] = min(arrivals[number], moment)
        for (place, column) in columns.enumerated() {
            // NaN is a value that is missing.
            let value = try rows.metric(column.column) ?? .nan
            let old = values[place][number]
            if old == -.infinity || !column.isSum && old.isNaN {
                values[place][number] = value
            } else if column.isSum {
                values[place][number] = old + value
            }
        }
    }

    /// The number of the row's unit, new if it is the first of it. Returns `nil` in the washout of a window.
    private mutating func number(_ rows: borrowing CSVRows, at instant: Instant) throws -> Int? {
        let bytes = rows.bytes.span
        let number = arrivals.count
        let clusterHash = try cluster.map { cluster in
            let id = bytes.extracting(rows[cluster])
            guard UnitID.isValidLength(id.count) else {
                throw rows.error(in: cluster, "this is not a cluster; an ID has 1 to \(UnitID.maximumLength) bytes")
            }
            return ByteHash.hash(id)
        }
        if let unit {
            // An ID that is not valid is one of another column than the decided one, and as good as any other.
            let id = unit.id(of: rows) ?? []
            var hash = ByteHash.hash(id.span)
            // Each cluster may have a unit of this ID, and its values are those of the cluster.
            if let clusterHash { hash = ByteHash.hash(hash, clusterHash) }
            let known = numberOf[hash]
            if windows != nil {
                guard let window = windows?.window(at: instant) else { return nil }
                if known == nil { ids.append(id) }
                numberOf[hash] = known ?? ids.count - 1
                clusters.append(windows?.cluster(ofUnit: known ?? ids.count - 1, window: window) ?? 0)
            } else {
                if let known { return known }
                numberOf[hash] = number
                if cluster == nil { ids.append(id) }
            }
        }
        arrivals.append(.infinity)
        for place in values.indices { values[place].append(-.infinity) }
        guard let cluster, let clusterHash else { return number }
        let known = clusterOf[clusterHash] ?? clusterOf.count
        if known == clusterOf.count {
            clusterOf[clusterHash] = known
            clusterIDs.append(rows.bytes[rows[cluster]])
        }
        clusters.append(known)
        return number
    }

    /// The units with all their values.
    func data(doubts: DoubtfulValues) throws -> PlanningData {
        let required = places.flatMap { [$0.value, $0.ratio].compactMap(\.self) }
        var kept = arrivals.indices.filter { unit in required.allSatisfy { !values[$0][unit].isNaN } }
        var notes = doubts.sentences.map { "\($0)." }
        let missing = decision.missingAttributes
        if !missing.isEmpty {
            notes.append(
                "The decisions look at \(missing.listed(atMost: 6)), which the data do not have; such conditions are "
                    + "decided as for units without them.")
        }
        if arrivals.count > kept.count {
            let left = arrivals.count - kept.count
            notes.append(
                "\(NumberFormat.countedInGroups(left, windows == nil ? "unit" : "row")) left out that "
                    + "\(left == 1 ? "lacks" : "lack") a value of a metric; where a missing value means nothing was "
                    + "bought, write 0.")
        }
        if let windows {
            let complete = windows.complete(kept, clusters: clusters)
            kept = complete.rows
            notes += windows.notes(unmatchedCount: complete.unmatchedCount)
        }
        guard !kept.isEmpty else { throw AnalysisError(noUnits) }
        let start = kept.reduce(Double.infinity) { min($0, arrivals[$1]) }
        let last = kept.reduce(start) { max($0, arrivals[$1]) }
        guard last - start < Double(Self.mostWeeks * 7 * 86_400) else {
            let days = [start, last].map { CalendarDate(daysSince1970: Int(($0 / 86_400).rounded(.down))).text }
            throw AnalysisError(
                "the units of \(fileName) arrive from \(days[0]) to \(days[1]), and a plan has at most "
                    + "\(Self.mostWeeks) weeks; correct the instants, or leave out rows that are too old or new")
        }
        var groups = PlanningData.Groups(
            kept: kept, clusters: clusters.isEmpty ? nil : clusters, arrivals: arrivals.map { $0 - start })
        groups.pairs = windows?.pairs(clusters: groups.ids)
        let metrics = try zip(question.metrics, places).map { metric, place throws(AnalysisError) in
            try PlannedMetric(
                metric, values: values[place.value], ratio: place.ratio.map { values[$0] },
                before: place.before.map { values[$0] }, groups)
        }
        notes += metrics.compactMap(\.missingNote)
        if let name = question.cluster, let unit = question.definition.unit, name != unit {
            notes.append(
                "\(question.definition.key) randomises by \(QuotedText(unit)); this plan randomises by "
                    + "\(QuotedText(name)).")
        }
        if windows == nil, groups.isClustered, groups.largest == 1 {
            notes.append("Every cluster has one unit, so that the clusters change nothing.")
        }
        return PlanningData(
            ids: windows?.ids(of: ids) ?? (clusters.isEmpty ? ids : clusterIDs), groups, metrics: metrics,
            hasTimes: time != nil, rowCount: rowCount, washedOutCount: windows?.washedOutCount, reasons: reasons,
            name: fileName, notes: notes)
    }

    /// The weeks of ten years. A wrong instant would make many weeks without units.
    private static let mostWeeks = 520

    private var noUnits: String {
        if rowCount == 0 { return "\(fileName) has no rows; a plan needs data" }
        let counts = Reason.allCases.filter { reasons[Int($0.rawValue)] > 0 && $0 != .split }
            .map { "\(reasons[Int($0.rawValue)]) \($0.text)" }.joined(separator: ", ")
        let place = windows == nil ? "" : " in a window after the washout, or in both windows of a pair"
        return counts.isEmpty
            ? "no unit of \(fileName) has a value of every metric\(place)"
            : "\(question.definition.key) would enrol no unit of \(fileName) (\(counted(rowCount, "row")): \(counts))"
    }
}
