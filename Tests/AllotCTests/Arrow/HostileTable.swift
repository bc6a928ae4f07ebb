import CAllot

/// Tables that are valid, or wrong in every way that the library can see.
///
/// What C code has to guarantee holds: buffers are as large as lengths, offsets and sizes of lists and texts say. That
/// is all: lengths, offsets, counts, formats, pointers, indices and bytes may be anything else.
struct HostileTable<Random: RandomNumberGenerator> {
    private var random: Random
    private let rowCount: Int
    /// The table as it is declared.
    private(set) var table = ArrowColumn.table([])
    private(set) var options = "{}"

    init(_ random: Random) {
        var random = random
        let rowCount = Self.size(&random)
        self.init(random, rowCount: rowCount)
    }

    private static func size(_ random: inout Random) -> Int {
        [0, 1, 2, 7, 64, 65, 130].randomElement(using: &random) ?? 1
    }

    private init(_ random: Random, rowCount: Int) {
        (self.random, self.rowCount) = (random, rowCount)
        var columns: [ArrowColumn] = []
        for name in ["user_id", "x", "l", "at", "org_id", "other"] where !chance(30) {
            columns.append(column(name == "l" ? 3 : chance(6) ? 2 : 1, isUnit: name.hasSuffix("_id")).named(name))
        }
        if chance(60) { columns.append(column(1).named("user_id")) }
        columns.shuffle(using: &self.random)
        table = .table(columns, length: rowCount)
        if chance(4) {
            table.buffers = [chance(3) ? nil : bytes((rowCount + 7) / 8)]
            table.nullCount = chance(9) ? count() : -1
        }
        if chance(6) { table = slice(table) }
        if chance(40) {
            table.length = [-1, 0, 1, rowCount + 1, 9999, 1 << 31, .max].randomElement(using: &self.random) ?? 0
        }
        if chance(100) { table.offset = [-1, 1, 9999, 1 << 48, .max].randomElement(using: &self.random) ?? 0 }
        if chance(100) { table.buffers = chance(2) ? [] : [nil, nil] }
        options = makeOptions()
    }

