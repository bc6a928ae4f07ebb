/// The parameters of a statement in PostgreSQL's binary format, in which texts need no escaping.
struct PostgreSQLParameters {
    /// The values one after another.
    private(set) var bytes: [UInt8] = []
    /// Where each value is in ``bytes``; `nil` for NULL.
    private(set) var ranges: [Range<Int>?] = []

    /// The numbers that stand for types in arrays, the same in every database.
    private enum ElementType: Int32 {
        case boolean = 16
        case bigint = 20
        case integer = 23
        case text = 25
    }

    /// Adds a `text`.
    mutating func add(_ text: String?) {
        guard let text else { return ranges.append(nil) }
        value { $0.append(contentsOf: text.utf8) }
    }

    /// Adds a `bigint`.
    mutating func add(_ number: Int64) {
        value { $0.appendBigEndian(number) }
    }

    /// Adds a `boolean`.
    mutating func add(_ isTrue: Bool) {
        value { $0.append(isTrue ? 1 : 0) }
    }

    /// Adds a `text[]`.
    mutating func add<Elements: Collection>(_ texts: Elements) where Elements.Element == String? {
        array(of: .text, texts) { text, bytes in
            bytes.appendBigEndian(Int32(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
    }

    /// Adds a `bigint[]`.
    mutating func add<Elements: Collection>(_ numbers: Elements) where Elements.Element == Int64? {
        array(of: .bigint, numbers) { number, bytes in
            bytes.appendBigEndian(8 as Int32)
            bytes.appendBigEndian(number)
        }
    }

    /// Adds an `integer[]`.
    mutating func add<Elements: Collection>(_ numbers: Elements) where Elements.Element == Int32? {
        array(of: .integer, numbers) { number, bytes in
            bytes.appendBigEndian(4 as Int32)
            bytes.appendBigEndian(number)
        }
    }

    /// Adds a `boolean[]`.
    mutating func add<Elements: Collection>(_ values: Elements) where Elements.Element == Bool? {
        array(of: .boolean, values) { isTrue, bytes in
            bytes.appendBigEndian(1 as Int32)
            bytes.append(isTrue ? 1 : 0)
        }
    }

    /// Adds the keys of experiments, the salts and the keys of variants, each a `text[]`.
    mutating func add(_ arms: [ExposureArm]) {
        add(arms.map(\.experiment) as [String?])
        add(arms.map(\.salt) as [String?])
        add(arms.map(\.variant) as [String?])
    }

    private mutating func value(_ append: (inout [UInt8]) -> Void) {
        let start = bytes.count
        append(&bytes)
        ranges.append(start..<bytes.count)
    }

    private mutating func array<Value, Elements: Collection>(
        of type: ElementType, _ elements: Elements, _ append: (Value, inout [UInt8]) -> Void
    ) where Elements.Element == Value? {
        value { bytes in
            // The number of dimensions, whether an element may be NULL, their type; the length, the first index.
            for number in [1, 1, type.rawValue, Int32(elements.count), 1] { bytes.appendBigEndian(number) }
            for element in elements {
                if let element { append(element, &bytes) } else { bytes.appendBigEndian(-1 as Int32) }
            }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
