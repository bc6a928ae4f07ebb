import CAllot
import Testing

/// Structures that break the specification are errors that say how, and never crash.
struct MalformedTests {
    private static func plan() throws -> LentPlan {
        try LentPlan(running: "audience: { x: { $exists: true }, l: { $nin: [z] } }")
    }

    /// A table of three rows.
    private static let sample = ArrowColumn.table([
        .texts(["u1", "u2", "u3"]).named("user_id"), .texts(["a", nil, "c"]).named("x"),
        .lists([1, 0, 2], of: .texts(["p", "q", "r"])).named("l"),
    ])

    /// A fault in the structures of a table, whose columns are `user_id`, `x` and `l`.
    struct Fault: CustomTestStringConvertible, Sendable {
        let message: String
        var column: ArrowColumn?
        var damage: @Sendable (LentColumn) -> Void = { _ in }

        var testDescription: String { message }
    }

    /// A fault of the table itself.
    private static func table(_ message: String, _ damage: @escaping @Sendable (LentColumn) -> Void) -> Fault {
        Fault(message: "\"the table\": malformed Arrow data: \(message)", damage: damage)
    }

    /// A fault of a column.
    private static func child(
        _ index: Int, _ message: String, _ column: ArrowColumn? = nil,
        _ damage: @escaping @Sendable (LentColumn) -> Void = { _ in }
    ) -> Fault {
        Fault(message: "\"\(["user_id", "x", "l"][index])\": malformed Arrow data: \(message)", column: column) {
            damage($0.children[index])
        }
    }

    /// A text with metadata, one of whose numbers is negative.
    private static func negative(at offset: Int) -> Fault {
        child(1, "a number in the metadata is negative", .texts(["a", nil, "c"]).of(extension: "arrow.json")) { x in
            guard let metadata = x.schema.pointee.metadata else { return }
            UnsafeMutableRawPointer(mutating: metadata).storeBytes(of: -1, toByteOffset: offset, as: Int32.self)
        }
    }

