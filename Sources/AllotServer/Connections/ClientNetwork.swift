import AllotFiles
import NIOCore

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
