import AllotFiles
import CLibPQ
import Synchronization

/// Breaks off what connections wait for, from any thread. `Sendable`.
final class PostgreSQLBreakOff: Sendable {
    private let flag = Atomic(false)

    var hasBegun: Bool { flag.load(ordering: .relaxed) }

    func begin() { flag.store(true, ordering: .relaxed) }
}

/// The failure of a statement: the server's error, or a lost connection.
struct PostgreSQLError: Error {
    /// The code by SQL's standard; empty if there was no answer.
    let code: String
    let message: String
    let isConnectionLost: Bool
    /// Whether this process has stopped waiting for the answer.
    let isBrokenOff: Bool

    init(code: String = "", message: String, isConnectionLost: Bool, isBrokenOff: Bool = false) {
        self.code = code
        self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        self.isConnectionLost = isConnectionLost
        self.isBrokenOff = isBrokenOff
    }

    static let brokenOff = Self(message: "the wait was broken off", isConnectionLost: true, isBrokenOff: true)

    /// The table `store` has lost its row.
    static let emptyStore = Self(code: "42P01", message: "the table \"store\" is empty", isConnectionLost: false)

    /// Whether the statement may succeed a little later: a server that restarts or fails over, and what another
    /// transaction prevented.
    var isPassing: Bool { (isConnectionLost && !isBrokenOff) || code.hasPrefix("40") || code == "23505" }

    var explanation: String {
        let fix =
            switch code {
            case "25006":
                "this server accepts no changes: name the primary server, or all with target_session_attrs=read-write"
            case "42501": "grant the user the right, or let its owner create the schema"
            case "42P01", "3F000", "42703", "26000":
                "restore the store's tables, or restart the servers, which create them"
            case "53100": "make room on its disk"
            case "53300": "raise its max_connections"
            case "55P03", "57014": "the statement took too long: look for what holds a lock, or what keeps it busy"
            case _ where isConnectionLost: "check that PostgreSQL runs, the address, the user and the password"
            default: "see PostgreSQL's log"
            }
        return "\(message); \(fix)"
    }
}

/// A connection to a PostgreSQL server. All functions block; none longer than ``patience`` without an answer.
final class PostgreSQLConnection {
    private let connection: OpaquePointer
    /// The names of the statements that are prepared.
    private var statements: [String: String] = [:]
    /// How long a statement may take, after which the connection is of no more use; `nil` for any time.
    var patience: Duration? = .seconds(30)
    var breakOff: PostgreSQLBreakOff?

    /// The time between two looks at ``breakOff``, in milliseconds.
    private static let interval = 200.0

    init(_ address: PostgreSQLAddress) throws(PostgreSQLError) {
        // The last of equal keywords applies: those before the address are defaults.
        let options: [(String, String)] = [
            ("fallback_application_name", "allot"), ("connect_timeout", "5"), ("keepalives_idle", "15"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "30000"),
            ("dbname", address.location), ("client_encoding", "UTF8"),
        ]
        let connection = Self.withPointers(to: options.map(\.0)) { keywords in
            Self.withPointers(to: options.map(\.1)) { PQconnectdbParams(keywords, $0, 1) }
        }
        guard let connection else {
            throw PostgreSQLError(message: "there is no memory for a connection", isConnectionLost: true)
        }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK, PQsetnonblocking(connection, 1) == 0 else { throw lost() }
        allot_ignore_notices(connection)
    }

    deinit { PQfinish(connection) }

    /// The server's version, as 150018 for 15.18.
    var serverVersion: Int { Int(PQserverVersion(connection)) }

    /// Executes a statement, which is prepared the first time.
    @discardableResult
    func query(_ sql: String, _ parameters: [PostgreSQLValue] = []) throws(PostgreSQLError) -> PostgreSQLRows {
        let name = try prepared(sql)
        var bytes: [UInt8] = []
        let ranges = parameters.map { $0.append(to: &bytes) }
        // An empty text is not NULL: the address of its value has to be one, even if there are no bytes at all.
        bytes.append(0)
        let isSent = bytes.withUnsafeBytes { bytes in
            let values = ranges.map { range in
                range.flatMap { bytes.baseAddress?.advanced(by: $0.lowerBound).assumingMemoryBound(to: CChar.self) }
            }
            let lengths = ranges.map { Int32($0?.count ?? 0) }
            let formats = ranges.map { _ in 1 as Int32 }
            return PQsendQueryPrepared(connection, name, Int32(ranges.count), values, lengths, formats, 1)
        }
        return try result(isSent)
    }

