import AllotConfiguration
import AllotCore
import CAllot
import TestSupport
import Testing

/// Columns of unit IDs.
@Suite(.blocks) struct UnitColumnTests {
    private static let instant = Instant(seconds: 1_795_219_200)
    private static let experiments = [
        ("by-org", "status: running\nunit: org_id\nvariants: [{ key: a }, { key: b }]\n"),
        ("by-user", "status: running\nvariants: [{ key: a }, { key: b }]\nforced: { \"7\": b, \"-1\": a }\n"),
    ]
    /// Conditions on the IDs, which the literal reads as text or as numbers.
    private static let audiences = [
        ("only-7", "status: running\naudience: { user_id: { $in: [\"7\"] } }\nvariants: [{ key: a }]\n"),
        ("not-7", "status: running\naudience: { user_id: { $nin: [\"7\"] } }\nvariants: [{ key: a }]\n"),
        ("above-6", "status: running\naudience: { user_id: { $gt: 6 } }\nvariants: [{ key: a }]\n"),
    ]

    private static func check(_ column: ArrowColumn, _ ids: [String?]) throws {
        let subjects = ids.map { id in
            var subject = Subject()
            subject.setUntyped("user_id", id ?? "")
            subject.setUntyped("org_id", "o")
            return subject
        }
        let table = ArrowColumn.table([
            column.named("user_id"), .texts(Array(repeating: "o", count: ids.count)).named("org_id"),
        ])
        let plan = try LentPlan(experiments: experiments + audiences)
        try Expectation(plan: plan, subjects: subjects, instant: instant).check(table)
        let long = try plan.assign(table, #"{"layout": "long", "all": true, "experiments": ["by-user"]}"#)
        #expect(long.column("unit") == ids.map { $0 == "" ? nil : $0 })
    }

    @Test("Unit IDs are text, or whole numbers by their digits")
    func types() throws {
        let texts = ["7", "u-1", nil, "", "é", "e\u{301}", String(repeating: "x", count: 1024), "007", "-1"]
        for layout in ArrowColumn.TextLayout.allCases {
            try Self.check(.texts(texts, layout), texts)
            try Self.check(.dictionary(texts, layout), texts)
        }
        try Self.check(
            .integers([7, -1, nil, .max, .min, 0]),
            ["7", "-1", nil, "9223372036854775807", "-9223372036854775808", "0"])
        try Self.check(.fixed("L", [7, .max] as [UInt64?], null: 0), ["7", "18446744073709551615"])
        try Self.check(.decimals(precision: 38, scale: 0, width: 16, [7, nil, -1]), ["7", nil, "-1"])
        try Self.check(.nulls(3), [nil, nil, nil])
        try Self.check(
            .uuids([Array(0x30...0x3F), nil]), ["30313233-3435-3637-3839-3a3b3c3d3e3f", nil])
    }

    @Test("Unit IDs of more than 1024 bytes are no unit")
    func tooLong() throws {
        let ids = [String(repeating: "x", count: 1025)]
        let plan = try LentPlan(experiments: Self.experiments)
        let table = ArrowColumn.table([.texts(ids).named("user_id"), .texts(ids).named("org_id")])
        let assigned = try plan.assign(table, #"{"reason": true}"#)
        #expect(assigned.column("by-user.reason") == ["no-unit"])
    }

    @Test("A text that stands for a missing value does so in every column, of whole numbers by its digits")
    func nullWords() throws {
        let plan = try LentPlan(experiments: Self.experiments)
        let options = #"{"null": ["NULL", "-1"], "reason": true}"#
        for layout in ArrowColumn.TextLayout.allCases {
            for isPlain in [true, false] {
                func make(_ ids: [String?], _ name: String) -> ArrowColumn {
                    (isPlain ? ArrowColumn.texts(ids, layout) : .dictionary(ids, layout)).named(name)
                }
                let table = ArrowColumn.table([
                    make(["7", "NULL", "null"], "user_id"), make(["o", "o", "NULL"], "org_id"),
                ])
                let assigned = try plan.assign(table, options)
                #expect(assigned.column("by-user.reason") == ["forced", "no-unit", "split"])
                #expect(assigned.column("by-org.reason") == ["split", "split", "no-unit"])
                let long = #"{"layout": "long", "all": true, "experiments": ["by-user"], "null": ["NULL"]}"#
                #expect(try plan.assign(table, long).column("unit") == ["7", nil, "null"])
            }
        }
        let whole = ArrowColumn.table([
            .integers([-1, 7]).named("user_id"), .texts(["o", "o"]).named("org_id"),
        ])
        #expect(try plan.assign(whole, #"{"reason": true}"#).column("by-user.reason") == ["forced", "forced"])
        #expect(try plan.assign(whole, options).column("by-user.reason") == ["no-unit", "forced"])
    }

    @Test(
        "Other types are errors with the way to convert them",
        arguments: [
            (ArrowColumn.fixed("g", [1.0] as [Double?], null: 0), "float64"),
            (.fixed("f", [1] as [Float?], null: 0), "float32"),
            (.fixed("e", [1] as [Float16?], null: 0), "float16"), (.booleans([true]), "boolean"),
            (.decimals(precision: 38, scale: 10, width: 16, [70_000_000_000]), "decimal128"),
            (.fixed("tdD", [1] as [Int32?], null: 0), "date32"),
            (.fixed("tsu:", [1] as [Int64?], null: 0), "timestamp"), (.lists([1], of: .texts(["a"])), "list of utf8"),
        ])
    func otherTypes(column: ArrowColumn, type: String) throws {
        let plan = try LentPlan(experiments: Self.experiments)
        let table = ArrowColumn.table([column.named("user_id"), .texts(["o"]).named("org_id")])
        let isNumber = type.hasPrefix("float") || type.hasPrefix("decimal")
        let message =
            "the column \"user_id\" holds unit IDs and is of type \(type); unit IDs are text, UUIDs or whole numbers: "
            + (isNumber ? "convert it to whole numbers" : "cast it to text or int64")
        for failure in [
            #expect(throws: Failure.self) { try plan.assign(table) },
            #expect(throws: Failure.self) { try plan.schema(table) },
        ] {
            #expect(failure?.status == Int(ALLOT_INVALID_DATA))
            #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
        }
    }

    @Test("The users of experiments without a unit are unit IDs as well")
    func withoutUnit() throws {
        let plan = try LentPlan(running: "unit: none\naudience: { user_id: { $in: [\"7\"] } }")
        let whole = ArrowColumn.table([ArrowColumn.integers([7, 8]).named("user_id")])
        #expect(try plan.assign(whole).column("e") == ["a", nil])
        #expect(try plan.assign(whole, #"{"layout": "long"}"#).column("unit") == ["7"])
        let floats = ArrowColumn.table([ArrowColumn.fixed("g", [7.0] as [Double?], null: 0).named("user_id")])
        let failure = plan.refusal(of: floats)
        #expect(failure.message.contains("of type float64"))
    }

    @Test("Columns may have another name than their attribute")
    func otherNames() throws {
        let plan = try LentPlan(experiments: Self.experiments)
        let table = ArrowColumn.table([
            .texts(["7"]).named("player"), .texts(["x"]).named("user_id"), .texts(["o"]).named("org_id"),
        ])
        #expect(try plan.assign(table, #"{"columns": {"user_id": "player"}}"#).column("by-user") == ["b"])
        // Two attributes in one column, and two that are swapped.
        let swapped = #"{"columns": {"user_id": "org_id", "org_id": "player"}, "layout": "long"}"#
        #expect(try plan.assign(table, swapped).column("unit") == ["7", "o"])
    }

    @Test("A missing column of user IDs is an error where an experiment could assign by it")
    func missing() throws {
        let plan = try LentPlan(experiments: Self.experiments)
        let both = [ArrowColumn.texts(["7"]).named("user_id"), .texts(["o"]).named("org_id")]
        #expect(
            plan.refusal(of: .table([both[1]])).message
                == "the table has no column \"user_id\", by which by-user assigns; name the column "
                + "of the unit IDs with the option columns: {\"user_id\": …} (it has \"org_id\")")
        #expect(plan.refusal(of: .table([], length: 3)).message.contains("(the table has no columns)"))
        // It is not needed for a selection of others.
        let selection = #"{"experiments": ["by-org"]}"#
        #expect(try plan.assign(.table([both[1]]), selection).column("by-org")?.count == 1)
        // Other columns that are missing are in the metadata, as `allot assign` notes them.
        let assigned = try plan.assign(.table([both[0]]), #"{"reason": true}"#)
        #expect(assigned.column("by-org.reason") == ["no-unit"])
        #expect(assigned.metadata["allot.missing_columns"] == #"["org_id"]"#)
        #expect(assigned.metadata["allot.revision"] == plan.plan.revision)
        #expect(try plan.assign(.table(both)).metadata["allot.missing_columns"] == "[]")
    }

    @Test("A column of user IDs may be missing where no experiment can assign by it")
    func notNeeded() throws {
        let plan = try LentPlan(experiments: [
            ("draft", "status: draft\nvariants: [{ key: a }]\n"),
            ("ended", "status: running\nends: 2020-01-01T00:00:00Z\nvariants: [{ key: a }]\n"),
        ])
        let table = ArrowColumn.table([.texts(["x"]).named("other")])
        #expect(try plan.assign(table).names == [])
        #expect(try plan.assign(table, #"{"layout": "long"}"#).rowCount == 0)
        let all = try plan.assign(table, #"{"layout": "long", "all": true}"#)
        #expect(all.column("reason") == ["no-unit", "no-unit"])
        #expect(all.column("unit") == [nil, nil])
        // At another instant it is needed; with instants of the rows, any instant counts.
        let times = ArrowColumn.texts(["2026-01-01T00:00:00Z"]).named("at")
        for options in [#"{"at": "2019-01-01T00:00:00Z"}"#, #"{"time_column": "at"}"#] {
            let failure = plan.refusal(of: .table([times]), options)
            #expect(failure.message.contains("by which ended assigns"))
        }
    }

    @Test("Columns of one name are an error if they are read")
    func sameName() throws {
        let plan = try LentPlan(experiments: Self.experiments)
        let columns = [ArrowColumn.texts(["7"]).named("user_id"), .texts(["o"]).named("org_id")]
        let others = [ArrowColumn.texts(["x"]).named("other"), .texts(["y"]).named("other")]
        #expect(try plan.assign(.table(columns + others)).column("by-user") == ["b"])
        let failure = plan.refusal(of: .table(columns + [columns[0]]))
        #expect(failure.message == "the table has 2 columns named \"user_id\"; rename them")
    }
}
