import Synchronization

/// Connections for reading, as many as are used at once. `Sendable`.
final class PostgreSQLPool: Sendable {
    private let address: PostgreSQLAddress
    private let persistence: Duration
    private let idle = Mutex<[PostgreSQLSession]>([])

    /// The most connections that are kept while they are not used.
    private static let limit = 4

    init(_ address: PostgreSQLAddress, persistence: Duration) {
        self.address = address
        self.persistence = persistence
    }

    /// Gives a connection to a body, as ``PostgreSQLSession/use(_:)`` does.
    func use<Value: Sendable>(
        _ body: @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) throws(PostgreSQLError) -> Value {
        let session =
            idle.withLock { $0.popLast() } ?? PostgreSQLSession(address, persistence: persistence, patience: nil)
        defer {
            idle.withLock { if $0.count < Self.limit { $0.append(session) } }
        }
        return try session.use(body)
    }

    /// Closes the connections that are not used.
    func close() {
        idle.withLock { $0 = [] }
    }
}
