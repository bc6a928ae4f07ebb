internal import AllotConfiguration
import GRDB

/// All texts that numbers stand for, checked, as one snapshot has them.
struct SQLiteTexts {
    struct Randomisation {
        let experiment: String
        let salt: String
        let receivedAt: Int64
        let entries: Int64
        let digest: Int64
    }

    struct Cohort {
        let randomisation: Int64
        let variant: Int64
        let revision: String?
        let reason: String
        let isOverridden: Bool
        let units: Int64
        let digest: Int64
    }

    /// By their numbers less 1.
    private(set) var randomisations: [Randomisation] = []
    private(set) var variants: [String] = []
    private(set) var cohorts: [Cohort] = []

    init(_ database: Database) throws {
        let sql = "SELECT id, mark, experiment, salt, received_at, entries, digest FROM randomisation ORDER BY id"
        try SQLiteStatement(database, sql).run { row in
            let texts = [row.text(2), row.text(3)]
            try Self.check(row, randomisations.count, Self.mark(texts))
            randomisations.append(
                Randomisation(
                    experiment: texts[0], salt: texts[1], receivedAt: row.number(4), entries: row.number(5),
                    digest: row.number(6)))
        }
        try SQLiteStatement(database, "SELECT id, mark, key FROM variant ORDER BY id").run { row in
            try Self.check(row, variants.count, Self.mark([row.text(2)]))
            variants.append(row.text(2))
        }
        try SQLiteStatement(
            database,
            "SELECT id, mark, randomisation, variant, override, reason, revision, units, digest FROM cohort ORDER BY id"
        ).run { row in
            let numbers = [row.number(2), row.number(3), row.number(4)]
            let texts = [row.text(5), row.optionalText(6)]
            try Self.check(row, cohorts.count, Self.mark(texts, numbers))
            guard randomisations.indices.contains(Int(numbers[0] - 1)), variants.indices.contains(Int(numbers[1] - 1))
            else { throw SQLiteDamage("cohort \(row.number(0)) is of nothing") }
            cohorts.append(
                Cohort(
                    randomisation: numbers[0], variant: numbers[1], revision: row.optionalText(6), reason: row.text(5),
                    isOverridden: numbers[2] == 1, units: row.number(7), digest: row.number(8)))
        }
        for (name, count) in [
            ("randomisation", randomisations.count), ("variant", variants.count), ("cohort", cohorts.count),
        ] {
            let last = try SQLiteStatement(database, "SELECT value FROM last WHERE name = ?").number([name])
            guard last == Int64(count) else {
                throw SQLiteDamage("there are \(count) of \(name), not \(last.map { "\($0)" } ?? "an unknown number")")
            }
        }
    }

    /// The variant of a randomisation that a cohort is of.
    func arm(of cohort: Cohort) -> ExposureArm {
        let randomisation = randomisations[Int(cohort.randomisation - 1)]
        return ExposureArm(
            experiment: randomisation.experiment, salt: randomisation.salt, variant: variants[Int(cohort.variant - 1)])
    }

    /// The checksum of a row of texts and numbers.
    static func mark(_ texts: [String?], _ numbers: [Int64] = []) -> Int64 {
        var sum = SQLiteChecksum()
        for text in texts { sum.add(text) }
        for number in numbers { sum.add(number) }
        return sum.value
    }

    private static func check(_ row: SQLiteStatement, _ count: Int, _ mark: Int64) throws {
        guard row.number(0) == Int64(count + 1), row.number(1) == mark else {
            throw SQLiteDamage("text \(count + 1) is not what was written")
        }
    }
}
