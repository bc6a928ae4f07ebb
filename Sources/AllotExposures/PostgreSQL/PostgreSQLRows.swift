import CLibPQ

/// The rows of a statement in PostgreSQL's binary format.
struct PostgreSQLRows: ~Copyable {
    private let result: OpaquePointer

    /// Takes over a result.
    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    var count: Int { Int(PQntuples(result)) }

    /// The number of rows that the statement inserted or deleted.
    var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    func isNull(_ row: Int, _ column: Int) -> Bool {
        PQgetisnull(result, Int32(row), Int32(column)) != 0
    }

    /// A value that is not NULL, as text.
    func text(_ row: Int, _ column: Int) -> String {
        String(decoding: bytes(row, column), as: UTF8.self)
    }

    /// A `bigint` or an `integer` that is not NULL.
    func number(_ row: Int, _ column: Int) -> Int64 {
        let bytes = bytes(row, column)
        var number: Int64 = bytes.first.map { $0 < 128 } ?? true ? 0 : -1
        for byte in bytes { number = number << 8 | Int64(byte) }
        return number
    }

    /// A `boolean` that is not NULL.
    func boolean(_ row: Int, _ column: Int) -> Bool {
        bytes(row, column).first == 1
    }

    /// A value; `nil` for NULL.
    func textIfAny(_ row: Int, _ column: Int) -> String? {
        isNull(row, column) ? nil : text(row, column)
    }

    /// A value; `nil` for NULL.
    func numberIfAny(_ row: Int, _ column: Int) -> Int64? {
        isNull(row, column) ? nil : number(row, column)
    }

    /// A `text[]` that is not NULL and has no NULL in it.
    func texts(_ row: Int, _ column: Int) -> [String] {
        var rest = bytes(row, column).dropFirst(Self.arrayHeader)
        var texts: [String] = []
        while rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            texts.append(String(decoding: rest.prefix(length), as: UTF8.self))
            rest = rest.dropFirst(length)
        }
        return texts
    }

    /// The number of dimensions, whether an element may be NULL, their type; the length, the first index.
    private static let arrayHeader = 20

    private func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), Int32(column)),
            count: Int(PQgetlength(result, Int32(row), Int32(column))))
    }
}
