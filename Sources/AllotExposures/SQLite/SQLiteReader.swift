internal import AllotConfiguration
import GRDB

/// Reads one snapshot, and compares what its trees contain with the stored sums; a mismatch throws, so damaged data is
/// never returned.
final class SQLiteReader {
    private let database: Database
    private let texts: SQLiteTexts
    /// The numbers of the randomisations.
    private lazy var numbers: [[UTF8Key]: Int64] = Dictionary(
        texts.randomisations.enumerated().map { index, randomisation in
            ([UTF8Key(randomisation.experiment), UTF8Key(randomisation.salt)], Int64(index + 1))
        }, uniquingKeysWith: { first, _ in first })
    /// The numbers of each randomisation's cohorts.
    private lazy var cohorts: [Int64: [Int64]] = Dictionary(grouping: (0..<Int64(texts.cohorts.count)).map { $0 + 1 }) {
        texts.cohorts[Int($0 - 1)].randomisation
    }

    init(_ database: Database) throws {
        self.database = database
        texts = try SQLiteTexts(database)
    }

    // MARK: Randomisations

    func randomisations(of experiment: String?) throws -> [StoredRandomisation] {
        var variants: [Int64: Set<UTF8Key>] = [:]
        for cohort in texts.cohorts where cohort.units > 0 {
            variants[cohort.randomisation, default: []].insert(UTF8Key(texts.variants[Int(cohort.variant - 1)]))
        }
        return texts.randomisations.enumerated().compactMap { index, randomisation in
            guard let variants = variants[Int64(index + 1)],
                experiment.map({ UTF8Order.areEqual($0, randomisation.experiment) }) ?? true
            else { return nil }
            return StoredRandomisation(
                experiment: randomisation.experiment, salt: randomisation.salt, variants: variants.sorted().map(\.text),
                lastReceivedAt: randomisation.receivedAt)
        }.sorted { left, right in
            let (first, second) = (UTF8Key(left.experiment), UTF8Key(right.experiment))
            return first == second ? UTF8Order.precedes(left.salt, right.salt) : first < second
        }
    }

    // MARK: Counts

    func counts(experiment: String, salt: String) throws -> ExposureCounts {
        guard let number = randomisation(experiment, salt) else {
            return ExposureCounts(groups: [], unitsInSeveralVariants: 0)
        }
        let groups = try groups(number).map(\.group)
        return ExposureCounts(groups: groups, unitsInSeveralVariants: try unitsInSeveralVariants(number, of: groups))
    }

    func history(experiment: String, salt: String) throws -> ExposureHistory {
        guard let number = randomisation(experiment, salt) else {
            return ExposureHistory(groups: [], unitsInSeveralVariants: 0)
        }
        let groups = try groups(number)
        let rows = try SQLiteStatement(
            database,
            """
            SELECT \(SQLiteRow.columns) FROM exposure INDEXED BY exposure_identity
            WHERE randomisation = ? AND counted = 1 AND unit = ?
            """)
        var repeats: [Int64: [Int64: Int]] = [:]
        let several = try unitsInSeveralVariants(number, of: groups.map(\.group)) { unit in
            var entries: [SQLiteRow] = []
            try rows.run([number, unit]) { entries.append(try SQLiteRow($0)) }
            entries.sort { ($0.at, $0.cursor) < ($1.at, $1.cursor) }
            for entry in entries.dropFirst() {
                repeats[entry.place.cohort, default: [:]][ExposureHistory.day(of: entry.at), default: 0] += 1
            }
        }
        return ExposureHistory(
            groups: try groups.map { ($0.group, try days($0.cohort, repeats: repeats[$0.cohort] ?? [:])) },
            unitsInSeveralVariants: several)
    }

    /// The numbers that are kept of each cohort. Counting the units of one randomisation compares them with what the
    /// trees contain.
    func totals() -> [ExposureTotal] {
        texts.cohorts.filter { $0.units > 0 }.map { cohort in
            let randomisation = texts.randomisations[Int(cohort.randomisation - 1)]
            return ExposureTotal(
                experiment: randomisation.experiment, salt: randomisation.salt,
                variant: texts.variants[Int(cohort.variant - 1)], revision: cohort.revision, reason: cohort.reason,
                isCounted: ExposureMessage.isCounted(reason: cohort.reason, isOverridden: cohort.isOverridden),
                units: Int(cohort.units))
        }
    }

