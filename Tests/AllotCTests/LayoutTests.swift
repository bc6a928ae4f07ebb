import AllotConfiguration
import AllotCore
import CAllot
import TestSupport
import Testing

/// What tables are given out.
struct LayoutTests {
    private static func plan() throws -> LentPlan {
        try LentPlan(experiments: [
            ("b-second", "status: running\nvariants: [{ key: x }, { key: y }]\nforced: { u1: y }\n"),
            ("a-first", "status: running\nvariants: [{ key: x }]\naudience: { n: { $gt: 1 } }\n"),
            ("c-draft", "status: draft\nvariants: [{ key: x }]\n"),
        ])
    }

    private static let table = ArrowColumn.table([
        .texts(["u1", nil, "u3"]).named("user_id"), .integers([1, 2, 3]).named("n"),
    ])

    private static func formats(_ table: AssignedTable) -> [String] {
        (0..<Int(table.schema.n_children)).map { index in
            let child = table.schema.children[index]?.pointee
            let values = (child?.dictionary).map { "<\(String(cString: $0.pointee.format))>" } ?? ""
            let isNullable = (child?.flags ?? 0) & Int64(ARROW_FLAG_NULLABLE) != 0
            return (child?.format).map { String(cString: $0) + values + (isNullable ? "?" : "") } ?? ""
        }
    }

    @Test("Wide: a column for each experiment that can assign, in the order of keys")
    func wide() throws {
        let plan = try Self.plan()
        let assigned = try plan.assign(Self.table)
        #expect(assigned.names == ["a-first", "b-second"])
        #expect(Self.formats(assigned) == ["i<u>?", "i<u>?"])
        #expect(assigned.column("a-first") == [nil, nil, "x"])
        #expect(assigned.column("b-second")?.first == "y")
        #expect(assigned.array.length == 3)
        #expect(assigned.array.children[0]?.pointee.null_count == 2)
        // The schema alone is the same.
        let schema = try plan.schema(Self.table)
        #expect(schema.names == assigned.names)
        #expect(Self.formats(schema) == Self.formats(assigned))
        #expect(schema.metadata == assigned.metadata)
    }

    @Test("Wide with reasons and buckets")
    func reasonsAndBuckets() throws {
        let assigned = try Self.plan().assign(Self.table, #"{"reason": true, "bucket": true}"#)
        #expect(
            assigned.names == [
                "a-first", "a-first.reason", "a-first.bucket", "b-second", "b-second.reason", "b-second.bucket",
            ])
        #expect(Self.formats(assigned) == ["i<u>?", "i<u>", "l?", "i<u>?", "i<u>", "l?"])
        #expect(assigned.column("a-first.reason") == ["audience", "no-unit", "split"])
        #expect(assigned.column("b-second.reason") == ["forced", "no-unit", "split"])
        #expect(assigned.column("b-second.bucket")?.map { $0 == nil } == [true, true, false])
    }

