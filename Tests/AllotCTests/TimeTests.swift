import AllotConfiguration
import AllotCore
import CAllot
import TestSupport
import Testing

private let outOfRange = "the instant is not within the years 0 to 9999"

/// The instant of evaluation, and instants of the rows' own.
struct TimeTests {
    private static func plan() throws -> LentPlan {
        try LentPlan(experiments: [
            (
                "spring",
                "status: running\nstarts: 2026-03-01T00:00:00Z\nends: 2026-06-01T00:00:00Z\nvariants: [{ key: a }]\n"
            ),
            ("always", "status: running\nvariants: [{ key: a }, { key: b }]\n"),
        ])
    }

    private static let times = [
        "2026-02-28T23:59:59.999999Z", "2026-03-01T00:00:00Z", "2026-05-31T23:59:59Z", "2026-06-01T00:00:00Z",
        "2026-06-01T01:30:00+02:00",
    ]
    private static let expected = [nil, "a", "a", nil, "a"]

    private static func table(_ times: ArrowColumn) -> ArrowColumn {
        .table([.texts((0..<times.length).map { "u\($0)" }).named("user_id"), times.named("seen")])
    }

    @Test("One instant for all rows")
    func oneInstant() throws {
        let plan = try Self.plan()
        let table = ArrowColumn.table([.texts(["u"]).named("user_id")])
        #expect(try plan.assign(table, #"{"at": "2026-03-01T00:00:00Z"}"#).column("spring") == ["a"])
        #expect(try plan.assign(table, #"{"at": "2026-06-01T00:00:00Z"}"#).names == ["always"])
    }

    @Test("A column of instants", arguments: [1, 3])
    func instants(threads: Int) throws {
        let plan = try Self.plan()
        let options = #"{"time_column": "seen", "threads": \#(threads), "reason": true}"#
        func check(_ column: ArrowColumn, _ comment: Comment) throws {
            let assigned = try plan.assign(Self.table(column), options)
            #expect(assigned.column("spring") == Self.expected, comment)
            #expect(assigned.column("always")?.contains(nil) == false, comment)
        }
        for layout in ArrowColumn.TextLayout.allCases {
            try check(.texts(Self.times, layout), "texts")
            try check(.dictionary(Self.times, layout), "dictionary of texts")
        }
        let nanoseconds = try Self.times.map { text in
            let instant = try #require(Instant(text))
            return instant.seconds * 1_000_000_000 + Int64(instant.nanoseconds)
        }
        try check(.fixed("tsn:UTC", nanoseconds.map { $0 as Int64? }, null: 0), "nanoseconds")
        try check(.fixed("tsu:", nanoseconds.map { $0 / 1000 as Int64? }, null: 0), "microseconds")
        try check(
            ArrowColumn.fixed("tsu:", nanoseconds.map { $0 / 1000 as Int64? }, null: 0)
                .dictionaryEncoded(.fixed("c", [0, 1, 2, 3, 4] as [Int8?], null: 0)), "dictionary of microseconds")
        let days = ArrowColumn.fixed("tdD", [20_512, 20_513, 20_604, 20_605, 20_604] as [Int32?], null: 0)
        try check(days, "days")
    }

    @Test(
        "A row without an instant is an error that names it",
        arguments: [
            (ArrowColumn.texts(["2026-03-01T00:00:00Z", nil]), "there is no instant of evaluation"),
            (.texts(["2026-03-01T00:00:00Z", ""]), "there is no instant of evaluation"),
            (.texts(["2026-03-01 00:00+00", "2026-03-01"]), "the text is a day without a time; "),
            (.texts(["2026-03-01 00:00+00", "2026-03-01 00:00"]), "the text has no offset from UTC; "),
            (.texts(["2026-03-01T00:00:00Z", "soon"]), "the text is not an instant; "),
            (.fixed("tss:", [0, .max] as [Int64?], null: 0), outOfRange),
            (.fixed("tss:", [0, .min] as [Int64?], null: 0), outOfRange),
            (.fixed("tss:", [0, 253_402_300_800] as [Int64?], null: 0), outOfRange),
            (.fixed("tdD", [0, .max] as [Int32?], null: 0), outOfRange),
            (.fixed("tdD", [0, -719_529] as [Int32?], null: 0), outOfRange),
            (.fixed("tdm", [0, nil] as [Int64?], null: 0), "there is no instant of evaluation"),
        ])
    func faults(column: ArrowColumn, message: String) throws {
        let failure = try Self.plan().refusal(of: Self.table(column), #"{"time_column": "seen"}"#)
        #expect(failure.status == Int(ALLOT_INVALID_DATA))
        #expect(failure.message.hasPrefix("column \"seen\", row 1: \(message)"), "\(failure)")
    }

    @Test("An attribute beyond the years 0 to 9999 is an error that names the row")
    func attributeOutOfRange() throws {
        let plan = try LentPlan(running: "audience: { x: { $before: \"2026-06-01T00:00:00Z\" } }")
        let table = ArrowColumn.table([
            .texts(["1", "2"]).named("user_id"), .fixed("tsn:", [.max, nil] as [Int64?], null: .max).named("x"),
        ])
        #expect(try plan.assign(table).column("e") == [nil, nil])
        let seconds = ArrowColumn.table([
            .texts(["1", "2"]).named("user_id"), .fixed("tss:", [0, .max] as [Int64?], null: .max).named("x"),
        ])
        let failure = plan.refusal(of: seconds)
        #expect(failure.message == "column \"x\", row 1: the instant is not within the years 0 to 9999; make it null")
    }

    @Test("Columns that cannot hold instants")
    func types() throws {
        let plan = try Self.plan()
        let failure = plan.refusal(of: Self.table(.integers([1])), #"{"time_column": "seen"}"#)
        #expect(failure.message == "time_column: the column \"seen\" is of type int64; cast it to timestamp")
        let missing = plan.refusal(of: Self.table(.integers([1])), #"{"time_column": "seem"}"#)
        #expect(
            missing.message == "time_column: the table has no column \"seem\" (it has \"user_id\", \"seen\")")
    }
}
