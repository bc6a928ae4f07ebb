/// An Arrow array with its type, as a test writes it.
struct ArrowColumn: Sendable {
    var name = ""
    /// The extension type whose values these are.
    var extensionName: String?
    var format: String
    var length: Int
    var offset = 0
    var nullCount: Int
    var buffers: [[UInt8]?]
    var children: [ArrowColumn] = []
    /// One column, for an array that is encoded with a dictionary.
    var dictionary: [ArrowColumn] = []

    init(
        _ format: String, length: Int, nullCount: Int = 0, buffers: [[UInt8]?], children: [ArrowColumn] = [],
        dictionary: [ArrowColumn] = []
    ) {
        (self.format, self.length, self.nullCount, self.buffers) = (format, length, nullCount, buffers)
        (self.children, self.dictionary) = (children, dictionary)
    }

    func named(_ name: String) -> ArrowColumn {
        var column = self
        column.name = name
        return column
    }

    func of(extension name: String) -> ArrowColumn {
        var column = self
        column.extensionName = name
        return column
    }

    /// The same column without its first values, which stay in the buffers.
    func dropFirst(_ count: Int) -> ArrowColumn {
        var column = self
        column.offset += count
        column.length -= count
        column.nullCount = nullCount == 0 ? 0 : -1
        return column
    }

    /// A table of columns of equal length.
    static func table(_ columns: [ArrowColumn], length: Int? = nil) -> ArrowColumn {
        ArrowColumn("+s", length: length ?? columns.first?.length ?? 0, buffers: [nil], children: columns)
    }

    // MARK: Buffers

    /// A bitmap, and how many of its values are false.
    static func bitmap(_ values: [Bool]) -> (bytes: [UInt8]?, falseCount: Int) {
        var bytes = [UInt8](repeating: 0, count: (values.count + 7) / 8)
        for (index, value) in values.enumerated() where value { bytes[index / 8] |= 1 << UInt8(index % 8) }
        return (bytes, values.count { !$0 })
    }

    static func bytes<Value: BitwiseCopyable>(_ values: [Value]) -> [UInt8] { values.withUnsafeBytes { Array($0) } }

    private static func validity<Value>(_ values: [Value?]) -> (bytes: [UInt8]?, count: Int) {
        let (bytes, count) = bitmap(values.map { $0 != nil })
        return (count == 0 ? nil : bytes, count)
    }

    // MARK: Types

    static func nulls(_ count: Int) -> ArrowColumn { ArrowColumn("n", length: count, nullCount: count, buffers: []) }

    /// Integers, floating-point numbers, dates and timestamps.
    static func fixed<Value: BitwiseCopyable>(_ format: String, _ values: [Value?], null: Value) -> ArrowColumn {
        let (validity, count) = validity(values)
        return ArrowColumn(
            format, length: values.count, nullCount: count, buffers: [validity, bytes(values.map { $0 ?? null })])
    }

    static func integers(_ values: [Int64?]) -> ArrowColumn { fixed("l", values, null: .min) }

    static func booleans(_ values: [Bool?]) -> ArrowColumn {
        let (validity, count) = validity(values)
        return ArrowColumn(
            "b", length: values.count, nullCount: count, buffers: [validity, bitmap(values.map { $0 ?? true }).bytes])
    }

    /// UUIDs, which are 16 bytes each.
    static func uuids(_ values: [[UInt8]?]) -> ArrowColumn {
        let (validity, count) = validity(values)
        return ArrowColumn(
            "w:16", length: values.count, nullCount: count,
            buffers: [validity, values.flatMap { $0 ?? Array(repeating: 0xFF, count: 16) }]
        ).of(extension: "arrow.uuid")
    }

    /// Two's complement numbers of some bytes.
    static func decimals(precision: Int, scale: Int, width: Int, _ values: [Int128?]) -> ArrowColumn {
        let (validity, count) = validity(values)
        let numbers = values.flatMap { value -> [UInt8] in
            let low = bytes([value ?? -7])
            let filling = [UInt8](repeating: (value ?? -7) < 0 ? 0xFF : 0, count: 16)
            return Array((low + filling).prefix(width))
        }
        let bits = width == 16 ? "" : ",\(width * 8)"
        return ArrowColumn(
            "d:\(precision),\(scale)\(bits)", length: values.count, nullCount: count, buffers: [validity, numbers])
    }