    @Test("Wide with codes: those of eight columns in each number, after the other columns", arguments: [1, 2])
    func codes(threads: Int) throws {
        let options = #"{"codes": true, "reason": true, "bucket": true, "threads": \#(threads)}"#
        let plan = try Self.plan()
        let assigned = try plan.assign(Self.table, options)
        #expect(assigned.names == ["a-first.bucket", "b-second.bucket", "codes:0"])
        #expect(Self.formats(assigned) == ["l?", "l?", "l"])
        // From the lowest byte: a-first, its reason, b-second, its reason.
        let plain = try plan.assign(Self.table, #"{"reason": true, "bucket": true}"#)
        let reasons = Reason.allCases.map(\.text)
        let expected = (0..<3).map { row in
            ["a-first", "a-first.reason", "b-second", "b-second.reason"].enumerated().reduce(0) { number, column in
                let texts = column.element.hasSuffix("reason") ? reasons : column.offset == 0 ? ["x"] : ["x", "y"]
                let text = plain.column(column.element)?[row]
                return number + (text.flatMap { texts.firstIndex(of: $0) } ?? 255) << (8 * column.offset)
            }
        }
        #expect(assigned.column("codes:0") == expected.map { "\($0)" })
        let described = try JSONValue(parsing: Array((assigned.metadata["allot.codes"] ?? "").utf8))
        guard case .array(let columns) = described, columns.count == 6 else {
            Issue.record("\(described.canonicalText)")
            return
        }
        #expect(columns[0].canonicalText == #"{"name":"a-first","position":2,"slot":0,"texts":["x"]}"#)
        #expect(columns[2].canonicalText == #"{"name":"a-first.bucket","position":0}"#)
        #expect(try plan.schema(Self.table, options).metadata == assigned.metadata)
    }

    @Test("Long: a row for each variant, and with all for each experiment")
    func long() throws {
        let plan = try Self.plan()
        let assigned = try plan.assign(Self.table, #"{"layout": "long"}"#)
        #expect(assigned.names == ["row", "unit", "experiment", "variant", "reason", "bucket", "revision"])
        #expect(Self.formats(assigned) == ["l", "U?", "i<u>", "i<u>?", "i<u>", "l?", "i<u>"])
        #expect(assigned.column("row") == ["0", "2", "2"])
        #expect(assigned.column("unit") == ["u1", "u3", "u3"])
        #expect(assigned.column("experiment") == ["b-second", "a-first", "b-second"])
        let all = try plan.assign(Self.table, #"{"layout": "long", "all": true}"#)
        #expect(all.column("row") == ["0", "0", "0", "1", "1", "1", "2", "2", "2"])
        #expect(all.column("unit") == ["u1", "u1", "u1", nil, nil, nil, "u3", "u3", "u3"])
        #expect(all.column("reason")?.filter { $0 == "draft" }.count == 2)
    }

    @Test("Long shows a user ID that no experiment looks at")
    func otherUnit() throws {
        let plan = try LentPlan(experiments: [
            ("e", "status: concluded\nwinner: a\nunit: none\nvariants: [{ key: a }]\n"),
            ("o", "status: running\nunit: org_id\nvariants: [{ key: a }]\n"),
        ])
        let table = ArrowColumn.table([
            .integers([1, 2]).named("user_id"), .texts(["x", "y"]).named("org_id"),
        ])
        let long = try plan.assign(table, #"{"layout": "long"}"#)
        #expect(long.column("experiment") == ["e", "o", "e", "o"])
        #expect(long.column("unit") == ["1", "x", "2", "y"])
        // Without one there is nothing to show.
        let orgs = try plan.assign(.table([.texts(["x"]).named("org_id")]), #"{"layout": "long"}"#)
        #expect(orgs.column("unit") == [nil, "x"])
    }

    @Test("A selection of experiments, each once")
    func selection() throws {
        let plan = try Self.plan()
        #expect(try plan.assign(Self.table, #"{"experiments": ["b-second"]}"#).names == ["b-second"])
        #expect(
            try plan.assign(Self.table, #"{"experiments": ["b-second", "a-first", "b-second"]}"#).names
                == ["a-first", "b-second"])
        #expect(try plan.assign(Self.table, #"{"experiments": []}"#).names == [])
        #expect(try plan.assign(Self.table, #"{"experiments": [], "layout": "long"}"#).rowCount == 0)
        #expect(
            try plan.assign(Self.table, #"{"experiments": ["c-draft"], "layout": "long", "all": true}"#)
                .column("reason") == ["draft", "no-unit", "draft"])
    }

    @Test("Requirements of experiments that are not selected still count")
    func requirements() throws {
        let plan = try LentPlan(experiments: [
            ("first", "status: running\naudience: { n: { $gt: 1 } }\nvariants: [{ key: x }]\n"),
            ("second", "status: running\nrequires: { first: [x] }\nvariants: [{ key: y }]\n"),
        ])
        let assigned = try plan.assign(Self.table, #"{"experiments": ["second"], "reason": true}"#)
        #expect(assigned.column("second.reason") == ["requirement", "no-unit", "split"])
    }

    @Test("No rows, and no columns")
    func nothing() throws {
        let plan = try Self.plan()
        let empty = ArrowColumn.table([ArrowColumn.texts([String]()).named("user_id")])
        for options in [#"{}"#, #"{"threads": 4}"#, #"{"reason": true, "bucket": true}"#] {
            let assigned = try plan.assign(empty, options)
            #expect(assigned.rowCount == 0)
            #expect(assigned.column("b-second") == [])
        }
        #expect(try plan.assign(empty, #"{"layout": "long", "all": true}"#).cells.count == 7)
        // Producers of no values may give no buffers.
        var without = empty
        without.children[0].buffers = [nil, nil, nil]
        #expect(try plan.assign(without).rowCount == 0)
        let none = try LentPlan(experiments: [("e", "status: draft\nvariants: [{ key: a }]\n")])
        #expect(try none.assign(.table([], length: 5)).rowCount == 5)
        #expect(try none.assign(.table([], length: 5), #"{"layout": "long", "all": true}"#).rowCount == 5)
    }

    @Test("Many rows over several threads are those of one", arguments: [65, 4097, 9000])
    func threads(rowCount: Int) throws {
        let plan = try Self.plan()
        let table = ArrowColumn.table([
            .texts((0..<rowCount).map { $0 % 7 == 0 ? nil : "u\($0)" }).named("user_id"),
            .integers((0..<rowCount).map { Int64($0 % 5) }).named("n"),
        ])
        for layout in [#""reason": true, "bucket": true"#, #""layout": "long""#, #""layout": "long", "all": true"#] {
            let one = try plan.assign(table, "{\(layout)}").cells
            for threads in [0, 2, 3, 1024] {
                #expect(try plan.assign(table, "{\(layout), \"threads\": \(threads)}").cells == one)
            }
        }
    }

    @Test("The error of the first row wins, whatever the threads", arguments: [1, 2, 4, 7])
    func firstError(threads: Int) throws {
        let plan = try Self.plan()
        for first in [0, 4095, 4096, 5000, 8998] {
            let texts = (0..<9000).map {
                $0 == first || $0 == first + 1 || $0 == 8999 ? [UInt8(0xFF)] : Array("u\($0)".utf8)
            }
            let table = ArrowColumn.table([
                ArrowColumn.texts(texts).named("user_id"), .integers(Array(repeating: 1, count: 9000)).named("n"),
            ])
            let failure = plan.refusal(of: table, #"{"threads": \#(threads)}"#)
            #expect(
                failure.message == "column \"user_id\", row \(first): the text is not valid UTF-8; decode it before")
        }
    }
}
