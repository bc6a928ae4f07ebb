import CLibPQ

/// A parameter of a statement. In PostgreSQL's binary format texts need no escaping.
enum PostgreSQLValue: Sendable {
    case text(String?)
    case number(Int64)
    case boolean(Bool)
    case texts([String?])
    case numbers([Int64?])
    case integers([Int32?])
    case booleans([Bool?])

    /// Appends the bytes of the value. Returns their place; `nil` for NULL.
    func append(to bytes: inout [UInt8]) -> Range<Int>? {
        let start = bytes.count
        switch self {
        case .text(nil): return nil
        case .text(let text?): bytes += text.utf8
        case .number(let number): bytes.appendBigEndian(number)
        case .boolean(let isTrue): bytes.append(isTrue ? 1 : 0)
        // The numbers stand for the types of elements, and are the same in every database.
        case .texts(let texts): bytes.appendArray(of: 25, texts, { $0.utf8.count }, { $0 += $1.utf8 })
        case .numbers(let numbers): bytes.appendArray(of: 20, numbers, { _ in 8 }, { $0.appendBigEndian($1) })
        case .integers(let numbers): bytes.appendArray(of: 23, numbers, { _ in 4 }, { $0.appendBigEndian($1) })
        case .booleans(let values): bytes.appendArray(of: 16, values, { _ in 1 }, { $0.append($1 ? 1 : 0) })
        }
        return start..<bytes.count
    }
}

extension [UInt8] {
    fileprivate mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func appendArray<Value>(
        of type: Int32, _ elements: [Value?], _ length: (Value) -> Int, _ append: (inout [UInt8], Value) -> Void
    ) {
        // The number of dimensions, whether an element may be NULL, their type; the length, the first index.
        for number in [1, 1, type, Int32(elements.count), 1] { appendBigEndian(number) }
        for element in elements {
            appendBigEndian(element.map { Int32(length($0)) } ?? -1)
            if let element { append(&self, element) }
        }
    }
}

/// The rows of a statement in PostgreSQL's binary format.
final class PostgreSQLRows: RandomAccessCollection {
    /// A row. Values are not NULL unless their function returns an optional.
    struct Row {
        fileprivate let rows: PostgreSQLRows
        fileprivate let index: Int32

        func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

        /// A `bigint` or an `integer`.
        func number(_ column: Int32) -> Int64 {
            let bytes = bytes(column)
            let sign: Int64 = (bytes.first ?? 0) < 128 ? 0 : -1
            return bytes.reduce(sign) { $0 << 8 | Int64($1) }
        }

        func boolean(_ column: Int32) -> Bool { bytes(column).first == 1 }
        func textIfAny(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
        func numberIfAny(_ column: Int32) -> Int64? { isNull(column) ? nil : number(column) }

        /// A `text[]` that has no NULL in it.
        func texts(_ column: Int32) -> [String] {
            // The header has five numbers of four bytes.
            var rest = bytes(column).dropFirst(20)
            var texts: [String] = []
            while rest.count >= 4 {
                let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(4)
                texts.append(String(decoding: rest.prefix(length), as: UTF8.self))
                rest = rest.dropFirst(length)
            }
            return texts
        }

        private func isNull(_ column: Int32) -> Bool { PQgetisnull(rows.result, index, column) != 0 }

        private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(
                start: PQgetvalue(rows.result, index, column), count: Int(PQgetlength(rows.result, index, column)))
        }
    }

    private let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var startIndex: Int { 0 }
    var endIndex: Int { Int(PQntuples(result)) }

    subscript(index: Int) -> Row { Row(rows: self, index: Int32(index)) }

    /// The number of rows that the statement inserted, changed or deleted.
    var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }
}
