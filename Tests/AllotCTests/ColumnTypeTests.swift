import AllotConfiguration
import AllotCore
import CAllot
import TestSupport
import Testing

/// Columns of every type that attributes can have mean what the same values mean elsewhere.
struct ColumnTypeTests {
    /// The value of an attribute as a subject has it: text, which a literal reads, or JSON, which has types.
    enum Value: ExpressibleByStringLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral {
        case missing
        case typed(JSONValue)
        case untyped(String)

        init(stringLiteral text: String) { self = .untyped(text) }
        init(nilLiteral: ()) { self = .missing }
        init(arrayLiteral elements: JSONValue...) { self = .typed(.array(elements)) }
        init(_ text: String?) { self = text.map { .untyped($0) } ?? .missing }

        static func number(_ value: Double) -> Value { JSONNumber(value).map { .typed(.number($0)) } ?? .missing }
    }

    /// Conditions on the attribute `x`, one for each experiment.
    private static let conditions = [
        "{ $exists: true }", "{ $exists: false }", "7", "{ $ne: 7 }", "{ $gt: 6.5 }", "{ $lte: -1 }",
        "{ $lt: 9007199254740991 }",
        "\"7\"", "\"de\"", "{ $in: [de, fr, \"2026-06-01T00:00:00Z\"] }", "{ $in: [1, 2, 7, 12.5] }",
        "{ $nin: [7, \"de\"] }",
        "true", "false", "{ $ne: true }", "{ $regex: \"^[0-9.-]+$\" }", "{ $startsWith: \"2026-06\" }",
        "{ $before: \"2026-06-01T00:00:00.5Z\" }", "{ $after: \"1969-12-31T23:59:59Z\" }", "{ $vgt: \"1.10\" }",
        "{ $size: 2 }", "{ $size: 0 }", "{ $all: [de] }", "{ $elemMatch: { $gt: 3 } }", "{ $elemMatch: { $eq: null } }",
        "{ $in: [\"\"] }", "null", "{ $ini: [DE] }", "{ $type: number }", "{ $type: string }", "{ $type: array }",
        "{ $type: boolean }", "{ $not: { $gt: 0 } }",
    ]

    /// Loaded once for all columns.
    private static let plan = Result {
        try LentPlan(
            experiments: conditions.enumerated().map { index, condition in
                let key = "e" + (index < 10 ? "0" : "") + "\(index)"
                return (key, "status: running\naudience: { x: \(condition) }\nvariants: [{ key: a }, { key: b }]\n")
            }
        ).plan
    }

    /// A column and the values that it must stand for.
    private static func check(_ column: ArrowColumn, _ values: [Value], _ comment: Comment? = nil) throws {
        #expect(column.length == values.count)
        let ids = values.indices.map { "u-\($0)" }
        let subjects = zip(ids, values).map { id, value in
            var subject = Subject()
            subject.setUntyped("user_id", id)
            switch value {
            case .missing: break
            case .typed(let value): subject.setTyped("x", value)
            case .untyped(let text): subject.setUntyped("x", text)
            }
            return subject
        }
        let columns = [ArrowColumn.texts(ids).named("user_id"), column.named("x")]
        let instant = Instant(seconds: 1_795_219_200)
        let expectation = Expectation(plan: LentPlan(try plan.get()), subjects: subjects, instant: instant)
        try expectation.check(.table(columns), comment)
        try expectation.check(.table(columns), misalignment: 1, comment)
        // The same rows without the first three, by the table's offset and by the columns' own.
        let rest = Expectation(plan: expectation.plan, subjects: Array(subjects.dropFirst(3)), instant: instant)
        var table = ArrowColumn.table(columns)
        (table.offset, table.length) = (3, table.length - 3)
        try rest.check(table, comment)
        try rest.check(.table(columns.map { $0.dropFirst(3) }), comment)
        // One by the columns, two by the table.
        var both = ArrowColumn.table(columns.map { $0.dropFirst(1) })
        (both.offset, both.length) = (2, both.length - 2)
        try rest.check(both, comment)
    }

