import AllotExposures
import Synchronization

/// Exposures in a PostgreSQL database, which several servers may share. `Sendable`.
final class PostgreSQLDatabase: ExposureDatabase {
    private let address: PostgreSQLAddress
    private let writer: PostgreSQLSession
    /// The connections that no reader uses: there are as many as are used at once.
    private let idleReaders = Mutex<[PostgreSQLSession]>([])
    private let persistence: Duration
    let patience: Duration
    private let breakOff = PostgreSQLBreakOff()

    var name: String { address.name }

    /// Connects to a database, in which tables are created the first time.
    ///
    /// - Parameters:
    ///   - isNewAllowed: whether tables are created; otherwise a database without them is an error.
    ///   - persistence: how long a connection that is lost is opened again before exposures are refused.
    ///   - patience: how long a statement of the writer may take. The last cursor and the notes of what no definition
    ///     has, which take next to no time, get a third of it; other reads may take any time.
    /// - Throws: ``ExposureStoreError/cannotOpen(_:)``.
    init(
        _ location: String, isNewAllowed: Bool = true, persistence: Duration = .seconds(5),
        patience: Duration = .seconds(30)
    ) throws(ExposureStoreError) {
        guard let address = PostgreSQLAddress(location) else {
            throw .cannotOpen(
                "the address of the PostgreSQL database is malformed; write postgresql://USER@HOST:PORT/DATABASE")
        }
        self.address = address
        self.persistence = persistence
        self.patience = patience
        writer = PostgreSQLSession(address, persistence: persistence, patience: patience)
        let refusal: String?
        do throws(PostgreSQLError) {
            refusal = try writer.use { connection throws(PostgreSQLError) in
                try PostgreSQLSchema.refusal(connection, isNewAllowed: isNewAllowed)
            }
        } catch {
            refusal = error.explanation
        }
        if let refusal { throw .cannotOpen("cannot open the exposure store \(name): \(refusal)") }
    }

    func store(_ exposures: [Exposure]) throws -> [ExposureOutcome] {
        try refuseUnstorable(exposures)
        return try write { connection throws(PostgreSQLError) in try PostgreSQLWriter(connection).store(exposures) }
    }

    /// Transactions end in the order of their cursors, so all exposures up to the last one are visible.
    static let lastCursor = "SELECT greatest(deleted_cursor, (SELECT max(cursor) FROM exposure)) FROM store"

    func probe() throws {
        try asStorage("cannot be stored in") { () throws(PostgreSQLError) in
            let count = try writer.use { [breakOff] connection throws(PostgreSQLError) in
                connection.breakOff = breakOff
                defer { connection.breakOff = nil }
                return try connection.query("UPDATE store SET probed_at = now()").affected
            }
            guard count == 1 else { throw .emptyStore }
        }
    }

    func lastCursor() throws -> Int64 {
        try read(patience: patience / 3) { connection throws(PostgreSQLError) in
            guard let row = try connection.query(Self.lastCursor).first else { throw .emptyStore }
            return row.number(0)
        }
    }

    func breakOffReads() { breakOff.begin() }

    func close() {
        writer.close()
        idleReaders.withLock { $0 = [] }
    }

    // MARK: Connections

    /// The most connections of readers that are kept while they are not used.
    private static let idleLimit = 4

    func write<Value: Sendable>(
        _ body: @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) throws(ExposureStoreError) -> Value {
        try asStorage("cannot be stored in") { () throws(PostgreSQLError) in
            try writer.use { connection throws(PostgreSQLError) in
                try connection.transaction(PostgreSQLSchema.beginWriting, body)
            }
        }
    }

    /// Reads on a connection of its own, on which a statement may take as long as `patience`, or any time.
    func read<Value: Sendable>(
        patience: Duration? = nil, _ body: @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) throws(ExposureStoreError) -> Value {
        try asStorage("cannot be read from") { () throws(PostgreSQLError) in
            guard !breakOff.hasBegun else { throw .brokenOff }
            let session =
                idleReaders.withLock { $0.popLast() }
                ?? PostgreSQLSession(address, persistence: persistence, patience: nil)
            defer { idleReaders.withLock { if $0.count < Self.idleLimit { $0.append(session) } } }
            return try session.use { [breakOff] connection throws(PostgreSQLError) in
                connection.patience = patience
                connection.breakOff = breakOff
                return try body(connection)
            }
        }
    }

    private func asStorage<Value>(
        _ failure: String, _ body: () throws(PostgreSQLError) -> Value
    ) throws(ExposureStoreError) -> Value {
        do {
            return try body()
        } catch {
            guard !error.isBrokenOff else { throw .closed }
            throw .storage("exposures \(failure) \(name): \(error.explanation)")
        }
    }

    // MARK: Limits

    /// The most bytes of a text that an index has: PostgreSQL's pages have room for 2,704 of an entry.
    private static let indexedLimit = 2560

    private func refuseUnstorable(_ exposures: [Exposure]) throws(ExposureStoreError) {
        for (index, exposure) in exposures.enumerated() {
            let note = exposure.reason.utf8.count + (exposure.revision?.utf8.count ?? 0)
            let lengths = [
                ("unit", exposure.unit.utf8.count), ("ID", exposure.id?.utf8.count ?? 0),
                ("reason and revision", note),
            ]
            guard let (name, length) = lengths.first(where: { $0.1 > Self.indexedLimit }) else { continue }
            throw .refused(
                """
                exposure \(index) cannot be stored: its \(name) has \(length) bytes; \
                PostgreSQL's indexes take \(Self.indexedLimit)
                """)
        }
    }
}