    private static let structural: [Fault] = [
        // The number of pairs, the length of the first key "a key", and that of its value.
        negative(at: 0), negative(at: 4), negative(at: 13),
        table("the schema is released") { $0.schema.pointee.release = nil },
        table("the array is released") { $0.array.pointee.release = nil },
        Fault(message: "the table is not a struct of columns; export a record batch, not a column") {
            $0.schema.pointee.format = $0.children[0].schema.pointee.format
        },
        table("the format is NULL") { $0.schema.pointee.format = nil },
        table("there are 2 buffers, not 1") { $0.array.pointee.n_buffers = 2 },
        table("the buffers are missing") { $0.array.pointee.buffers = nil },
        table("the array has 2 children, and the schema 3") { $0.array.pointee.n_children = 2 },
        table("the array has 3 children, and the schema 2") { $0.schema.pointee.n_children = 2 },
        table("the children of the schema are missing") { $0.schema.pointee.n_children = -1 },
        table("the children of the schema are missing") { $0.schema.pointee.children = nil },
        table("the array has 3 children, and the schema 3") { $0.array.pointee.children = nil },
        table("child 1 of the schema is missing") { $0.schema.pointee.children[1] = nil },
        table("child 1 of the array is missing") { $0.array.pointee.children[1] = nil },
        table("length -1 and offset 0 are not those of an array") { $0.array.pointee.length = -1 },
        table("length 3 and offset -1 are not those of an array") { $0.array.pointee.offset = -1 },
        table("length 9223372036854775807 and offset 9223372036854775807 are not") {
            ($0.array.pointee.length, $0.array.pointee.offset) = (.max, .max)
        },
        Fault(message: "the table has 2147483648 rows; split it into batches") { $0.array.pointee.length = 1 << 31 },
        Fault(message: "\"l\": malformed Arrow data: its length is 3, and the table has 4 rows") {
            $0.array.pointee.length = 4
        },
        Fault(message: "\"l\": malformed Arrow data: its length is 3, and the table has 4 rows") {
            $0.array.pointee.offset = 1
        },
        table("null_count is 4 of 3") { $0.array.pointee.null_count = 4 },
        table("null_count is -2 of 3") { $0.array.pointee.null_count = -2 },
        table("null_count is 1, and there is no validity buffer") { $0.array.pointee.null_count = 1 },
        child(1, "the schema is released") { $0.schema.pointee.release = nil },
        child(1, "the array is released") { $0.array.pointee.release = nil },
        child(1, "there are 1 buffers, not 3") { $0.array.pointee.n_buffers = 1 },
        child(1, "the buffers are missing") { $0.array.pointee.buffers = nil },
        child(1, "the buffers are missing") { $0.array.pointee.n_buffers = -1 },
        child(1, "buffer 1 is NULL") { $0.array.pointee.buffers[1] = nil },
        Fault(message: "column \"x\", row 0: malformed Arrow data: the buffer of texts is NULL") {
            $0.children[1].array.pointee.buffers[2] = nil
        },
        child(1, "null_count is 1, and there is no validity buffer") { $0.array.pointee.buffers[0] = nil },
        child(1, "length 3 and offset 9223372036854775807 are not those of an array") {
            $0.array.pointee.offset = .max
        },
        Fault(message: "\"x\": malformed Arrow data: the array has a dictionary, and the schema has not") {
            $0.children[1].array.pointee.dictionary = $0.children[0].array
        },
        child(1, "the array has no dictionary", .dictionary(["a", "b", "a"])) { $0.array.pointee.dictionary = nil },
        Fault(message: "\"x\": malformed Arrow data: utf8 has children") {
            let (x, array) = ($0.children[1], $0.array.pointee)
            (x.schema.pointee.n_children, x.schema.pointee.children) = (1, $0.schema.pointee.children)
            (x.array.pointee.n_children, x.array.pointee.children) = (1, array.children)
        },
        child(2, "a list has one child") { ($0.schema.pointee.n_children, $0.array.pointee.n_children) = (0, 0) },
        child(2, "there are 3 buffers, not 2") { $0.array.pointee.n_buffers = 3 },
        Fault(message: "column \"l\", row 2: malformed Arrow data: the list is not within its elements") {
            $0.children[2].children[0].array.pointee.length = 2
        },
    ]

    /// A fault of the values of `x`, in a row.
    private static func row(_ row: Int, _ message: String, _ x: ArrowColumn) -> Fault {
        Fault(message: "column \"x\", row \(row): malformed Arrow data: \(message)", column: x)
    }

    private static func invalid(_ row: Int, _ texts: ArrowColumn) -> Fault {
        Fault(message: "column \"x\", row \(row): the text is not valid UTF-8; decode it before", column: texts)
    }

    private static func unreadable(_ format: String, _ buffers: [[UInt8]?]) -> Fault {
        Fault(
            message: "the column \"x\" is of type \"\(format)\", which the attribute \"x\" cannot have; cast it to ",
            column: ArrowColumn(format, length: 3, buffers: buffers))
    }

    /// Three texts with offsets into three bytes.
    private static func texts<Offset: BitwiseCopyable>(_ format: String, _ offsets: [Offset]) -> ArrowColumn {
        ArrowColumn(format, length: 3, buffers: [nil, ArrowColumn.bytes(offsets), [97, 98, 99]])
    }

    private static let decreasing = "its offsets decrease or are negative"
    private static let outside = "the list is not within its elements"
    private static let noIndex = "its index is not one of the dictionary"
    private static let words = ArrowColumn.texts(["a", "b"])
    private static let farStart = ArrowColumn.bytes([.max, 0, 0] as [Int64])