    private static let texts = [
        "de", nil, "7", "", "7.0", "-12", "true", "2026-06-01T00:00:00Z", "é\u{1}\"\\",
        "a text of more than twelve bytes",
        "another text that is long, with 日本語", "1.9.0", "1.10.1", "null", "12.50",
    ]

    @Test("Texts", arguments: ArrowColumn.TextLayout.allCases)
    func texts(layout: ArrowColumn.TextLayout) throws {
        try Self.check(.texts(Self.texts, layout), Self.texts.map { Value($0) })
    }

    @Test("Texts with a dictionary", arguments: ["c", "C", "s", "S", "i", "I", "l", "L"])
    func dictionaries(format: String) throws {
        let values = ArrowColumn.texts(["unused", "7", nil, "de", "true", ""])
        let positions: [Int?] = [1, 3, nil, 2, 4, 5, 1, 0, 3]
        let indices: ArrowColumn =
            switch format {
            case "c": .fixed(format, positions.map { $0.map { Int8($0) } }, null: -1)
            case "C": .fixed(format, positions.map { $0.map { UInt8($0) } }, null: 255)
            case "s": .fixed(format, positions.map { $0.map { Int16($0) } }, null: .min)
            case "S": .fixed(format, positions.map { $0.map { UInt16($0) } }, null: .max)
            case "i": .fixed(format, positions.map { $0.map { Int32($0) } }, null: .min)
            case "I": .fixed(format, positions.map { $0.map { UInt32($0) } }, null: .max)
            case "l": .fixed(format, positions.map { $0.map { Int64($0) } }, null: .min)
            default: .fixed(format, positions.map { $0.map { UInt64($0) } }, null: .max)
            }
        let expected: [Value] = ["7", "de", nil, nil, "true", "", "7", "unused", "de"]
        try Self.check(values.dictionaryEncoded(indices), expected)
        // A slice of a longer dictionary, and one with more values than there are rows.
        let longer = ArrowColumn.texts(["-", "-", "unused", "7", nil, "de", "true", ""]).dropFirst(2)
        try Self.check(longer.dictionaryEncoded(indices), expected)
        let large = ArrowColumn.texts(["unused", "7", nil, "de", "true", ""] + (0..<200).map { "\($0)" })
        try Self.check(large.dictionaryEncoded(indices), expected)
    }

    @Test("Dictionaries of numbers, booleans and dates")
    func otherDictionaries() throws {
        let indices = ArrowColumn.fixed("i", [0, 1, nil, 2, 1] as [Int32?], null: 9)
        let days = ArrowColumn.fixed("tdD", [0, 20_605, nil] as [Int32?], null: .max)
        let (first, second): (Value, Value) = ("1970-01-01T00:00:00Z", "2026-06-01T00:00:00Z")
        try Self.check(ArrowColumn.integers([7, -2, nil]).dictionaryEncoded(indices), ["7", "-2", nil, nil, "-2"])
        try Self.check(
            ArrowColumn.booleans([true, nil, false]).dictionaryEncoded(indices), ["true", nil, nil, "false", nil])
        try Self.check(days.dictionaryEncoded(indices), [first, second, nil, nil, second])
    }

    private static func integers<Number: FixedWidthInteger & BitwiseCopyable>(_ format: String, _: Number.Type) throws {
        let values: [Number?] = [7, 0, nil, 1, Number.max, Number.min, 100, nil, 7]
        try check(
            .fixed(format, values, null: 7), values.map { Value($0.map { "\($0)" }) }, "\(Number.self)")
    }

