import GRDB
import GRDBSQLite

/// A prepared statement whose values are read as they are: a value of the wrong type, as in a damaged file, does not
/// end the process.
struct SQLiteStatement {
    private let database: Database
    private let statement: Statement
    private var handle: OpaquePointer { statement.sqliteStatement }

    init(_ database: Database, _ sql: String) throws {
        self.database = database
        statement = try database.cachedStatement(sql: sql)
    }

    /// Runs the statement, and calls `body` for each row of its result.
    func run(_ values: [(any SQLiteValue)?] = [], _ body: (SQLiteStatement) throws -> Void = { _ in }) throws {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() {
            let code = value?.bind(to: handle, at: Int32(index + 1)) ?? sqlite3_bind_null(handle, Int32(index + 1))
            guard code == SQLITE_OK else { throw error(code) }
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try body(self)
            case SQLITE_DONE: return
            case let code: throw error(code)
            }
        }
    }

    /// The first column of the first row, a whole number. Returns `nil` if there is no row, or if it is null.
    func number(_ values: [(any SQLiteValue)?] = []) throws -> Int64? {
        var number: Int64?
        try run(values) { row in if number == nil, !row.isNull(0) { number = row.number(0) } }
        return number
    }

    /// The rows that the last statement of the connection inserted, changed or deleted.
    var changeCount: Int {
        Int(sqlite3_changes(database.sqliteConnection))
    }

    private func error(_ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: DatabaseError(resultCode: .init(rawValue: code)).extendedResultCode,
            message: database.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) })
    }

    // MARK: The present row

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func number(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func optionalNumber(_ column: Int32) -> Int64? {
        isNull(column) ? nil : number(column)
    }

    func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// The bytes of a text, until the next row.
    func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: sqlite3_column_text(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    }
}

/// What a parameter of a statement can be.
protocol SQLiteValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension Int64: SQLiteValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self)
    }
}

extension String: SQLiteValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // An empty text may have no address, which would be null to SQLite.
                guard let start = $0.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, nil) }
                return sqlite3_bind_text(statement, index, start, Int32($0.count), Self.copied)
            }
        }
    }

    /// `SQLITE_TRANSIENT`: SQLite copies the bytes.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
