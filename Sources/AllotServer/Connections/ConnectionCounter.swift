import AllotFiles
import NIOCore
import Synchronization

/// Counts the open connections, in all and of each client, and a few more that answer probes only. `Sendable`.
package final class ConnectionCounter: Sendable {
    enum Room: Equatable {
        case usual
        /// Probes only.
        case reserved
        case none(ConnectionRefusal.Reason)
    }

    /// The connections that are kept for probes.
    static let reserve = 32
    /// The most of those of one client: the others are for probes, whatever it does.
    static let reserveOfClient = 8

    private struct Open {
        let channel: any Channel
        var client: ClientNetwork?
        var isReserved = false
    }

    private struct State {
        var open: [ObjectIdentifier: Open] = [:]
        /// By client the open connections, and those of the reserve among them.
        var clients: [ClientNetwork: (count: Int, reserved: Int)] = [:]
    }

    private let maximum: Int
    private let maximumOfClient: Int
    private let state = Mutex(State())

    /// Allows some connections, but for the reserve, in all and to one client; this machine has no limit of its own.
    package init(maximum: Int, ofClient maximumOfClient: Int) {
        (self.maximum, self.maximumOfClient) = (maximum, maximumOfClient)
    }

    /// Counts a new connection until it closes, if there is room for it. One without a client has no limit of its own.
    func open(_ channel: any Channel, of client: ClientNetwork?) -> Room {
        let room: Room = state.withLock { state in
            guard state.open.count < maximum + Self.reserve else { return .none(.connections) }
            let isReserved = state.open.count >= maximum
            if let client {
                var counts = state.clients[client] ?? (0, 0)
                guard counts.count < maximumOfClient, !isReserved || counts.reserved < Self.reserveOfClient else {
                    return .none(.address)
                }
                counts = (counts.count + 1, counts.reserved + (isReserved ? 1 : 0))
                state.clients[client] = counts
            }
            state.open[ObjectIdentifier(channel)] = Open(channel: channel, client: client, isReserved: isReserved)
            return isReserved ? .reserved : .usual
        }
        if room == .usual || room == .reserved { channel.closeFuture.whenComplete { [self] _ in close(channel) } }
        return room
    }

    /// Counts a connection that the socket accepted before there was a ``ConnectionAcceptor``, which counts others.
    package func adopt(_ channel: any Channel) {
        let isNew = state.withLock { state in
            guard state.open[ObjectIdentifier(channel)] == nil else { return false }
            state.open[ObjectIdentifier(channel)] = Open(channel: channel)
            return true
        }
        if isNew { channel.closeFuture.whenComplete { [self] _ in close(channel) } }
    }

    func isReserved(_ channel: any Channel) -> Bool {
        state.withLock { $0.open[ObjectIdentifier(channel)]?.isReserved ?? false }
    }

    func close(_ channel: any Channel) {
        state.withLock { state in
            guard let open = state.open.removeValue(forKey: ObjectIdentifier(channel)), let client = open.client,
                let counts = state.clients[client]
            else { return }
            let left = (count: counts.count - 1, reserved: counts.reserved - (open.isReserved ? 1 : 0))
            state.clients[client] = left.count > 0 ? left : nil
        }
    }

    /// Breaks off all connections, even those that wait. Returns how many there were.
    func abortAll() -> Int {
        let open = state.withLock { $0.open.values.map(\.channel) }
        for channel in open { channel.eventLoop.execute { channel.reset() } }
        return open.count
    }

    var refusal: ConnectionRefusal {
        ConnectionRefusal(
            .connections, "all \(maximum) connections are in use; try again later, or allow more connections")
    }

    func refusal(_ reason: ConnectionRefusal.Reason) -> ConnectionRefusal {
        reason == .address
            ? ConnectionRefusal(.address, "the address has \(maximumOfClient) connections, or its share of the reserve")
            : refusal
    }
}

/// The network that counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, because a client
/// has all addresses of such a network. `Sendable`.
struct ClientNetwork: Hashable, Sendable { let bytes: [UInt8] }

extension ClientNetwork {
    /// The first bytes of an IPv6 address that stands for an IPv4 one, as a socket that takes both gives it.
    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    /// The network of an address. Returns `nil` for those of this machine, which proxies and their clients share.
    init?(_ address: SocketAddress) {
        switch address {
        case .v4(let address): bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address):
            let all = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            bytes = Array(all.starts(with: Self.mapped) ? all.dropFirst(12) : all.prefix(8))
        case .unixDomainSocket: return nil
        }
        // That of ::1 has no other address in use.
        if bytes.count == 4 ? bytes[0] == 127 : bytes.allSatisfy({ $0 == 0 }) { return nil }
    }
}