    @Test("Integers are what they are in a CSV file: the literal decides whether they are numbers or text")
    func integers() throws {
        try Self.integers("c", Int8.self)
        try Self.integers("C", UInt8.self)
        try Self.integers("s", Int16.self)
        try Self.integers("S", UInt16.self)
        try Self.integers("i", Int32.self)
        try Self.integers("I", UInt32.self)
        try Self.integers("l", Int64.self)
        try Self.integers("L", UInt64.self)
    }

    @Test("Floating-point numbers: NaN is missing, as it is in data frames")
    func floatingPoint() throws {
        let doubles: [Double?] = [
            7, nil, -0.0, 0, .nan, 12.5, -1e300, 1e308, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
            2.2250738585072014e-308, 6.500000000000001, .signalingNaN,
        ]
        try Self.check(.fixed("g", doubles, null: 7), doubles.map { $0.map(Value.number) ?? .missing })
        // Short ones are what their shortest digits say.
        let floats: [Float?] = [7, nil, -0.0, .nan, 12.5, 1e38, .leastNonzeroMagnitude, 0.1, 16_777_216, -3.3e-5]
        let floatValues: [Double?] = [7, nil, -0.0, .nan, 12.5, 1e38, 1e-45, 0.1, 16_777_216, -3.3e-5]
        try Self.check(.fixed("f", floats, null: 7), floatValues.map { $0.map(Value.number) ?? .missing })
        let halves: [Float16?] = [7, nil, -0.0, .nan, 12.5, 65504, 0.1, 2047, 2048]
        let halfValues: [Double?] = [7, nil, -0.0, .nan, 12.5, 65500, 0.1, 2047, 2048]
        try Self.check(.fixed("e", halves, null: 7), halfValues.map { $0.map(Value.number) ?? .missing })
    }

    @Test("Infinities are greater or less than every number")
    func infinities() throws {
        let plan = try LentPlan(experiments: [
            ("gt", "status: running\naudience: { x: { $gt: 9007199254740991 } }\nvariants: [{ key: a }]\n"),
            ("lt", "status: running\naudience: { x: { $lt: -9007199254740991 } }\nvariants: [{ key: a }]\n"),
        ])
        let x = ArrowColumn.fixed("g", [.infinity, -.infinity] as [Double?], null: 0)
        let assigned = try plan.assign(.table([.texts(["1", "2"]).named("user_id"), x.named("x")]))
        #expect(assigned.column("gt") == ["a", nil])
        #expect(assigned.column("lt") == [nil, "a"])
    }

    @Test("Booleans")
    func booleans() throws {
        let values: [Bool?] = [true, false, nil, true, true, false, nil, false, true, true]
        try Self.check(.booleans(values), values.map { Value($0.map { "\($0)" }) })
    }

    @Test("Extension types are what they stand for, and not how they are stored")
    func extensions() throws {
        let bytes: [UInt8] = (0..<16).map { 0x11 * $0 }
        let (text, other) = ("00112233-4455-6677-8899-aabbccddeeff", "ffeeddcc-bbaa-9988-7766-554433221100")
        let expected: [Value] = [Value(text), nil, Value(other), Value(text)]
        let uuids = ArrowColumn.uuids([bytes, nil, Array(bytes.reversed()), bytes])
        try Self.check(uuids, expected)
        try Self.check(
            .lists([2, 1, nil, 1], of: uuids), [[.string(text), .null], [.string(other)], nil, [.string(text)]])
        let flags = ArrowColumn.fixed("c", [1, 0, nil, -7] as [Int8?], null: 1).of(extension: "arrow.bool8")
        try Self.check(flags, ["true", "false", nil, "true"])
        try Self.check(.lists([4, 0, 0, 0], of: flags), [[true, false, .null, true], [], [], []])
        try Self.check(
            .texts(["7", nil, "de", "true"]).of(extension: "arrow.json"), ["7", nil, "de", "true"])
        // Named with the dictionary's values, or with the indices.
        let indices = ArrowColumn.fixed("i", [0, 1, 2, 0] as [Int32?], null: 9)
        try Self.check(uuids.dictionaryEncoded(indices), expected)
        var stored = uuids
        stored.extensionName = nil
        try Self.check(stored.dictionaryEncoded(indices.of(extension: "arrow.uuid")), expected)
    }

