import Synchronization

/// Connections for reading, as many as are used at once. `Sendable`.
final class PostgreSQLPool: Sendable {
    private let address: PostgreSQLAddress
    private let persistence: Duration
    private let idle = Mutex<[PostgreSQLSession]>([])
    private let breakOff: PostgreSQLBreakOff

    /// The most connections that are kept while they are not used.
    private static let limit = 4

    /// - Parameter breakOff: breaks off what the connections wait for.
    init(_ address: PostgreSQLAddress, persistence: Duration, breakOff: PostgreSQLBreakOff) {
        self.address = address
        self.persistence = persistence
        self.breakOff = breakOff
    }

    /// Gives a connection to a body, as ``PostgreSQLSession/use(_:)`` does.
    ///
    /// - Parameter patience: how long a statement may take; `nil` for any time.
    func use<Value: Sendable>(
        patience: Duration?, _ body: @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) throws(PostgreSQLError) -> Value {
        guard !breakOff.hasBegun else { throw .brokenOff }
        let session =
            idle.withLock { $0.popLast() } ?? PostgreSQLSession(address, persistence: persistence, patience: nil)
        defer {
            idle.withLock { if $0.count < Self.limit { $0.append(session) } }
        }
        return try session.use { [breakOff] connection throws(PostgreSQLError) in
            connection.patience = patience
            connection.breakOff = breakOff
            return try body(connection)
        }
    }

    /// Closes the connections that are not used.
    func close() {
        idle.withLock { $0 = [] }
    }
}
