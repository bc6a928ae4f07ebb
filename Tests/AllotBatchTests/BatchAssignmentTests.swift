import AllotCore
import AllotDefinitions
import AllotFiles
import Foundation
import TestSupport
import Testing

@testable import AllotBatch

/// Batches against deciding each row by itself.
struct BatchAssignmentTests {
    private static let instant = Instant(seconds: 1_795_262_400)
    private static let columns = ["user_id", "country", "orders", "note", "org_id"]

    private static func plan() throws -> Plan {
        let files = [
            ("base", "config_sections: { S: { settings: { a: { value: 1 }, b: { value: { x: 1 } } } } }"),
            ("layers", "l: {}"), ("holdouts", "h: { share: 10% }"),
            (
                "one",
                """
                status: running
                audience: { country: { $in: [DE, 'F,R', 'Q"X'] }, orders: { $gte: 3 } }
                variants: [ { key: x, overrides: { S: { a: 2 } } }, { key: y } ]
                forced: { 'u,1': x, 'u"2': y }
                """
            ),
            ("two", "{ status: running, unit: org_id, layer: l, slots: [0%..<60%], variants: [ { key: only } ] }"),
            (
                "three",
                "{ status: running, requires: { one: [x] }, variants: [ { key: z, overrides: { S: { b: { x: 2 } } } } "
                    + "] }"
            ),
            ("four", "{ status: draft, variants: [ { key: d } ], forced: { plain: d } }"),
            ("five", "{ status: draft, variants: [ { key: d } ] }"),
        ]
        return try DefinitionsLoader(now: instant).load(
            files.map { DefinitionSource(name: "\($0.0).yaml", bytes: Array($0.1.utf8)) }
        ).plan
    }