    /// BigQuery, R and awkward-array export such columns.
    @Test("Extensions of texts, booleans, decimals, dates and timestamps are read as stored, and so are known ones")
    func storedExtensions() throws {
        let seconds = ArrowColumn.fixed("tsu:", [1_780_272_000_000_000, nil, 0, -1_000_000] as [Int64?], null: 1)
        try Self.check(
            seconds.of(extension: "google:sqlType:datetime"),
            ["2026-06-01T00:00:00Z", nil, "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z"])
        try Self.check(
            .booleans([true, nil, false, true]).of(extension: "x.y"), ["true", nil, "false", "true"])
        try Self.check(
            .decimals(precision: 9, scale: 1, width: 16, [70, nil, -5, 0]).of(extension: "x.y"),
            ["7.0", nil, "-0.5", "0.0"])
        let lists = ArrowColumn.lists([2, 0, nil, 1], of: .texts(["de", "fr", "x"]))
        for name in ["", "awkward", "arrow.r.vctrs"] {
            try Self.check(.integers([7, nil, -1, 0]).of(extension: name), ["7", nil, "-1", "0"])
            try Self.check(lists.of(extension: name), [["de", "fr"], [], nil, ["x"]])
        }
    }

    @Test(
        "Numbers and lists of extensions that are not known may mean something else, and are errors",
        arguments: [
            (ArrowColumn.integers([7]).of(extension: "pandas.period"), "pandas.period", "int64"),
            (.fixed("i", [1] as [Int32?], null: 0).of(extension: "arrow.bool8"), "arrow.bool8", "int32"),
            (.fixed("g", [1] as [Double?], null: 0).of(extension: "x.y"), "x.y", "float64"),
            (.lists([1], of: .integers([1]).of(extension: "x.y")), "x.y", "int64"),
            (.lists([1], of: .integers([1])).of(extension: "arrow.tensor"), "arrow.tensor", "a list"),
            (.integers([1]).dictionaryEncoded(.integers([0]).of(extension: "x.y")), "x.y", "int64"),
        ])
    func unknownExtensions(column: ArrowColumn, name: String, storage: String) throws {
        let plan = try LentPlan(running: "audience: { x: 7 }")
        let failure = plan.refusal(of: .table([.texts(["u"]).named("user_id"), column.named("x")]))
        #expect(failure.status == Int(ALLOT_INVALID_DATA))
        let start =
            "the column \"x\" is of type \"\(name)\", an extension type stored as \(storage), which the attribute "
            + "\"x\" cannot have"
        #expect(failure.message.hasPrefix(start), "\(failure)")
    }

    @Test("Nulls", arguments: [0, 1, 2])
    func nulls(buffers: Int) throws {
        var column = ArrowColumn.nulls(5)
        column.buffers = Array(repeating: nil, count: buffers)
        try Self.check(column, [nil, nil, nil, nil, nil])
    }

    @Test("Decimals have all their digits", arguments: [4, 8, 16, 32])
    func decimals(width: Int) throws {
        let small: [Int128?] = [7, -7, 0, nil, 1250, -1, 999_999_999, 70]
        func check(scale: Int, _ values: [Int128?], _ texts: [String?]) throws {
            try Self.check(
                .decimals(precision: 9, scale: scale, width: width, values), texts.map { Value($0) }, "scale \(scale)")
        }
        try check(scale: 0, small, ["7", "-7", "0", nil, "1250", "-1", "999999999", "70"])
        try check(scale: 2, small, ["0.07", "-0.07", "0.00", nil, "12.50", "-0.01", "9999999.99", "0.70"])
        try check(scale: -2, small, ["700", "-700", "0", nil, "125000", "-100", "99999999900", "7000"])
        try check(
            scale: 12, small,
            [
                "0.000000000007", "-0.000000000007", "0.000000000000", nil, "0.000000001250", "-0.000000000001",
                "0.000999999999", "0.000000000070",
            ])
        guard width >= 16 else { return }
        try check(
            scale: 3, [Int128.max, Int128.min, 7000, 12_500],
            [
                "170141183460469231731687303715884105.727", "-170141183460469231731687303715884105.728", "7.000",
                "12.500",
            ])
    }