    /// The table in memory, some of whose pointers and counts are wrong.
    mutating func lent() -> LentColumn {
        let lent = LentColumn(table, misalignment: chance(3) ? [1, 3, 8].randomElement(using: &random) ?? 1 : 0)
        if chance(12) { damage(lent) }
        return lent
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private mutating func count() -> Int { Int.random(in: -2...rowCount + 1, using: &random) }

    /// Numbers, most of them small, and some that overflow.
    private mutating func numbers<Number: FixedWidthInteger>(_ count: Int, below limit: Int, _: Number.Type) -> [Number]
    {
        let isWild = chance(25)
        return (0..<count).map { _ in
            guard isWild, chance(4) else { return Number(clamping: Int.random(in: 0..<max(limit, 1), using: &random)) }
            return chance(2) ? Number.random(in: .min ... .max, using: &random) : chance(2) ? .max : .min
        }
    }

    // MARK: Columns

    /// Of some rows, where lists and dictionaries nest at most as deep.
    private mutating func column(_ depth: Int, rows: Int? = nil, isUnit: Bool = false) -> ArrowColumn {
        let before = chance(4) ? Int.random(in: 1...9, using: &random) : 0
        let rows = (rows ?? rowCount) + before
        var column: ArrowColumn
        switch isUnit && !chance(20) ? 0 : Int.random(in: depth > 2 ? 8...9 : 0...(depth > 1 ? 11 : 7), using: &random)
        {
        case 0...3: column = text(rows)
        case 4...6: column = fixed(rows)
        case 7:
            column = ArrowColumn(
                "n", length: rows, buffers: Array(repeating: nil, count: Int.random(in: 0...3, using: &random)))
        case 8, 9: column = list(depth, rows)
        default: column = dictionary(depth, rows)
        }
        if column.buffers.first == .some(nil), chance(3) { column.buffers[0] = bytes((rows + 7) / 8) }
        column.nullCount = chance(40) ? count() : column.buffers.first == .some(nil) ? 0 : -1
        column = column.dropFirst(before)
        if chance(40) { column = slice(column) }
        if chance(60) { damage(&column) }
        return column
    }

    /// Without some values at the beginning and the end.
    private mutating func slice(_ column: ArrowColumn) -> ArrowColumn {
        guard column.length > 0 else { return column }
        var column = column.dropFirst(Int.random(in: 0...column.length, using: &random))
        if chance(2) { column.length = Int.random(in: 0...column.length, using: &random) }
        return column
    }

    private static var widths: [(Int, [String])] {
        [
            (1, ["c", "C"]), (2, ["s", "S", "e"]), (4, ["i", "I", "f", "tdD", "d:9,2,32", "d:9,-70,32"]),
            (8, ["l", "L", "g", "tdm", "tss:", "tsm:UTC", "tsu:", "tsn:Europe/Berlin", "d:18,0,64", "d:18,76,64"]),
            (16, ["d:38,10", "d:38,-5", "d:1,0,128", "w:16"]), (32, ["d:76,76,256", "d:76,-76,256", "d:40,3,256"]),
        ]
    }

    private mutating func fixed(_ rows: Int) -> ArrowColumn {
        if chance(8) { return ArrowColumn("b", length: rows, buffers: [nil, bytes((rows + 7) / 8)]) }
        let (width, formats) = Self.widths.randomElement(using: &random) ?? (1, ["c"])
        var values = bytes(rows * width)
        if width == 8, chance(2) { values = ArrowColumn.bytes(numbers(rows, below: 2_000_000_000, Int64.self)) }
        if width == 4, chance(2) { values = ArrowColumn.bytes(numbers(rows, below: 30_000, Int32.self)) }
        var column = ArrowColumn(formats.randomElement(using: &random) ?? "c", length: rows, buffers: [nil, values])
        if column.format == "w:16" { column.extensionName = "arrow.uuid" }
        if column.format == "c", chance(2) { column.extensionName = "arrow.bool8" }
        return column
    }

    private mutating func text(_ rows: Int) -> ArrowColumn {
        let words = ["u1", "", "de", "é", "2026-01-01T00:00:00Z", "a text of more than twelve bytes", "7", "1.5e3"]
        if !chance(8) {
            var texts = (0..<rows).map { _ in Array((words.randomElement(using: &random) ?? "").utf8) }
            if chance(20), let row = texts.indices.randomElement(using: &random) {
                texts[row] = bytes(Int.random(in: 0...40, using: &random))
            }
            return .texts(texts, ArrowColumn.TextLayout.allCases.randomElement(using: &random) ?? .small)
        }
        let data = chance(9) ? bytes(100) : Array(repeating: UInt8(ascii: "a"), count: 100)
        guard chance(2) else {
            // Offsets in any order, within the data.
            let sorted = !chance(4)
            var offsets = (0...rows).map { _ in Int.random(in: (chance(90) ? -2 : 0)...data.count, using: &random) }
            if sorted { offsets.sort() }
            let isLarge = chance(2)
            return ArrowColumn(
                isLarge ? "U" : "u", length: rows,
                buffers: [
                    nil,
                    isLarge
                        ? ArrowColumn.bytes(offsets.map { Int64($0) }) : ArrowColumn.bytes(offsets.map { Int32($0) }),
                    data,
                ])
        }
        let views = (0..<rows).flatMap { _ in
            numbers(1, below: 40, Int32.self) + numbers(1, below: 100, Int32.self) + numbers(1, below: 2, Int32.self)
                + numbers(1, below: 80, Int32.self)
        }
        return ArrowColumn(
            "vu", length: rows,
            buffers: [
                nil, ArrowColumn.bytes(views), data, chance(9) ? nil : [], ArrowColumn.bytes([100, 0] as [Int64]),
            ])
    }

    private mutating func list(_ depth: Int, _ rows: Int) -> ArrowColumn {
        let items = Int.random(in: 0...rows + 5, using: &random)
        let elements = column(chance(15) ? depth : chance(5) ? 2 : 1, rows: items).named("item")
        var column: ArrowColumn
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            let size = chance(30) ? Int(Int32.max) : Int.random(in: 0...3, using: &random)
            column = ArrowColumn("+w:\(size)", length: rows, buffers: [nil])
        case 1:
            var offsets = numbers(rows + 1, below: items + 1, Int32.self)
            if !chance(15) { offsets.sort() }
            column = ArrowColumn("+l", length: rows, buffers: [nil, ArrowColumn.bytes(offsets)])
        case 2:
            var offsets = numbers(rows + 1, below: items + 1, Int64.self)
            if !chance(15) { offsets.sort() }
            column = ArrowColumn("+L", length: rows, buffers: [nil, ArrowColumn.bytes(offsets)])
        case 3:
            column = ArrowColumn(
                "+vl", length: rows,
                buffers: [
                    nil, ArrowColumn.bytes(numbers(rows, below: items, Int32.self)),
                    ArrowColumn.bytes(numbers(rows, below: 3, Int32.self)),
                ])
        default:
            column = ArrowColumn(
                "+vL", length: rows,
                buffers: [
                    nil, ArrowColumn.bytes(numbers(rows, below: items, Int64.self)),
                    ArrowColumn.bytes(numbers(rows, below: 3, Int64.self)),
                ])
        }
        column.children = chance(60) ? [elements, elements] : [elements]
        return column
    }