    private func randomisation(_ experiment: String, _ salt: String) -> Int64? {
        numbers[[UTF8Key(experiment), UTF8Key(salt)]]
    }

    /// The groups of a randomisation that have units, with the numbers of their cohorts.
    private func groups(_ randomisation: Int64) throws -> [(cohort: Int64, group: ExposureCounts.Group)] {
        try (cohorts[randomisation] ?? []).compactMap { number in
            try group(number, texts.cohorts[Int(number - 1)]).map { (number, $0) }
        }
    }

    /// The days of a cohort. It goes from one day that has units to the next in the tree of times.
    ///
    /// - Parameter repeats: by day, the units that were counted in another variant before.
    private func days(_ cohort: Int64, repeats: [Int64: Int]) throws -> [ExposureHistory.Day] {
        let next = try SQLiteStatement(
            database, "SELECT min(at) FROM exposure INDEXED BY exposure_time WHERE cohort = ? AND at >= ?")
        let count = try SQLiteStatement(
            database, "SELECT count(*) FROM exposure INDEXED BY exposure_time WHERE cohort = ? AND at >= ? AND at < ?")
        var days: [ExposureHistory.Day] = []
        var start = Int64.min
        while let first = try next.number([cohort, start]) {
            let day = ExposureHistory.day(of: first)
            start = (day + 1) * ExposureHistory.dayLength
            let units = try count.number([cohort, first, start]) ?? 0
            days.append(ExposureHistory.Day(day: Int(day), units: Int(units), repeats: repeats[day] ?? 0))
        }
        return days
    }

    /// Reads one tree alone, in its order: no rows are read and nothing is sorted.
    private func group(_ number: Int64, _ cohort: SQLiteTexts.Cohort) throws -> ExposureCounts.Group? {
        let sums = try SQLiteStatement(
            database,
            """
            SELECT count(*), sum(at % \(SQLiteSums.timeModulus)), min(at), max(at)
            FROM exposure INDEXED BY exposure_time WHERE cohort = ?
            """)
        var group: ExposureCounts.Group?
        try sums.run([number]) { row in
            guard row.number(0) == cohort.units, row.number(1) == cohort.digest else {
                throw SQLiteDamage("the times of cohort \(number) are not what was written")
            }
            guard cohort.units > 0 else { return }
            group = ExposureCounts.Group(
                variant: texts.variants[Int(cohort.variant - 1)], revision: cohort.revision, reason: cohort.reason,
                isOverridden: cohort.isOverridden, units: Int(cohort.units), earliest: row.number(2),
                latest: row.number(3))
        }
        return group
    }

    /// Reads the tree of identities, in which the entries of a unit follow one another.
    ///
    /// - Parameter body: is called for each unit that is counted in several variants.
    private func unitsInSeveralVariants(
        _ number: Int64, of groups: [ExposureCounts.Group], _ body: (_ unit: String) throws -> Void = { _ in }
    ) throws -> Int {
        let entries = groups.reduce(0) { $0 + $1.units }
        let randomisation = texts.randomisations[Int(number - 1)]
        let identities = try SQLiteStatement(
            database,
            """
            SELECT counted, unit, variant FROM exposure INDEXED BY exposure_identity
            WHERE randomisation = ? ORDER BY counted, unit, variant
            """)
        var (count, digest, several) = (Int64(0), Int64(0), 0)
        var last: [UInt8] = []
        // The entries in a row of the last unit.
        var run = 0
        try identities.run([number]) { row in
            let (counted, unit) = (row.number(0), row.bytes(1))
            count += 1
            digest += SQLiteRow.identityMark(isCounted: counted == 1, unit: unit, variant: row.number(2))
            guard counted == 1 else { return }
            if run > 0, last.elementsEqual(unit) {
                run += 1
                if run == 2 {
                    several += 1
                    try body(row.text(1))
                }
            } else {
                run = 1
                last.removeAll(keepingCapacity: true)
                last.append(contentsOf: unit)
            }
        }
        guard count == Int64(entries), count == randomisation.entries, digest == randomisation.digest else {
            throw SQLiteDamage("the units of \(QuotedText(randomisation.experiment)) are not what was written")
        }
        return several
    }

