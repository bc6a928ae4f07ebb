import AllotConfiguration
import AllotExposures

/// Stores exposures within one transaction that has begun with ``PostgreSQLSchema/beginWriting``.
struct PostgreSQLWriter {
    private let connection: PostgreSQLConnection

    private static let statementLimit = 10_000

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    func store(_ exposures: [Exposure]) throws(PostgreSQLError) -> [ExposureOutcome] {
        let (arms, new) = try self.arms(of: exposures)
        let identities = zip(exposures, arms).map {
            PostgreSQLBatch.Identity(arm: $1, unit: .init($0.unit), window: $0.storedWindow)
        }
        var batch = PostgreSQLBatch()
        for range in Self.ranges(of: exposures.count) { try read(exposures[range], identities[range], into: &batch) }
        let outcomes = exposures.indices.map { batch.store(exposures[$0], number: $0, as: identities[$0]) }
        let inserted = batch.inserted
        let insertedArms = inserted.map { arms[$0] }
        // An event whose ID is stored may name a new arm and store nothing.
        var emptied = Set(new).subtracting(insertedArms).map { (arm: $0, revision: String?.none) }
        let replaced = batch.replaced
        if !replaced.isEmpty {
            let rows = try connection.query(
                "DELETE FROM exposure WHERE cursor = ANY ($1::bigint[]) RETURNING arm, revision",
                [.numbers(replaced)])
            emptied += Self.armsAndRevisions(rows)
        }
        let insertedExposures = try withoutSurplusRevisions(inserted.map { exposures[$0] }, insertedArms)
        for range in Self.ranges(of: inserted.count) {
            try insert(Array(insertedExposures[range]), Array(insertedArms[range]))
        }
        try removeNotes(of: emptied)
        return outcomes
    }

