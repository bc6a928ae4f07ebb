import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import TestSupport
import Testing

/// Random definitions and rows: the table, single subjects and CSV files agree.
struct HostileRowsTests {
    private static let texts = [
        "é", "e\u{301}", "007", "7 ", " 7", "1e3", "a,b", "a\nb", "a\r\nb", "\"", "''", "\\", "NULL", "null", "true",
        "😀", "👩‍👩‍👧", "日本語", "\u{feff}bom", "\u{a0}", "\u{1}", "\u{7f}", "\u{fffd}", "\u{10ffff}", " ", "NaN", "-0",
        String(repeating: "y", count: 55), String(repeating: "z", count: 56), String(repeating: "q", count: 64),
        String(repeating: "b", count: 1024), String(repeating: "c", count: 1025), String(repeating: "é", count: 512),
        String(repeating: "😀", count: 256) + "!",
    ]

    @Test("A table's decisions are those of single subjects and of CSV files", arguments: 0..<12)
    func decisionsAgree(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let plan = LentPlan(Plan(RandomDefinitions.make(&random).withOtherSystems(&random)))
        let instant = Instant(seconds: 10)
        var rows: [[String: String]] = []
        for row in 0..<[1, 63, 64, 65, 300].randomElement(using: &random)! {
            var attributes = RandomDefinitions.attributes(&random)
            if row % 5 == 0 { attributes["user_id"] = Self.texts.randomElement(using: &random) }
            rows.append(attributes)
        }
        let subjects = rows.map { row in
            var subject = Subject()
            for (name, value) in row { subject.setUntyped(name, value) }
            return subject
        }
        let names = ["country", "user_id", "org_id"].shuffled(using: &random)
        let columns = names.map { name in
            Self.column(rows.map { $0[name] ?? "" }, &random).named(name)
        }
        let others = [ArrowColumn.lists(rows.map { _ in 1 }, of: .lists(rows.map { _ in 1 }, of: .nulls(rows.count)))]
        let table = ArrowColumn.table(columns + others.map { $0.named("not read") })
        try Expectation(plan: plan, subjects: subjects, instant: instant).check(table, "seed \(seed)")

        var csv = Array((names.joined(separator: ",") + "\n").utf8)
        for row in rows { csv.appendRow(names.map { row[$0] }) }
        let long = try plan.assign(table, #"{"at": "\#(instant)", "layout": "long", "all": true}"#)
        let (assigned, expected) = (try Self.csv(long), try Self.batch(plan.plan, at: instant, csv))
        let difference = zip(assigned, expected).first { $0 != $1 }
        #expect(difference == nil, "seed \(seed)")
        #expect(assigned.count == expected.count, "seed \(seed)")
    }

    /// A column of texts in any form. An empty text is null in some.
    private static func column(_ values: [String], _ random: inout SeededGenerator) -> ArrowColumn {
        let layout = ArrowColumn.TextLayout.allCases.randomElement(using: &random) ?? .small
        var texts: [String?] = []
        for value in values { texts.append(value.isEmpty && Bool.random(using: &random) ? nil : value) }
        let before = Int.random(in: 0...9, using: &random)
        let all = Array(repeating: "before", count: before) + texts
        return (Bool.random(using: &random) ? ArrowColumn.texts(all, layout) : .dictionary(all, layout))
            .dropFirst(before)
    }

    /// The long layout of a CSV file.
    private static func batch(_ plan: Plan, at instant: Instant, _ csv: [UInt8]) throws -> [Substring] {
        var batch = BatchAssignment(plan: plan, instant: instant)
        (batch.layout, batch.includesAll) = (.long, true)
        let output = MemoryOutput()
        _ = try batch.run(InputFile(bytes: csv), output: output)
        return String(decoding: output.bytes, as: UTF8.self).split(separator: "\n")
    }

    /// The same of a table.
    private static func csv(_ table: AssignedTable) throws -> [Substring] {
        let names = ["unit", "experiment", "variant", "reason", "bucket", "revision"]
        let columns = try names.map { try #require(table.column($0)) }
        var bytes: [UInt8] = []
        bytes.appendRow(names)
        for row in 0..<table.rowCount { bytes.appendRow(columns.map { $0[row] }) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}

extension [UInt8] {
    /// Appends a row of CSV.
    fileprivate mutating func appendRow(_ fields: [String?]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            appendCSVField(field ?? "")
        }
        append(UInt8(ascii: "\n"))
    }
}
