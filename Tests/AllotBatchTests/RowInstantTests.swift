import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotBatch
@testable import AllotCore

/// Batches whose rows have their own instants of evaluation.
struct RowInstantTests {
    private static let names = ["user_id", "org_id", "country", "at"]

    /// A way to write an instant that lies within the seconds -30 to 60.
    private static func text(_ instant: Instant, _ random: inout SeededGenerator) -> String {
        let offset = [0, 0, 330, -570, 1439, -1439].randomElement(using: &random) ?? 0
        let shifted = Instant(seconds: instant.seconds + Int64(offset * 60), nanoseconds: instant.nanoseconds)
        // The leap second has the same place on the line of time as the first second of the next minute.
        let isLeap = shifted.seconds % 60 == 0 && Bool.random(using: &random)
        let second = Instant(seconds: shifted.seconds - (isLeap ? 1 : 0), nanoseconds: shifted.nanoseconds)
        var text = String(second.description.dropLast())
        if isLeap {
            text.replaceSubrange(
                text.index(text.startIndex, offsetBy: 17)..<text.index(text.startIndex, offsetBy: 19), with: "60")
        }
        if instant.nanoseconds == 0, Bool.random(using: &random) { text += ".000000000" }
        // Digits after the nanoseconds are cut off.
        if text.contains("."), text.utf8.count == 29, Bool.random(using: &random) { text += "999" }
        if Bool.random(using: &random) { text = text.lowercased() }
        if offset == 0 { return text + (["Z", "z", "+00:00", "-00:00"].randomElement(using: &random) ?? "Z") }
        let minutes = abs(offset)
        return text + (offset < 0 ? "-" : "+") + String(format: "%02d:%02d", minutes / 60, minutes % 60)
    }

    private static func instant(_ random: inout SeededGenerator) -> Instant {
        let second = Instant(seconds: Int64.random(in: -2...32, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return Instant(seconds: second.seconds - 1, nanoseconds: 999_999_999)
        case 1: return Instant(seconds: second.seconds, nanoseconds: 1)
        default: return second
        }
    }

    /// A batch whose rows have their instants in the column `at`.
    private static func batch(
        _ plan: Plan, chunkSize: Int = 1000, _ change: (inout BatchAssignment) -> Void = { _ in }
    ) -> BatchAssignment {
        var batch = BatchAssignment(plan: plan, instant: Instant(seconds: 10))
        batch.timeColumn = "at"
        batch.chunkSize = chunkSize
        change(&batch)
        return batch
    }

    /// The rows of the long layout that the oracle expects for a row of the input.
    private static func expected(
        _ plan: Plan, _ definitions: Definitions, _ attributes: [String: String], _ instant: Instant
    ) -> String {
        let oracle = EvaluationOracle(definitions: definitions, instant: instant, attributes: attributes)
        return plan.experiments.map { experiment in
            let decision = oracle.decide(experiment.key)
            let bucket = decision.bucket.map(String.init) ?? ""
            let unit = experiment.unit ?? "user_id"
            let id = unit.contains("|") ? oracle.joined(unit) : attributes[unit]
            return "\(id ?? ""),\(experiment.key),\(decision.variant ?? ""),"
                + "\(decision.reason.text),\(bucket),\(experiment.revision)\n"
        }.joined()
    }

    /// Every odd file has units of several attributes and windows. Each fourth file has several whole groups in one
    /// chunk, of records that are plain, among few others.
    @Test("Each row has the oracle's decisions at its own instant, with any number of threads", arguments: 0..<32)
    func everyRowAgreesWithTheOracle(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let made = RandomDefinitions.make(&random)
        let definitions = seed.isMultiple(of: 2) ? made : made.withWindows(&random)
        let plan = Plan(definitions)
        let isLarge = seed.isMultiple(of: 4)
        let fillers = isLarge && !seed.isMultiple(of: 8) ? 30 : 0
        var csv = csvText([Self.names + (0..<fillers).map { "filler\($0)" }])
        var expected = "unit,experiment,variant,reason,bucket,revision\n"
        var rejectCount = 0
        for _ in 0..<(isLarge ? 1000 : 150) {
            var attributes = RandomDefinitions.attributes(&random)
            if isLarge {
                attributes["user_id"] = random.chance(0.02) ? "\u{e9}" : "id-\(random.number(0...39))"
                attributes["org_id"] = "org-\(random.number(0...8))"
            }
            let instant = Self.instant(&random)
            let isRejected = random.chance(0.03)
            let quote = random.chance(0.03) ? "\"" : ""
            let fields = ["user_id", "org_id", "country"].map { quote + (attributes[$0] ?? "") + quote }
            let row = fields + [isRejected ? "never" : Self.text(instant, &random)] + (0..<fillers).map(String.init)
            csv += row.joined(separator: ",") + "\n"
            rejectCount += isRejected ? 1 : 0
            if !isRejected { expected += Self.expected(plan, definitions, attributes, instant) }
        }
        var batch = Self.batch(plan, chunkSize: isLarge ? 1 << 18 : 1000) {
            $0.layout = .long
            $0.includesAll = true
            $0.setsRejectsAside = true
            $0.threadCount = 1
        }
        let single = try batch.outputs(of: csv)
        #expect(single.text == expected)
        #expect(single.summary.rejects.rowCount == rejectCount)
        batch.threadCount = random.number(2...4)
        let several = try batch.outputs(of: csv)
        #expect(several.text == expected)
        #expect(several.rejects == single.rejects)
        #expect(several.summary.counts == single.summary.counts)
    }

    /// - Parameter period: that of the experiment `late`.
    private static func plan(period: Period? = nil) -> Plan {
        var early = ExperimentDefinition.sample("early")
        early.ends = Instant("2026-06-01T00:00:00Z")
        var late = ExperimentDefinition.sample("late")
        late.starts = Instant("2026-06-01T00:00:00Z")
        late.draw?.period = period
        late.variants = [VariantDefinition(key: "l", buckets: [0..<1_000_000], overrides: ["S": ["a": 2]])]
        var paused = ExperimentDefinition.sample("paused")
        paused.status = .paused
        return Plan(Definitions(base: ["S": ["a": 1]], experiments: [early, late, paused]))
    }

    private static let rows =
        "user_id,at\nu1,2026-05-31T23:59:59.999999999Z\n"
        + "u2,2026-06-01T02:00:00+02:00\n\"u\"\"3\",\"2026-07-01t00:00:00z\"\n"

    @Test("In the wide layout every experiment has a column that can assign a unit at some instant")
    func wide() throws {
        let result = try Self.batch(Self.plan()).outputs(of: Self.rows)
        #expect(
            result.text == """
                user_id,at,early,late
                u1,2026-05-31T23:59:59.999999999Z,only,
                u2,2026-06-01T02:00:00+02:00,,l
                "u""3","2026-07-01t00:00:00z",,l

                """)
    }