    private mutating func dictionary(_ depth: Int, _ rows: Int) -> ArrowColumn {
        let size = chance(20) ? 0 : [1, 5, 300].randomElement(using: &random) ?? 1
        let values = column(chance(30) ? 2 : 1, rows: size)
        let limit = min(size, max(values.length, 0)) + (chance(20) ? 1 : 0)
        func integers<Index: FixedWidthInteger & BitwiseCopyable>(_ format: String, _ type: Index.Type) -> ArrowColumn {
            ArrowColumn(format, length: rows, buffers: [nil, ArrowColumn.bytes(numbers(rows, below: limit, type))])
        }
        let indices =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: integers("c", Int8.self)
            case 1: integers("C", UInt8.self)
            case 2: integers("i", Int32.self)
            case 3: integers("I", UInt32.self)
            case 4: integers("L", UInt64.self)
            default: chance(9) ? fixed(rows) : integers("s", Int16.self)
            }
        return values.dictionaryEncoded(indices)
    }

    // MARK: Damage

    /// Changes what the library can see to be wrong.
    private mutating func damage(_ column: inout ArrowColumn) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: column.length = [-1, .min, (1 << 48) + 1, 0].randomElement(using: &random) ?? 0
        case 1: column.offset = [-1, .min, (1 << 48) + 1, .max].randomElement(using: &random) ?? 0
        case 2: column.nullCount = [-2, .min, .max, -1, 1].randomElement(using: &random) ?? 0
        case 3:
            column.format =
                ["", "q", "z", "+s", "+m", "w:3", "tDs", "d:", "d:x,y", "+w:", "+w:-1", "+ud:0", "é"]
                .randomElement(using: &random) ?? ""
        case 4:
            if let index = column.buffers.indices.randomElement(using: &random) { column.buffers[index] = nil }
        case 5: if column.format != "vu" { column.buffers.append(nil) }
        case 6: column.extensionName = ["arrow.uuid", "arrow.bool8", "", "pandas.period"].randomElement(using: &random)
        default: if column.format != "vu" { _ = column.buffers.popLast() }
        }
    }

    private mutating func damage(_ lent: LentColumn) {
        var places = [lent]
        var found = 0
        while found < places.count {
            places += places[found].children + (places[found].dictionary.map { [$0] } ?? [])
            found += 1
        }
        guard let place = places.randomElement(using: &random) else { return }
        let hasChildren = !place.children.isEmpty
        switch Int.random(in: 0..<10, using: &random) {
        case 0: place.schema.pointee.release = nil
        case 1: place.array.pointee.release = nil
        case 2: place.schema.pointee.format = nil
        case 3: place.schema.pointee.name = nil
        case 4: place.array.pointee.buffers = nil
        case 5: place.schema.pointee.n_children = hasChildren ? Int64(place.children.count) - 1 : -1
        case 6: place.array.pointee.n_children = hasChildren ? Int64(place.children.count) - 1 : -1
        case 7: if hasChildren { place.schema.pointee.children[0] = nil } else { place.schema.pointee.n_children = 1 }
        case 8: if hasChildren { place.array.pointee.children[0] = nil } else { place.array.pointee.n_children = 1 }
        default: if chance(2) { place.schema.pointee.dictionary = nil } else { place.array.pointee.dictionary = nil }
        }
    }

    private mutating func makeOptions() -> String {
        var members: [String] = []
        if chance(3) {
            members.append(#""layout": "long""#)
        } else if chance(3) {
            members.append(#""reason": true, "bucket": true"#)
        }
        if members == [#""layout": "long""#], chance(2) { members.append(#""all": true"#) }
        if chance(10) {
            members.append(#""time_column": "at""#)
        } else {
            members.append(#""at": "2026-11-21T12:00:00Z""#)
        }
        if chance(15) { members.append(#""columns": {"user_id": "org_id"}"#) }
        if chance(6) { members.append(#""experiments": ["e3", "e1"]"#) }
        if members.first != #""layout": "long""#, chance(3) { members.append(#""codes": true"#) }
        return "{" + members.joined(separator: ", ") + "}"
    }

    /// Definitions that read all of the columns.
    static var definitions: [(name: String, text: String)] {
        func experiment(_ key: String, _ text: String) -> (String, String) {
            ("\(key).yaml", "status: running\n\(text)\nvariants: [{ key: a }, { key: b }]\n")
        }
        return [
            ("base.yaml", "config_sections: {}\n"),
            experiment("e1", "audience: { x: { $gt: 5 }, l: { $elemMatch: { $in: [de, u1] } } }"),
            experiment(
                "e2", "audience: { $or: [{ x: { $regex: \"^a\" } }, { x: { $before: \"2026-01-01T00:00:00Z\" } }] }"),
            experiment("e3", "forced: { u1: b }"), experiment("e4", "unit: org_id\naudience: { l: { $size: 1 } }"),
            experiment("e5", "audience: { l: { $all: [de] }, x: true }"),
            experiment("e6", "requires: { e3: [a] }\naudience: { x: { $vgt: \"1.0\" } }"),
        ]
    }
}