    /// How texts are laid out.
    enum TextLayout: String, CaseIterable {
        case small = "u"
        case large = "U"
        case view = "vu"
    }

    static func texts(_ values: [String?], _ layout: TextLayout = .small) -> ArrowColumn {
        texts(values.map { $0.map { Array($0.utf8) } }, layout)
    }

    /// Texts, which may be invalid.
    static func texts(_ values: [[UInt8]?], _ layout: TextLayout = .small) -> ArrowColumn {
        let (validity, count) = validity(values)
        guard layout != .view else {
            let (views, data) = views(values)
            return ArrowColumn(
                "vu", length: values.count, nullCount: count,
                buffers: [validity, views] + data + [bytes(data.map { Int64($0.count) })])
        }
        var (data, ends): ([UInt8], [Int]) = ([], [0])
        for value in values {
            // What is null has bytes too, which are not read.
            data += value ?? [0xFF]
            ends.append(data.count)
        }
        let offsets = layout == .small ? bytes(ends.map { Int32($0) }) : bytes(ends.map { Int64($0) })
        return ArrowColumn(layout.rawValue, length: values.count, nullCount: count, buffers: [validity, offsets, data])
    }

    /// Views, with the long texts in two buffers.
    private static func views(_ values: [[UInt8]?]) -> (views: [UInt8], data: [[UInt8]]) {
        var (views, data): ([UInt8], [[UInt8]]) = ([], [[], []])
        for (index, value) in values.enumerated() {
            let text = value ?? [0xFF]
            views += bytes([Int32(text.count)])
            guard text.count > 12 else {
                views += text + Array(repeating: 0, count: 12 - text.count)
                continue
            }
            views += text.prefix(4) + bytes([Int32(index % 2), Int32(data[index % 2].count)])
            data[index % 2] += text
        }
        return (views, data)
    }

    /// How lists are laid out.
    enum ListLayout: String, CaseIterable {
        case small = "+l"
        case large = "+L"
        case view = "+vl"
        case largeView = "+vL"
    }

    /// Lists, by the number of elements of each.
    static func lists(_ counts: [Int?], of elements: ArrowColumn, _ layout: ListLayout = .small) -> ArrowColumn {
        let (validity, count) = validity(counts)
        var starts = [0]
        for count in counts { starts.append(starts[starts.count - 1] + (count ?? 0)) }
        let sizes = counts.map { $0 ?? 0 }
        let buffers: [[UInt8]?] =
            switch layout {
            case .small: [bytes(starts.map { Int32($0) })]
            case .large: [bytes(starts.map { Int64($0) })]
            case .view: [bytes(starts.dropLast().map { Int32($0) }), bytes(sizes.map { Int32($0) })]
            case .largeView: [bytes(starts.dropLast().map { Int64($0) }), bytes(sizes.map { Int64($0) })]
            }
        return ArrowColumn(
            layout.rawValue, length: counts.count, nullCount: count, buffers: [validity] + buffers,
            children: [elements.named("item")])
    }

    /// Lists of as many elements each.
    static func fixedLists(_ size: Int, _ isValid: [Bool], of elements: ArrowColumn) -> ArrowColumn {
        let (validity, count) = bitmap(isValid)
        return ArrowColumn(
            "+w:\(size)", length: isValid.count, nullCount: count, buffers: [count == 0 ? nil : validity],
            children: [elements.named("item")])
    }

    /// Indices into a dictionary.
    func dictionaryEncoded(_ indices: ArrowColumn) -> ArrowColumn {
        var column = indices
        column.dictionary = [self]
        return column
    }

    /// Every value once, and 32-bit indices.
    static func dictionary(_ values: [String?], _ layout: TextLayout = .small) -> ArrowColumn {
        // By bytes: equal strings may have different ones.
        var (distinct, positions): ([[UInt8]?], [[UInt8]: Int32]) = ([], [:])
        let indices = values.map { value -> Int32? in
            guard let bytes = value.map({ Array($0.utf8) }) else { return nil }
            if let position = positions[bytes] { return position }
            positions[bytes] = Int32(distinct.count)
            distinct.append(bytes)
            return Int32(distinct.count - 1)
        }
        return texts(distinct, layout).dictionaryEncoded(fixed("i", indices, null: -1))
    }
}
