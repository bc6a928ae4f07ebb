import AllotCore
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
        return try .loaded(files)
    }

    private static func rows(_ random: inout SeededGenerator) -> [[String]] {
        (0..<200).map { row in
            [
                random.pick([
                    "u,1", "u\"2", "plain", "", "user-\(row)", "ünïcode", "007", "two\nlines",
                    String(repeating: "x", count: 1025),
                ]),
                random.pick(["DE", "F,R", "Q\"X", "US", ""]), random.pick(["1", "3", "3.0", "1e3", "many", ""]),
                random.pick(["", "a\r\nb", "\"\"", "n"]), random.pick(["org-1", "org-2", "o,3", ""]),
            ]
        }
    }

    /// A batch in small chunks, of one experiment or of all.
    private static func batch(
        of key: String? = nil, _ change: (inout BatchAssignment) -> Void = { _ in }
    ) throws -> BatchAssignment {
        let plan = try plan()
        var batch = BatchAssignment(plan: plan, instant: instant)
        batch.chunkSize = 1000
        if let key { batch.selection = plan.experiments.indices.filter { plan.experiments[$0].key == key } }
        change(&batch)
        return batch
    }

    private static func subject(_ row: [String]) -> Subject {
        var subject = Subject()
        for (name, text) in zip(columns, row) { subject.setUntyped(name, text) }
        return subject
    }

    @Test("Every layout contains the decisions that are made row by row, and the counts are theirs", arguments: 0..<20)
    func everyLayoutAgreesWithDecidingRowByRow(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = Self.rows(&random)
        let csv = csvText([Self.columns] + rows)
        var batch = try Self.batch { $0.threadCount = Int.random(in: 1...4, using: &random) }
        let plan = batch.plan
        let decided = rows.map { plan.assignments(for: Self.subject($0), at: Self.instant) }
        var wide = Self.columns.joined(separator: ",") + ",four,one,three,two\n"
        var long = "unit,experiment,variant,reason,bucket,revision\n"
        var json = ""
        for (row, assignments) in zip(rows, decided) {
            wide += csvText([row + assignments.filter { $0.experiment != "five" }.map { $0.variant ?? "" }])
            for assignment in assignments {
                let unit = assignment.experiment == "two" ? row[4] : row[0]
                let bucket = assignment.bucket.map(String.init) ?? ""
                long += csvText([
                    [unit, assignment.experiment, assignment.variant ?? "", assignment.reason.text, bucket]
                        + [assignment.revision]
                ])
            }
            let bytes = plan.configurationBytes(for: Self.subject(row), at: Self.instant)
            let unit = row[0].isEmpty ? "null" : String(decoding: try JSONEncoder().encode(row[0]), as: UTF8.self)
            json += "{\"unit\":\(unit),\"configuration\":\(String(decoding: bytes, as: UTF8.self))}\n"
        }
        let (text, _, summary) = try batch.outputs(of: csv)
        #expect(text == wide)
        #expect(summary.counts.rowCount == rows.count)
        for (index, experiment) in plan.experiments.enumerated() where experiment.key != "five" {
            let own = decided.map { $0[index] }
            for reason in Reason.allCases {
                #expect(summary.counts.count(experiment: index, reason: reason) == own.count { $0.reason == reason })
            }
            let counts = experiment.variants.map { variant in own.count { $0.variant == variant.key } }
            #expect(Array(summary.counts.assigned(experiment: index).prefix(counts.count)) == counts)
        }
        batch.layout = .long
        batch.includesAll = true
        #expect(try batch.outputs(of: csv).text == long)
        batch.layout = .json
        #expect(try batch.outputs(of: csv).text == json)
    }

    @Test("A row of a batch is decided as the precedence table says", arguments: PrecedenceTable.rows)
    func precedence(row: PrecedenceRow) throws {
        let plan = try row.plan()
        var batch = BatchAssignment(plan: plan, instant: PrecedenceRow.instant)
        batch.layout = .long
        batch.includesAll = true
        batch.selection = plan.experiments.indices.filter { plan.experiments[$0].key == PrecedenceRow.key }
        let fields = ["user_id", "country"].map { row.attributes[$0] ?? "" }
        let text = try batch.outputs(of: "user_id,country\nunit-1,FR\n\(fields[0]),\(fields[1])\n").text
        let line = try #require(text.split(separator: "\n").last)
        let columns = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        #expect(columns.prefix(4) == [fields[0], PrecedenceRow.key, row.variant ?? "", row.reason.text])
        #expect(columns[4].isEmpty == (row.reason != .split))
    }

    @Test("The output of a selection contains no other experiment")
    func aSelectionShowsNothingElse() throws {
        var batch = try Self.batch(of: "three")
        let csv = "user_id,country,orders\nu1,DE,5\n\"u,1\",,\n"
        #expect(try batch.outputs(of: csv).text.hasPrefix("user_id,country,orders,three\n"))
        batch.layout = .json
        #expect(try !batch.outputs(of: csv).text.contains("\"one\""))
        // An experiment that assigns no variant has no column, so a column of the file may have its name.
        let all = try Self.batch().outputs(of: "user_id,org_id,five\n").text
        #expect(all == "user_id,org_id,five,four,one,three,two\n")
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
        #expect(try Self.batch(of: "four").outputs(of: csv).text.utf8.elementsEqual(output.utf8))
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
        let batch = try Self.batch { $0.unitColumn = unitColumn }
        let error = #expect(throws: BatchError.self) { try batch.outputs(of: csv) }
        #expect(error?.description.contains(message) == true)
    }

    @Test(
        "A name that several columns have is an error only where it is read",
        arguments: [
            ("user_id,,\nu1,,\n", nil), ("user_id,a,a\nu1,1,2\n", nil), (",user_id,\n0,u1,\n", nil),
            // The column that is named takes the place of both.
            ("user_id,id,user_id\nx,u1,y\n", "id"), ("user_id,,user_id\nx,u1,y\n", ""),
        ] as [(String, String?)])
    func repeatedNames(csv: String, unitColumn: String?) throws {
        let batch = try Self.batch {
            $0.unitColumn = unitColumn
            $0.layout = .long
            $0.includesAll = true
            $0.selection = [0]
        }
        #expect(try batch.outputs(of: csv).text.split(separator: "\n").last?.hasPrefix("u1,") == true)
        var comparison = BatchComparison(old: batch.plan, new: batch.plan, instant: Self.instant)
        comparison.unitColumn = unitColumn
        #expect(try comparison.run(InputFile(csv)).rowCount == 1)
    }

    @Test(
        "Neighbouring rows with the same user tell a log of events from a list of users",
        arguments: [
            ("u1\nu2\nu3\n", 2, 0, false), ("u1\nu1\nu2\nu2\nu2\nu1\n", 5, 3, true), ("u1\n\nu1\n\"u1\"\n", 2, 2, true),
            ("u1\nu11\nu1\n", 2, 0, false), ("u1\nu1\nu2\n", 2, 1, false), ("", 0, 0, false),
            (String(repeating: "same\n", count: 1000), 255, 255, true),
        ])
    func repeatedUsers(text: String, pairs: Int, repeats: Int, areEvents: Bool) throws {
        let batch = try Self.batch {
            $0.selection = [0]
            $0.chunkSize = ChunkReader.defaultChunkSize
        }
        let found = try batch.outputs(of: "user_id\n" + text).summary.counts.repeatedUsers
        #expect(found.pairCount == pairs)
        #expect(found.repeatCount == repeats)
        #expect(found.areEvents == areEvents)
    }

    @Test("CSV in memory is assigned as a file is", arguments: [false, true])
    func memory(isCompressed: Bool) throws {
        var random = SeededGenerator(seed: 3)
        let csv = csvText([Self.columns] + Self.rows(&random))
        let malformed = csv + "one,field more,than,there,are,columns\n"
        var batch = try Self.batch()
        let folder = try TemporaryFolder()
        let expected = MemoryOutput()
        _ = try batch.run(InputFile(path: folder.write(csv, to: "in.csv")), output: expected)
        batch.setsRejectsAside = true
        batch.chunkSize = 500
        let bytes = isCompressed ? try Gzip.bytes(Array(malformed.utf8)) : Array(malformed.utf8)
        let (output, rejects) = (MemoryOutput(), MemoryOutput())
        let summary = try batch.run(InputFile(bytes: bytes), output: output, rejects: rejects)
        #expect(output.text == expected.text)
        #expect(summary.counts.rowCount == 200)
        #expect(rejects.text.hasSuffix("\"one,field more,than,there,are,columns\"\n"))
    }

    @Test("An error in memory has the name of the input", arguments: ["the body", "rows of a table"])
    func nameOfMemory(name: String) throws {
        let batch = try Self.batch()
        let error = #expect(throws: CSVError.self) {
            try batch.run(InputFile(bytes: Array("user_id\n\"u".utf8), name: name), output: MemoryOutput())
        }
        #expect(error?.description.hasPrefix("\(name):2:") == true)
    }

    @Test("Any column is read as any attribute, and the unit column as user_id")
    func attributeColumns() throws {
        var batch = try Self.batch {
            $0.layout = .long
            $0.attributeColumns = ["user_id": "player", "org_id": "country", "country": "org_id"]
        }
        let csv = "player,country,org_id,orders,user_id\nplain,org-1,DE,3,x\n"
        let renamed = try batch.outputs(of: csv).text
        #expect(renamed.contains("plain,four,d,forced,,"))
        batch.attributeColumns = [:]
        #expect(try batch.outputs(of: "user_id,country,org_id,orders\nplain,DE,org-1,3\n").text == renamed)
        batch.attributeColumns = ["contry": "org_id"]
        let error = #expect(throws: BatchError.self) { try batch.outputs(of: csv) }
        #expect(error?.description == "no experiment looks at an attribute \"contry\"; did you mean \"country\"?")
        batch.attributeColumns = [:]
        batch.unitColumn = "id"
        #expect(try batch.outputs(of: "id\nplain\n").text.contains("plain,four,d,forced,,"))
    }
}