    @Test("The largest decimals of 256 bits")
    func largestDecimals() throws {
        let low = [UInt8](repeating: 0, count: 31) + [0x80]
        let high = [UInt8](repeating: 0xFF, count: 31) + [0x7F]
        let column = ArrowColumn("d:76,76,256", length: 4, buffers: [nil, low + high + low + high])
        let digits = "57896044618658097711785492504343953926634992332820282019728792003956564819968"
        let negative = "-5.7896044618658097711785492504343953926634992332820282019728792003956564819968"
        let positive = "5.7896044618658097711785492504343953926634992332820282019728792003956564819967"
        #expect(digits.count == 77)
        try Self.check(column, [negative, positive, negative, positive].map { Value($0) })
        var whole = column
        whole.format = "d:76,-76,256"
        let zeros = String(repeating: "0", count: 76)
        let last = String(digits.dropLast(1)) + "7" + zeros
        try Self.check(whole, ["-" + digits + zeros, last, "-" + digits + zeros, last].map { Value($0) })
    }

    @Test("Dates are midnight in UTC")
    func dates() throws {
        let days: [Int32?] = [20_605, nil, 0, -1, 20_604, 2_932_896, -719_528]
        let texts = [
            "2026-06-01T00:00:00Z", nil, "1970-01-01T00:00:00Z", "1969-12-31T00:00:00Z", "2026-05-31T00:00:00Z",
            "9999-12-31T00:00:00Z", "0000-01-01T00:00:00Z",
        ]
        let expected = texts.map { Value($0) }
        try Self.check(.fixed("tdD", days, null: 1), expected)
        try Self.check(.fixed("tdm", days.map { $0.map { Int64($0) * 86_400_000 } }, null: 1), expected)
    }

    @Test(
        "Timestamps, with a time zone or as UTC",
        arguments: [("tss:", 1), ("tsm:", 1000), ("tsu:", 1_000_000), ("tsn:", 1_000_000_000)])
    func timestamps(format: String, units: Int64) throws {
        let seconds: [Int64?] = [1_780_272_000, nil, 0, -1, 1_780_271_999]
        let texts = [
            "2026-06-01T00:00:00Z", nil, "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-05-31T23:59:59Z",
        ]
        let expected = texts.map { Value($0) }
        for zone in ["", "UTC", "Europe/Berlin", "+05:30"] {
            try Self.check(.fixed(format + zone, seconds.map { $0.map { $0 * units } }, null: .max), expected)
        }
        guard units > 1 else { return }
        let half: [Int64?] = [units / 2, -units / 2, 1_780_272_000 * units + units / 2, 1_780_272_000 * units + 1]
        let last = String(String(1_000_000_000 + 1_000_000_000 / units).dropFirst()).reversed().drop { $0 == "0" }
            .reversed()
        try Self.check(
            .fixed(format, half, null: 0),
            [
                "1970-01-01T00:00:00.5Z", "1969-12-31T23:59:59.5Z", "2026-06-01T00:00:00.5Z",
                Value("2026-06-01T00:00:00.\(String(last))Z"),
            ])
    }

    /// Elements have types, as in JSON.
    private static let lists: [[String?]?] = [
        ["de", "fr"], nil, [], ["7"], [nil, "de"], ["", "a text of more than twelve bytes"], ["x"], ["de"], nil, [nil],
    ]
    private static var expectedLists: [Value] {
        lists.map { list in
            list.map { .typed(.array($0.map { $0.map { .string($0) } ?? .null })) } ?? .missing
        }
    }