    private static let valued: [Fault] = [
        row(1, decreasing, texts("u", [0, 2, 1, 3] as [Int32])),
        row(0, decreasing, texts("U", [-1, 2, 3, 3] as [Int64])),
        row(2, decreasing, texts("U", [0, 1, 2, .min] as [Int64])),
        invalid(1, .texts([[97], [0xC3, 0x28], [98]])),
        invalid(1, .texts([[97], Array("long enough for eight ".utf8) + [0xED, 0xA0, 0x80], [98]])),
        // A character that is complete only with the next text.
        invalid(0, .texts([[0xC3], [0xA9], [98]])),
        // Text of a dictionary that no row has is not an error, and text that one has is.
        invalid(2, ArrowColumn.texts([[97], [0xFF]]).dictionaryEncoded(.fixed("c", [0, 0, 1] as [Int8?], null: 0))),
        view(13, 2, 0), view(13, 0, 8), view(13, -1, 0), view(13, 0, -1), view(.max, 0, .max), view(-1, 0, 0),
        child(1, "utf8_view has 2 buffers", ArrowColumn("vu", length: 3, buffers: [nil, []])),
        row(2, noIndex, words.dictionaryEncoded(.fixed("c", [0, 1, 2] as [Int8?], null: 0))),
        row(1, noIndex, words.dictionaryEncoded(.fixed("l", [0, -1, 1] as [Int64?], null: 0))),
        row(0, noIndex, words.dictionaryEncoded(.fixed("L", [.max, 1, 1] as [UInt64?], null: 0))),
        child(
            1, "the indices of a dictionary are not integers",
            words.dictionaryEncoded(.fixed("g", [0, 1, 1] as [Double?], null: 0))),
        child(
            1, "a dictionary has a dictionary",
            ArrowColumn.dictionary(["a", "b"]).dictionaryEncoded(.fixed("c", [0, 1, 1] as [Int8?], null: 0))),
        unreadable("q", []), unreadable("", []), unreadable("d:10", [nil, []]), unreadable("d:5,2,7", [nil, []]),
        unreadable("d:5,-9223372036854775808", [nil, []]), unreadable("+w:-1", [nil]),
        child(1, "its length is 2, and the table has 3 rows", .integers([1, 2])),
        row(1, outside, .fixedLists(2, [true, true, true], of: .integers([1, 2, 3]))),
        row(
            0, outside,
            ArrowColumn("+vL", length: 3, buffers: [nil, farStart, farStart], children: [.integers([1])])),
        row(
            0, outside,
            ArrowColumn(
                "+L", length: 3, buffers: [nil, ArrowColumn.bytes([.min, .max, 0, 0] as [Int64])],
                children: [.integers([1])])),
        Fault(
            message:
                "column \"x\", row 1: the list has more than 1048576 elements, or more than 32 MiB of text; shorten it",
            column: ArrowColumn(
                "+l", length: 3, buffers: [nil, ArrowColumn.bytes([0, 0, .max, .max] as [Int32])],
                children: [.nulls(Int(Int32.max))])),
    ]

    /// Three views of a buffer of 20 bytes, the first of which may be wrong.
    private static func view(_ count: Int32, _ buffer: Int32, _ start: Int32) -> Fault {
        let fine: [Int32] = [13, 0, 0, 2]
        let buffers = [
            nil, ArrowColumn.bytes([count, 0, buffer, start] + fine + fine), Array(repeating: 97, count: 20),
            ArrowColumn.bytes([20] as [Int64]),
        ]
        return row(0, "its view is not within the buffers", ArrowColumn("vu", length: 3, buffers: buffers))
    }

    @Test("Malformed structures", arguments: structural + valued)
    func malformed(fault: Fault) throws {
        var table = Self.sample
        if let column = fault.column { table.children[1] = column.named("x") }
        let plan = try Self.plan()
        for options in [nil, #"{"layout": "long", "threads": 2}"#] {
            let lent = LentColumn(table)
            fault.damage(lent)
            let failure = plan.refusal(of: lent, options)
            #expect(failure.status == Int(ALLOT_INVALID_DATA))
            #expect(failure.message.hasPrefix(fault.message), "\(failure)")
        }
    }