    @Test(
        "In the JSON layout each configuration is that of the row's instant, with its window", arguments: [false, true])
    func json(hasPeriod: Bool) throws {
        let start = try #require(Instant("2026-06-01T00:00:00Z"))
        let plan = Self.plan(period: hasPeriod ? Period(every: 86_400, from: start) : nil)
        let lines = try Self.batch(plan) { $0.layout = .json }.outputs(of: Self.rows).text.split(separator: "\n")
        for (line, (unit, at)) in zip(
            lines, [("u1", "2026-05-31T23:59:59Z"), ("u2", "2026-06-01T00:00:00Z"), ("u\"3", "2026-07-01T00:00:00Z")])
        {
            let bytes = plan.configurationBytes(for: Subject(id: unit), at: try #require(Instant(at)))
            #expect(line.hasSuffix(",\"configuration\":\(String(decoding: bytes, as: UTF8.self))}"))
        }
        #expect(lines.count == 3)
        #expect(lines[2].contains("\"window\":30}") == hasPeriod)
    }

    @Test(
        "A field that is not an instant is a malformed row, with its line and column",
        arguments: [
            ("", "\"at\" is empty; an instant is RFC 3339"),
            ("\"\"", "\"at\" is empty; an instant is RFC 3339"),
            ("soon", "\"soon\" in the column \"at\" is not an instant; an instant is RFC 3339"),
            ("2026-06-01", "\"2026-06-01\" in the column \"at\" is a day without a time; for its start in UTC write"),
            ("2026-06-01T00:00:00", "has no offset from UTC; if it is in UTC, write 2026-06-01T00:00:00Z"),
            ("2026-06-01 00:00:00", "has no offset from UTC; if it is in UTC, write 2026-06-01T00:00:00Z"),
            ("2026-02-29T00:00:00Z", "is not an instant"),
            ("2026-06-01T24:00:00Z", "is not an instant"),
            ("2026-06-01T00:00:61Z", "is not an instant"),
            ("2026-06-01T00:00:00.Z", "is not an instant"),
            (" 2026-06-01T00:00:00Z", "\" 2026-06-01T00:00:00Z\" in the column"),
            ("\"2026-06-01T00:00:00Z\"\"\"", "is not an instant"),
            ("0000-01-01T00:00:00+00:01", "is not within the years 0 to 9999 in UTC"),
            ("1780000000", "is not an instant"),
        ])
    func notAnInstant(field: String, message: String) throws {
        var batch = Self.batch(Self.plan())
        let csv = "user_id,at\nu1,2026-06-01T00:00:00Z\n\"two\nlines\",\(field)\nu3,2026-06-01T00:00:00Z\n"
        let error = #expect(throws: CSVError.self) { try batch.outputs(of: csv) }
        #expect(error?.line == 4)
        #expect(error?.column == 8)
        #expect(error?.message.contains(message) == true)
        batch.setsRejectsAside = true
        let result = try batch.outputs(of: csv)
        #expect(result.text == "user_id,at,early,late\nu1,2026-06-01T00:00:00Z,,l\nu3,2026-06-01T00:00:00Z,,l\n")
        #expect(result.summary.rejects.rowCount == 1)
        #expect(result.summary.counts.rowCount == 2)
        #expect(result.rejects.hasPrefix("line,column,reason,row\n4,8,"))
    }

    @Test("A file without the column of instants is an error that names its columns")
    func missingColumn() throws {
        let error = #expect(throws: BatchError.self) {
            try Self.batch(Self.plan()).outputs(of: "user_id,time\nu,2026-06-01T00:00:00Z\n")
        }
        let message = "has no column \"at\" for the instants; it has \"user_id\", \"time\""
        #expect(error?.description.contains(message) == true)
    }
}
