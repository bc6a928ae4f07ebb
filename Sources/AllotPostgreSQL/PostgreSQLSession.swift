import AllotFiles
import Synchronization

/// A place for one connection, which is opened when it is needed and opened again when it is lost. `Sendable`.
///
/// Callers block: while another uses the connection, and while it is opened again.
final class PostgreSQLSession: Sendable {
    private let address: PostgreSQLAddress
    private let connection = Mutex<PostgreSQLConnection?>(nil)
    /// How long a connection that is lost is opened again, and what fails in passing is tried again.
    private let persistence: Duration
    /// How long a statement may take; `nil` for any time.
    private let patience: Duration?

    init(_ address: PostgreSQLAddress, persistence: Duration, patience: Duration?) {
        self.address = address
        self.persistence = persistence
        self.patience = patience
    }

    /// Gives the connection to a body, which may be called several times: again after the connection was lost in it, or
    /// after another passing failure.
    ///
    /// A connection that could not be opened the last time is tried once, so that a server that is down for longer does
    /// not keep every caller waiting.
    func use<Value: Sendable>(
        _ body: @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) throws(PostgreSQLError) -> Value {
        try connection.withLock { current throws(PostgreSQLError) -> Value in
            let end = ContinuousClock.now + (current == nil ? .zero : persistence)
            var pause: Int32 = 25
            while true {
                do throws(PostgreSQLError) {
                    if let open = current { return try body(open) }
                    let new = try PostgreSQLSchema.connect(address, patience: patience)
                    current = new
                    return try body(new)
                } catch {
                    if error.isConnectionLost { current = nil }
                    guard error.isPassing, ContinuousClock.now < end else { throw error }
                }
                _ = poll(nil, 0, pause)
                pause = min(pause * 2, 400)
            }
        }
    }

    func close() { connection.withLock { $0 = nil } }
}