    @Test("Names of columns that are missing or not UTF-8")
    func names() throws {
        let plan = try Self.plan()
        let lent = LentColumn(.table(Self.sample.children + [.nulls(3)]))
        lent.children[3].schema.pointee.name = nil
        #expect(try plan.assign(lent).column("e") == ["a", nil, "a"])
        let invalid: [CChar] = [-1, 0]
        invalid.withUnsafeBufferPointer { name in
            lent.children[3].schema.pointee.name = name.baseAddress
            let failure = plan.refusal(of: lent)
            #expect(failure.message == "\"the table\": malformed Arrow data: the name of column 3 is not UTF-8")
            lent.children[3].schema.pointee.name = nil
            lent.children[1].schema.pointee.format = name.baseAddress
            let format = plan.refusal(of: lent)
            #expect(format.message == "\"x\": malformed Arrow data: the format is not UTF-8")
        }
    }

    @Test("What is malformed and not read is not an error")
    func notRead() throws {
        let plan = try Self.plan()
        var table = Self.sample
        // Text that is null, texts of a dictionary that no row has, and columns that no experiment looks at.
        table.children[1] = ArrowColumn.texts([[97], [0xFF]]).dictionaryEncoded(
            .fixed("c", [0, 0, 0] as [Int8?], null: 0)
        )
        .named("x")
        let other = ArrowColumn("?", length: -5, buffers: [])
        table.children.append(other.named("other"))
        let lent = LentColumn(table)
        lent.children[3].array.pointee.offset = .min
        lent.children[3].array.pointee.n_buffers = .max
        #expect(try plan.assign(lent).column("e") == ["a", "a", "a"])
    }

    @Test("Long texts and lists are read in smaller groups")
    func longValues() throws {
        let plan = try LentPlan(experiments: [
            ("e", "status: running\naudience: { l: { $size: 30000 } }\nvariants: [{ key: a }]\n"),
            ("f", "status: running\naudience: { m: { $all: [z] } }\nvariants: [{ key: a }]\n"),
            ("t", "status: running\naudience: { x: { $endsWith: z } }\nvariants: [{ key: a }]\n"),
        ])
        // More than the 32 MiB of one group.
        let count = 36
        // Every list is the whole child, or lacks its last element.
        func lists(of elements: ArrowColumn) -> ArrowColumn {
            let size = Int32(elements.length)
            return ArrowColumn(
                "+vl", length: count,
                buffers: [
                    nil, ArrowColumn.bytes(Array(repeating: 0 as Int32, count: count)),
                    ArrowColumn.bytes((0..<count).map { $0 % 2 == 0 ? size : size - 1 }),
                ], children: [elements])
        }
        // Each list takes 1.2 MB: by the number of its elements, of which nulls take the least time, or by their texts.
        let manyElements = lists(of: .nulls(30_000))
        let longTexts = lists(of: .texts((0..<30).map { $0 == 29 ? "z" : String(repeating: "a", count: 42_000) }))
        // Every text is 1 MB of the same buffer.
        let text = Array(repeating: UInt8(ascii: "y"), count: 1_000_000) + [UInt8(ascii: "z")]
        let views = ArrowColumn(
            "vu", length: count,
            buffers: [
                nil,
                ArrowColumn.bytes((0..<count).flatMap { [$0 % 3 == 0 ? 1_000_001 : 1_000_000, 0, 0, 0] as [Int32] }),
                text, ArrowColumn.bytes([Int64(text.count)]),
            ])
        let ids = ArrowColumn.texts((0..<count).map { "u\($0)" }).named("user_id")
        let everySecond = (0..<count).map { $0 % 2 == 0 ? "a" : nil }
        #expect(try plan.assign(.table([ids, manyElements.named("l")])).column("e") == everySecond)
        // In one table, because growing memory to this size takes seconds in a debug build.
        let long = try plan.assign(.table([ids, longTexts.named("m"), views.named("x")]))
        #expect(long.column("f") == everySecond)
        #expect(long.column("t") == (0..<count).map { $0 % 3 == 0 ? "a" : nil })
        let dictionary = views.dictionaryEncoded(.fixed("i", (0..<Int32(count)).map { $0 }, null: 0))
        let encoded = try plan.assign(.table([ids, dictionary.named("x")]))
        #expect(encoded.column("t") == (0..<count).map { $0 % 3 == 0 ? "a" : nil })
    }
}