    /// Executes statements that have no parameters and are not prepared.
    ///
    /// - Returns: the rows of the last, in the binary format if there is only one statement.
    @discardableResult
    func execute(_ sql: String) throws(PostgreSQLError) -> PostgreSQLRows { try result(PQsendQuery(connection, sql)) }

    /// Executes a statement that is not prepared, because it is not like others.
    func queryOnce(_ sql: String) throws(PostgreSQLError) -> PostgreSQLRows {
        try result(PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1))
    }

    /// Begins a transaction with a statement, and commits it unless the body throws.
    func transaction<Value>(
        _ begin: String, _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) throws(PostgreSQLError) -> Value {
        do {
            try execute(begin)
            let value = try body(self)
            try execute("COMMIT")
            return value
        } catch {
            // If this fails as well, the connection is lost, and with it the transaction.
            if !error.isConnectionLost { try execute("ROLLBACK") }
            throw error
        }
    }

    private func prepared(_ sql: String) throws(PostgreSQLError) -> String {
        if let name = statements[sql] { return name }
        let name = "s\(statements.count)"
        _ = try result(PQsendPrepare(connection, name, sql, 0, nil))
        statements[sql] = name
        return name
    }

    // MARK: Waiting

    /// The last result of what was sent.
    private func result(_ isSent: Int32) throws(PostgreSQLError) -> PostgreSQLRows {
        guard isSent == 1 else { throw lost() }
        let deadline = patience.map { ContinuousClock.now + $0 }
        while true {
            let unsent = PQflush(connection)
            guard unsent >= 0 else { throw lost() }
            if unsent == 0 { break }
            try wait(for: POLLIN | POLLOUT, until: deadline)
        }
        var last: OpaquePointer?
        var failure: PostgreSQLError?
        while true {
            while PQisBusy(connection) == 1 {
                do throws(PostgreSQLError) {
                    try wait(for: POLLIN, until: deadline)
                } catch {
                    PQclear(last)
                    throw error
                }
            }
            guard let next = PQgetResult(connection) else { break }
            PQclear(last)
            last = next
            failure = failure ?? Self.failure(next, connection)
        }
        if let failure {
            PQclear(last)
            throw failure
        }
        guard let last else { throw lost() }
        return PostgreSQLRows(last)
    }

    /// Waits until the server sends something, or takes something if `events` has `POLLOUT`.
    private func wait(for events: Int32, until deadline: ContinuousClock.Instant?) throws(PostgreSQLError) {
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        var ready: Int32 = 0
        while ready == 0 {
            if breakOff?.hasBegun == true { throw .brokenOff }
            let left = deadline.map { ($0 - .now) / Duration.milliseconds(1) } ?? .infinity
            guard left > 0 else { throw PostgreSQLError(message: "PostgreSQL does not answer", isConnectionLost: true) }
            ready = poll(&descriptor, 1, Int32(min(left.rounded(.up), Self.interval)))
        }
        guard ready > 0 || errno == EINTR else { throw lost() }
        if ready > 0, descriptor.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0, PQconsumeInput(connection) == 0 {
            throw lost()
        }
    }

    private func lost() -> PostgreSQLError {
        let message = String(cString: PQerrorMessage(connection))
        return PostgreSQLError(message: message.isEmpty ? "the connection is closed" : message, isConnectionLost: true)
    }

    private static func failure(_ result: OpaquePointer, _ connection: OpaquePointer) -> PostgreSQLError? {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return nil
        default: break
        }
        func field(_ name: Character) -> String? {
            name.asciiValue.flatMap { PQresultErrorField(result, Int32($0)) }.map { String(cString: $0) }
        }
        let code = field("C") ?? ""
        // A server that shuts down says so first; the end of the connection is read only later.
        // One that has become read-only may not be the primary any more: the address may name another.
        let isEnding = ["08", "57P", "25P03", "25006"].contains { code.hasPrefix($0) }
        // The primary message alone: the details of some errors quote rows.
        return PostgreSQLError(
            code: code, message: field("M") ?? String(cString: PQresultErrorMessage(result)),
            isConnectionLost: isEnding || PQstatus(connection) != CONNECTION_OK)
    }

    // MARK: Pointers

    private static func withPointers<Value>(
        to texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
    ) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