    // MARK: Exposures

    /// Reads whole blocks, because a block has a sum.
    func exposures(
        of selection: ExposureSelection, after: Int64, through: Int64, limit: Int
    ) throws -> (exposures: [Exposure], cursor: Int64) {
        let length = SQLiteSums.blockLength
        let first = (after + 1) / length
        var blocks: [(id: Int64, count: Int64, digest: Int64)] = []
        let next = try SQLiteStatement(
            database, "SELECT id, rows, digest FROM block WHERE id >= ? AND id <= ? ORDER BY id LIMIT ?")
        let blockLimit = max(1, Int64(limit) / length)
        try next.run([first, through / length, blockLimit]) { row in
            blocks.append((row.number(0), row.number(1), row.number(2)))
        }
        let end =
            blocks.count < Int(blockLimit) ? through : min(through, (blocks[blocks.count - 1].id + 1) * length - 1)
        var exposures: [Exposure] = []
        var found: [(id: Int64, count: Int64, digest: Int64)] = []
        var last: Int64 = -1
        let rows = try SQLiteStatement(
            database,
            "SELECT \(SQLiteRow.columns) FROM exposure WHERE cursor >= ? AND cursor < ? ORDER BY cursor")
        try rows.run([first * length, (end / length + 1) * length]) { row in
            let row = try SQLiteRow(row)
            guard row.cursor > last else { throw SQLiteDamage("exposure \(row.cursor) is not in its place") }
            last = row.cursor
            let id = row.cursor / length
            if found.last?.id != id { found.append((id, 0, 0)) }
            found[found.count - 1].count += 1
            found[found.count - 1].digest += row.mark
            if row.cursor > after, row.cursor <= end, let exposure = try exposure(row, of: selection) {
                exposures.append(exposure)
            }
        }
        guard found.elementsEqual(blocks, by: ==) else {
            throw SQLiteDamage("the exposures from \(first * length) on are not what was written")
        }
        return (exposures, end)
    }

    /// Looks the unit up in the tree of identities, for one randomisation after another.
    func exposures(ofUnit unit: String) throws -> [Exposure] {
        let rows = try SQLiteStatement(
            database,
            """
            SELECT \(SQLiteRow.columns) FROM exposure INDEXED BY exposure_identity
            WHERE randomisation = ? AND counted = ? AND unit = ?
            """)
        var exposures: [Exposure] = []
        for randomisation in texts.randomisations.indices {
            for counted: Int64 in 0...1 {
                try rows.run([Int64(randomisation + 1), counted, unit]) { row in
                    exposures.append(try exposure(SQLiteRow(row)))
                }
            }
        }
        return exposures
    }

    /// Returns `nil` for an exposure that is not selected.
    private func exposure(_ row: SQLiteRow, of selection: ExposureSelection) throws -> Exposure? {
        let exposure = try exposure(row)
        guard row.isCounted == selection.isCounted,
            selection.experiment.map({ UTF8Order.areEqual($0, exposure.experiment) }) ?? true,
            selection.salt.map({ UTF8Order.areEqual($0, exposure.salt) }) ?? true
        else { return nil }
        return exposure
    }

    private func exposure(_ row: SQLiteRow) throws -> Exposure {
        guard texts.cohorts.indices.contains(Int(row.place.cohort - 1)) else {
            throw SQLiteDamage("exposure \(row.cursor) is of no cohort")
        }
        let cohort = texts.cohorts[Int(row.place.cohort - 1)]
        let randomisation = texts.randomisations[Int(cohort.randomisation - 1)]
        var exposure = Exposure(
            id: row.event, unit: row.unit, experiment: randomisation.experiment, salt: randomisation.salt,
            variant: texts.variants[Int(cohort.variant - 1)], reason: cohort.reason, at: row.at,
            receivedAt: row.receivedAt)
        exposure.revision = cohort.revision
        exposure.isOverridden = cohort.isOverridden
        exposure.doubt = row.doubt
        exposure.reportedAt = row.reportedAt
        exposure.attributes = row.attributes
        return exposure
    }
}