    private static func ranges(of count: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: statementLimit).map { $0..<min($0 + statementLimit, count) }
    }

    // MARK: Arms

    /// The number of each exposure's arm, and those of new arms, which are noted if no definition has them. They are
    /// not remembered between transactions: after a fail-over or a restored backup they would be others.
    private func arms(of exposures: [Exposure]) throws(PostgreSQLError) -> (ofEach: [Int32], new: [Int32]) {
        var places: [PostgreSQLBatch.Arm: Int] = [:]
        var arms: [PostgreSQLBatch.Arm] = []
        var confirmed: Set<Int> = []
        let placeOfEach = exposures.map { exposure in
            let arm = PostgreSQLBatch.Arm(arm: ExposureArm(exposure), isCounted: exposure.isCounted)
            let place = places[arm] ?? arms.count
            if place == arms.count {
                places[arm] = place
                arms.append(arm)
            }
            if exposure.confirmation != .nothing { confirmed.insert(place) }
            return place
        }
        let found = try find(arms)
        var numbers = found.map(\.number)
        let new = arms.indices.filter { numbers[$0] == nil }
        if !new.isEmpty {
            try connection.query(
                """
                INSERT INTO arm (experiment, salt, variant, counted)
                SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[])
                """, Self.parameters(new.map { arms[$0] }))
            numbers = try find(arms).map(\.number)
        }
        let known = numbers.compactMap(\.self)
        guard known.count == arms.count else {
            throw PostgreSQLError(
                code: "42P01", message: "a row of the table \"arm\" was inserted and is not there",
                isConnectionLost: false)
        }
        try note(new.filter { !confirmed.contains($0) }.map { known[$0] })
        try confirm(confirmed.filter { found[$0].isNoted }.map { arms[$0] })
        return (placeOfEach.map { known[$0] }, new.map { known[$0] })
    }

    /// The numbers of arms, and whether their variants are noted as those that no definition has had.
    private func find(_ arms: [PostgreSQLBatch.Arm]) throws(PostgreSQLError) -> [(number: Int32?, isNoted: Bool)] {
        let rows = try connection.query(
            """
            SELECT (SELECT id FROM arm WHERE (arm.experiment, arm.salt, arm.variant, arm.counted)
                    = (named.experiment, named.salt, named.variant, named.counted)),
                EXISTS (
                    SELECT FROM arm JOIN unconfirmed ON unconfirmed.arm = arm.id AND unconfirmed.revision = ''
                    WHERE (arm.experiment, arm.salt, arm.variant) = (named.experiment, named.salt, named.variant))
            FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[])
                AS named (experiment, salt, variant, counted)
            """, Self.parameters(arms))
        return rows.map { ($0.numberIfAny(0).map(Int32.init), $0.boolean(1)) }
    }

    private static func parameters(_ arms: [PostgreSQLBatch.Arm]) -> [PostgreSQLValue] {
        arms.map(\.arm).parameters + [.booleans(arms.map(\.isCounted))]
    }

    // MARK: Notes

    /// Notes new arms that no definition has, unless exposures to the same variant are stored that are counted when
    /// these are not, or the other way round, and that are kept.
    private func note(_ arms: [Int32]) throws(PostgreSQLError) {
        guard !arms.isEmpty else { return }
        try connection.query(
            """
            INSERT INTO unconfirmed (arm, revision)
            SELECT id, '' FROM arm WHERE id = ANY ($1::integer[]) AND NOT EXISTS (
                SELECT FROM arm AS other
                WHERE (other.experiment, other.salt, other.variant) = (arm.experiment, arm.salt, arm.variant)
                    AND other.id <> ALL ($1::integer[])
                    AND NOT EXISTS (
                        SELECT FROM unconfirmed WHERE unconfirmed.arm = other.id AND unconfirmed.revision = ''))
            """, [.integers(arms)])
    }

    private func confirm(_ arms: [PostgreSQLBatch.Arm]) throws(PostgreSQLError) {
        guard !arms.isEmpty else { return }
        let revisions = PostgreSQLValue.texts(Array(repeating: nil, count: arms.count))
        try connection.query(Self.confirmation, arms.map(\.arm).parameters + [revisions])
    }

    /// Removes the notes of variants, and of their revisions where there are any.
    static let confirmation = """
        DELETE FROM unconfirmed
        USING arm, unnest($1::text[], $2::text[], $3::text[], $4::text[])
            AS known (experiment, salt, variant, revision)
        WHERE unconfirmed.arm = arm.id
            AND (arm.experiment, arm.salt, arm.variant) = (known.experiment, known.salt, known.variant)
            AND unconfirmed.revision IN ('', known.revision)
        """

    /// Notes the revisions that no definition has, and leaves out those for which there is no room.
    private func withoutSurplusRevisions(
        _ exposures: [Exposure], _ arms: [Int32]
    ) throws(PostgreSQLError) -> [Exposure] {
        let doubtful = exposures.indices.filter {
            exposures[$0].confirmation != .whole && exposures[$0].revision?.isEmpty == false
        }
        guard !doubtful.isEmpty else { return exposures }
        let rows = try connection.query(
            "SELECT arm, revision FROM unconfirmed WHERE arm = ANY ($1::integer[]) AND revision <> ''",
            [.integers(Array(Set(doubtful.map { arms[$0] })))])
        var noted: [Int32: Set<UTF8Key>] = [:]
        for row in rows { noted[Int32(row.number(0)), default: []].insert(UTF8Key(row.text(1))) }
        var exposures = exposures
        var new: [(arm: Int32, revision: String)] = []
        for index in doubtful {
            guard let revision = exposures[index].revision else { continue }
            let known = noted[arms[index]] ?? []
            if known.contains(UTF8Key(revision)) { continue }
            guard known.count < Exposure.Confirmation.revisionLimit else {
                exposures[index].revision = nil
                continue
            }
            noted[arms[index], default: []].insert(UTF8Key(revision))
            new.append((arms[index], revision))
        }
        guard !new.isEmpty else { return exposures }
        try connection.query(
            "INSERT INTO unconfirmed (arm, revision) SELECT * FROM unnest($1::integer[], $2::text[])",
            [.integers(new.map(\.arm)), .texts(new.map(\.revision))])
        return exposures
    }

    /// Removes the notes of variants and revisions whose exposures were deleted or not stored, if none are left, and
    /// the arms that were noted.
    func removeNotes(of emptied: [(arm: Int32, revision: String?)]) throws(PostgreSQLError) {
        guard !emptied.isEmpty else { return }
        try connection.query(
            """
            WITH gone AS (
                DELETE FROM unconfirmed
                USING (SELECT DISTINCT * FROM unnest($1::integer[], $2::text[])) AS emptied (arm, revision)
                WHERE unconfirmed.arm = emptied.arm AND unconfirmed.revision IN ('', emptied.revision)
                    AND NOT EXISTS (
                        SELECT FROM exposure
                        WHERE exposure.arm = unconfirmed.arm AND unconfirmed.revision IN ('', exposure.revision))
                RETURNING unconfirmed.arm, unconfirmed.revision)
            DELETE FROM arm USING gone WHERE arm.id = gone.arm AND gone.revision = ''
            """, [.integers(emptied.map(\.arm)), .texts(emptied.map(\.revision))])
    }

    static func armsAndRevisions(_ rows: PostgreSQLRows) -> [(arm: Int32, revision: String?)] {
        rows.map { (arm: Int32($0.number(0)), revision: $0.textIfAny(1)) }
    }

    // MARK: Exposures

    /// Reads the rows that have the identity or the event ID of an exposure.
    private func read(
        _ exposures: ArraySlice<Exposure>, _ identities: ArraySlice<PostgreSQLBatch.Identity>,
        into batch: inout PostgreSQLBatch
    ) throws(PostgreSQLError) {
        let rows = try connection.query(
            """
            SELECT arm, unit, cursor, at, doubt IS NOT NULL, event, window_number
            FROM unnest($1::integer[], $2::text[], $3::bigint[]) AS sent (arm, unit, window_number)
                JOIN exposure USING (arm, unit, window_number)
            UNION ALL
            SELECT arm, unit, cursor, at, doubt IS NOT NULL, event, window_number
            FROM unnest($4::text[]) AS sent (event) JOIN exposure USING (event)
            """,
            [
                .integers(identities.map(\.arm)), .texts(identities.map(\.unit.text)),
                .numbers(identities.map(\.window)), .texts(exposures.compactMap(\.id)),
            ])
        for row in rows {
            batch.addRow(
                PostgreSQLBatch.Identity(arm: Int32(row.number(0)), unit: .init(row.text(1)), window: row.number(6)),
                cursor: row.number(2),
                rank: ExposureRank(isInDoubt: row.boolean(4), at: row.number(3)), event: row.textIfAny(5))
        }
    }

    private func insert(_ exposures: [Exposure], _ arms: [Int32]) throws(PostgreSQLError) {
        try connection.query(
            """
            INSERT INTO exposure (
                arm, unit, event, revision, reason, override, at, received_at, doubt, reported_at, attributes,
                window_number)
            SELECT * FROM unnest(
                $1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::bigint[],
                $8::bigint[], $9::text[], $10::bigint[], $11::text[], $12::bigint[])
            """,
            [
                .integers(arms), .texts(exposures.map(\.unit)), .texts(exposures.map(\.id)),
                .texts(exposures.map(\.revision)), .texts(exposures.map(\.reason)),
                .booleans(exposures.map(\.isOverridden)), .numbers(exposures.map(\.at)),
                .numbers(exposures.map(\.receivedAt)), .texts(exposures.map(\.doubt?.rawValue)),
                .numbers(exposures.map(\.reportedAt)), .texts(exposures.map(\.attributes)),
                .numbers(exposures.map(\.storedWindow)),
            ])
    }
}

extension [ExposureArm] {
    var parameters: [PostgreSQLValue] { [.texts(map(\.experiment)), .texts(map(\.salt)), .texts(map(\.variant))] }
}