    @Test("Lists of texts", arguments: ArrowColumn.ListLayout.allCases, ArrowColumn.TextLayout.allCases)
    func lists(layout: ArrowColumn.ListLayout, texts: ArrowColumn.TextLayout) throws {
        let elements = Self.lists.flatMap { $0 ?? [] }
        let counts = Self.lists.map { $0?.count }
        try Self.check(.lists(counts, of: .texts(elements, texts), layout), Self.expectedLists)
        try Self.check(.lists(counts, of: .dictionary(elements, texts), layout), Self.expectedLists)
        // A child that is a slice.
        let sliced = ArrowColumn.texts(["before", nil] + elements, texts).dropFirst(2)
        try Self.check(.lists(counts, of: sliced, layout), Self.expectedLists)
    }

    @Test("Lists whose views overlap and are in any order")
    func overlappingViews() throws {
        let elements = ArrowColumn.texts(["de", "fr", "7", "x"])
        let column = ArrowColumn(
            "+vl", length: 4,
            buffers: [
                nil, ArrowColumn.bytes([2, 0, 1, 4] as [Int32]), ArrowColumn.bytes([2, 2, 2, 0] as [Int32]),
            ], children: [elements])
        try Self.check(column, [["7", "x"], ["de", "fr"], ["fr", "7"], []])
    }

    @Test("Lists of a fixed size")
    func fixedSizeLists() throws {
        let isValid = [true, false, true, true]
        let elements = ArrowColumn.integers([7, nil, 1, 2, 3, 4, -1, 12])
        try Self.check(.fixedLists(2, isValid, of: elements), [[7, .null], nil, [3, 4], [-1, 12]])
        try Self.check(.fixedLists(0, isValid, of: .integers([])), [[], nil, [], []])
    }

    @Test("Lists of numbers, booleans, dates and nulls")
    func otherLists() throws {
        func check(_ elements: ArrowColumn, _ values: [Value]) throws {
            try Self.check(.lists([2, nil, 0, 1, 1], of: elements), values)
        }
        try check(.fixed("g", [7, nil, .nan, 12.5] as [Double?], null: 0), [[7, .null], nil, [], [.null], [12.5]])
        try check(.booleans([true, nil, false, true]), [[true, .null], nil, [], [false], [true]])
        try check(
            .fixed("tdD", [20_605, nil, 0, 1] as [Int32?], null: 0),
            [["2026-06-01T00:00:00Z", .null], nil, [], ["1970-01-01T00:00:00Z"], ["1970-01-02T00:00:00Z"]])
        try check(.nulls(4), [[.null, .null], nil, [], [.null], [.null]])
        try check(
            .decimals(precision: 5, scale: 1, width: 16, [70, nil, -5, 0]),
            [["7.0", .null], nil, [], ["-0.5"], ["0.0"]])
    }

    @Test("Rows that are null in the table have no attributes")
    func nullRows() throws {
        let plan = try LentPlan(running: "")
        var table = ArrowColumn.table([.texts(["1", "2", "3", "4"]).named("user_id")])
        table.buffers = [[0b1010]]
        table.nullCount = 2
        let assigned = try plan.assign(table, #"{"reason": true}"#)
        #expect(assigned.column("e") == [nil, "a", nil, "a"])
        #expect(assigned.column("e.reason") == ["no-unit", "split", "no-unit", "split"])
        table.nullCount = -1
        #expect(try plan.assign(table).column("e") == [nil, "a", nil, "a"])
        (table.offset, table.length) = (1, 2)
        #expect(try plan.assign(table).column("e") == ["a", nil])
        // A bitmap that is there although nothing is null.
        (table.offset, table.length, table.nullCount) = (0, 4, 0)
        #expect(try plan.assign(table).column("e") == ["a", "a", "a", "a"])
    }
}