    private static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { [44, 34, 10, 13].contains($0) }) else { return text }
        return "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }

    private static func rows(_ random: inout SeededGenerator) -> [[String]] {
        func pick(_ items: [String]) -> String { items[Int.random(in: 0..<items.count, using: &random)] }
        return (0..<200).map { row in
            [
                pick([
                    "u,1", "u\"2", "plain", "", "user-\(row)", "ünïcode", "007", "two\nlines",
                    String(repeating: "x", count: 1025),
                ]),
                pick(["DE", "F,R", "Q\"X", "US", ""]), pick(["1", "3", "3.0", "1e3", "many", ""]),
                pick(["", "a\r\nb", "\"\"", "n"]),
                pick(["org-1", "org-2", "o,3", ""]),
            ]
        }
    }

    private static func run(_ batch: BatchAssignment, _ csv: String) throws -> (text: String, summary: BatchSummary) {
        var batch = batch
        batch.chunkSize = 1000
        let folder = try TemporaryFolder()
        let sink = MemoryOutput()
        let summary = try batch.run(try InputFile(path: try folder.write(csv, to: "in.csv")), output: sink)
        return (sink.text, summary)
    }

    private static func subject(_ row: [String]) -> Subject {
        var subject = Subject()
        for (name, text) in zip(columns, row) { subject.setUntyped(name, text) }
        return subject
    }

    @Test("Every layout contains the decisions that are made row by row", arguments: 0..<20)
    func everyLayoutAgreesWithDecidingRowByRow(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let plan = try Self.plan()
        let rows = Self.rows(&random)
        let csv = ([Self.columns] + rows).map { $0.map(Self.field).joined(separator: ",") + "\n" }.joined()
        var batch = BatchAssignment(plan: plan, instant: Self.instant)
        batch.threadCount = Int.random(in: 1...4, using: &random)

        var wide = Self.columns.joined(separator: ",") + ",four,one,three,two\n"
        var long = "unit,experiment,variant,reason,bucket,revision\n"
        var json = ""
        for row in rows {
            let subject = Self.subject(row)
            let assignments = plan.assignments(for: subject, at: Self.instant)
            wide += row.map(Self.field).joined(separator: ",")
            for assignment in assignments {
                if assignment.experiment != "five" { wide += "," + (assignment.variant ?? "") }
                let unit = assignment.experiment == "two" ? row[4] : row[0]
                long +=
                    "\(Self.field(unit)),\(assignment.experiment),\(assignment.variant ?? ""),"
                    + "\(assignment.reason.text),"
                long += "\(assignment.bucket.map(String.init) ?? ""),\(assignment.revision)\n"
            }
            wide += "\n"
            let configuration = String(decoding: plan.configurationBytes(for: subject, at: Self.instant), as: UTF8.self)
            let unit = row[0].isEmpty ? "null" : String(decoding: try JSONEncoder().encode(row[0]), as: UTF8.self)
            json += "{\"unit\":\(unit),\"configuration\":\(configuration)}\n"
        }
        #expect(try Self.run(batch, csv).text == wide)
        batch.layout = .long
        batch.includesAll = true
        #expect(try Self.run(batch, csv).text == long)
        batch.layout = .json
        #expect(try Self.run(batch, csv).text == json)
    }

    @Test("The counts are those of the decisions")
    func countsWhatWasDecided() throws {
        var random = SeededGenerator(seed: 7)
        let plan = try Self.plan()
        let rows = Self.rows(&random)
        let csv = ([Self.columns] + rows).map { $0.map(Self.field).joined(separator: ",") + "\n" }.joined()
        let summary = try Self.run(BatchAssignment(plan: plan, instant: Self.instant), csv).summary
        #expect(summary.counts.rowCount == rows.count)
        let decided = rows.map { plan.assignments(for: Self.subject($0), at: Self.instant) }
        for (index, experiment) in plan.experiments.enumerated() where experiment.key != "five" {
            for reason in Reason.allCases {
                #expect(
                    summary.counts.count(experiment: index, reason: reason)
                        == decided.count { $0[index].reason == reason })
            }
            for (position, variant) in experiment.variants.enumerated() {
                #expect(
                    summary.counts.assigned(experiment: index)[position]
                        == decided.count { $0[index].variant == variant.key })
            }
        }
    }

    @Test("The output of a selection contains no other experiment")
    func aSelectionShowsNothingElse() throws {
        let plan = try Self.plan()
        var batch = BatchAssignment(plan: plan, instant: Self.instant)
        batch.selection = [try #require(plan.experiments.firstIndex { $0.key == "three" })]
        let csv = "user_id,country,orders\nu1,DE,5\n\"u,1\",,\n"
        #expect(try Self.run(batch, csv).text.hasPrefix("user_id,country,orders,three\n"))
        batch.layout = .json
        #expect(try !Self.run(batch, csv).text.contains("\"one\""))
        // An experiment that assigns no variant has no column, so a column of the file may have its name.
        let all = BatchAssignment(plan: plan, instant: Self.instant)
        #expect(try Self.run(all, "user_id,org_id,five\n").text == "user_id,org_id,five,four,one,three,two\n")
    }

    @Test(
        "Fields stay as they are written, and lines end with a line feed",
        arguments: [
            ("user_id", "user_id,four\n"), ("user_id\nplain", "user_id,four\nplain,d\n"),
            ("\u{FEFF}user_id\nplain\n", "user_id,four\nplain,d\n"),
            ("user_id,n\r\nplain,1\nu,2\r\n", "user_id,n,four\nplain,1,d\nu,2,\n"),
            ("user_id,n\r\nplain,\"a\r\nb\"\r\n", "user_id,n,four\nplain,\"a\r\nb\",d\n"),
            ("\"user_id\",\"n\"\n\"plain\",\"1\"\n", "\"user_id\",\"n\",four\n\"plain\",\"1\",d\n"),
            ("user_id,n\nplain,a\0b\n", "user_id,n,four\nplain,a\0b,d\n"),
            ("user_id,\nplain,1\n\n\n", "user_id,,four\nplain,1,d\n"),
        ])
    func fields(csv: String, output: String) throws {
        let plan = try Self.plan()
        var batch = BatchAssignment(plan: plan, instant: Self.instant)
        batch.selection = [try #require(plan.experiments.firstIndex { $0.key == "four" })]
        #expect(try Self.run(batch, csv).text.utf8.elementsEqual(output.utf8))
    }

    @Test(
        "A file without the needed columns is an error that names the columns",
        arguments: [
            (
                "country\nDE\n", nil,
                "has no column \"user_id\", by which four assigns (it has \"country\"); name the column of the unit IDs"
            ),
            (
                "user_id,one\nu,x\n", nil,
                "already has a column \"one\", the name of an experiment; rename the column, or use the long layout"
            ),
            ("user_id,country,country\nu,1,2\n", nil, "the columns 2 and 3 are both named \"country\"; rename one"),
            ("user_id,,user_id,\nu,1,2,\n", nil, "the columns 1 and 3 are both named \"user_id\"; rename one"),
            ("id,a,id\nu,1,2\n", "id", "the columns 1 and 3 are both named \"id\"; rename one"),
            // What would not be seen, or moves a terminal's cursor, is escaped, and long names are cut.
            ("\u{FEFF}\u{FEFF}user_id\nu\n", nil, #"(it has "\uFEFFuser_id")"#),
            ("user\u{1B}[31mid\nu\n", nil, #"(it has "user\u001B[31mid")"#),
            ("user\u{AD}_id\nu\n", "user_id", #"it has "user\u00AD_id""#),
            ("\"a\nb\"\nu\n", "a", #"it has "a\nb""#),
            (
                String(repeating: "x", count: 5_000_000) + "\nu\n", nil,
                "(it has \"\(String(repeating: "x", count: 64))…\")"
            ),
            ((1...13).map { "c\($0)" }.joined(separator: ",") + "\n", nil, "\"c12\", … (13 in all))"),
            ("user_id\nu\n", "userid", "has no column \"userid\" for the unit IDs; it has \"user_id\""),
        ] as [(String, String?, String)])
    func columnsThatDoNotFit(csv: String, unitColumn: String?, message: String) throws {
        var batch = BatchAssignment(plan: try Self.plan(), instant: Self.instant)
        batch.unitColumn = unitColumn
        #expect {
            try Self.run(batch, csv)
        } throws: { error in
            (error as? BatchError)?.description.contains(message) == true
        }
    }

    @Test(
        "A name that several columns have is an error only where it is read",
        arguments: [
            ("user_id,,\nu1,,\n", nil), ("user_id,a,a\nu1,1,2\n", nil), (",user_id,\n0,u1,\n", nil),
            // The column that is named takes the place of both.
            ("user_id,id,user_id\nx,u1,y\n", "id"), ("user_id,,user_id\nx,u1,y\n", ""),
        ] as [(String, String?)])
    func repeatedNames(csv: String, unitColumn: String?) throws {
        var batch = BatchAssignment(plan: try Self.plan(), instant: Self.instant)
        batch.unitColumn = unitColumn
        batch.layout = .long
        batch.includesAll = true
        batch.selection = [0]
        #expect(try Self.run(batch, csv).text.split(separator: "\n").last?.hasPrefix("u1,") == true)
        var comparison = BatchComparison(old: try Self.plan(), new: try Self.plan(), instant: Self.instant)
        comparison.unitColumn = unitColumn
        let folder = try TemporaryFolder()
        #expect(try comparison.run(InputFile(path: folder.write(csv, to: "in.csv"))).rowCount == 1)
    }

    @Test(
        "Neighbouring rows with the same user tell a log of events from a list of users",
        arguments: [
            ("u1\nu2\nu3\n", 2, 0, false), ("u1\nu1\nu2\nu2\nu2\nu1\n", 5, 3, true), ("u1\n\nu1\n\"u1\"\n", 2, 2, true),
            ("u1\nu11\nu1\n", 2, 0, false), ("u1\nu1\nu2\n", 2, 1, false), ("", 0, 0, false),
            (String(repeating: "same\n", count: 1000), 255, 255, true),
        ])
    func repeatedUsers(text: String, pairs: Int, repeats: Int, areEvents: Bool) throws {
        var batch = BatchAssignment(plan: try Self.plan(), instant: Self.instant)
        batch.selection = [0]
        let folder = try TemporaryFolder()
        let input = try InputFile(path: folder.write("user_id\n" + text, to: "in.csv"))
        let found = try batch.run(input, output: MemoryOutput()).counts.repeatedUsers
        #expect(found.pairCount == pairs)
        #expect(found.repeatCount == repeats)
        #expect(found.areEvents == areEvents)
    }

    @Test("CSV in memory is assigned as a file is", arguments: [false, true])
    func memory(isCompressed: Bool) throws {
        var random = SeededGenerator(seed: 3)
        let rows = [Self.columns] + Self.rows(&random)
        let csv = rows.map { $0.map(Self.field).joined(separator: ",") + "\n" }.joined()
        let malformed = csv + "one,field more,than,there,are,columns\n"
        var batch = BatchAssignment(plan: try Self.plan(), instant: Self.instant)
        let expected = try Self.run(batch, csv).text
        batch.setsRejectsAside = true
        batch.chunkSize = 500
        let bytes = isCompressed ? try Gzip.bytes(Array(malformed.utf8)) : Array(malformed.utf8)
        let (output, rejects) = (MemoryOutput(), MemoryOutput())
        let summary = try batch.run(InputFile(bytes: bytes), output: output, rejects: rejects)
        #expect(output.text == expected)
        #expect(summary.counts.rowCount == 200)
        #expect(rejects.text.hasSuffix("\"one,field more,than,there,are,columns\"\n"))
    }

    @Test("An error in memory has the name of the input", arguments: ["the body", "rows of a table"])
    func nameOfMemory(name: String) throws {
        let batch = BatchAssignment(plan: try Self.plan(), instant: Self.instant)
        let error = #expect(throws: CSVError.self) {
            try batch.run(InputFile(bytes: Array("user_id\n\"u".utf8), name: name), output: MemoryOutput())
        }
        #expect(error?.description.hasPrefix("\(name):2:") == true)
    }

    @Test("Any column is read as any attribute")
    func attributeColumns() throws {
        var batch = BatchAssignment(plan: try Self.plan(), instant: Self.instant)
        batch.layout = .long
        batch.attributeColumns = ["user_id": "player", "org_id": "country", "country": "org_id"]
        let output = MemoryOutput()
        let csv = "player,country,org_id,orders,user_id\nplain,org-1,DE,3,x\n"
        _ = try batch.run(InputFile(bytes: Array(csv.utf8)), output: output)
        let plain = "user_id,country,org_id,orders\nplain,DE,org-1,3\n"
        batch.attributeColumns = [:]
        #expect(try output.text == Self.run(batch, plain).text)
        #expect(output.text.contains("plain,four,d,forced,,"))
        batch.attributeColumns = ["contry": "org_id"]
        let error = #expect(throws: BatchError.self) { try Self.run(batch, csv) }
        #expect(error?.description == "no experiment looks at an attribute \"contry\"; did you mean \"country\"?")
    }

    @Test("The unit column is read as the attribute user_id")
    func theUnitColumnIsTheUnit() throws {
        var batch = BatchAssignment(plan: try Self.plan(), instant: Self.instant)
        batch.unitColumn = "id"
        batch.layout = .long
        #expect(try Self.run(batch, "id\nplain\n").text.contains("plain,four,d,forced,,"))
    }
}
