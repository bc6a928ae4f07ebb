import NIOCore
import Synchronization

/// Counts connections. When all are in use, a few more are taken that answer probes only.
package final class ConnectionCounter: Sendable {
    /// What a new connection may do.
    enum Room {
        case usual
        /// Probes only.
        case reserved
        case none
    }

    /// The connections that are kept for probes.
    static let reserve = 32

    private let maximum: Int
    private let count = Atomic(0)

    /// - Parameter maximum: the most connections, but for the reserve.
    package init(maximum: Int) {
        self.maximum = maximum
    }

    /// Counts a new connection if there is room for it.
    func open() -> Room {
        let now = count.add(1, ordering: .relaxed).newValue
        guard now > maximum else { return .usual }
        guard now > maximum + Self.reserve else { return .reserved }
        close()
        return .none
    }

    /// Ends counting a connection.
    func close() {
        count.subtract(1, ordering: .relaxed)
    }

    /// Whether a request is answered on a connection of the reserve.
    static func isForProbes(_ target: String?) -> Bool {
        guard let path = target?.prefix(while: { $0 != "?" }) else { return false }
        return path == "/metrics" || path.hasPrefix("/health/")
    }

    var refusal: ConnectionRefusal {
        ConnectionRefusal(
            .connections,
            "all \(maximum) connections are in use; try again later, or start with more: --max-connections")
    }
}

/// Marks the pipeline of a connection that answers probes only.
final class ReservedMark: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any
}
