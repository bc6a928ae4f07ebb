import AllotFiles
import NIOCore

/// The network that counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, because a client
/// has all addresses of such a network. `Sendable`.
enum ClientNetwork: Hashable, Sendable {
    case ipv4(UInt32)
    case ipv6(UInt64)

    /// The first bytes of an IPv6 address that stands for an IPv4 one, as a socket that takes both gives it.
    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    /// The network of an address. Returns `nil` for those of this machine, which proxies and their clients share.
    init?(_ address: SocketAddress) {
        switch address {
        case .v4(let address): self = .ipv4(UInt32(bigEndian: address.address.sin_addr.s_addr))
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            if bytes.starts(with: Self.mapped) {
                self = .ipv4(bytes.dropFirst(12).reduce(0) { $0 << 8 | UInt32($1) })
            } else {
                self = .ipv6(bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
            }
        case .unixDomainSocket: return nil
        }
        switch self {
        case .ipv4(let number) where number >> 24 == 127: return nil
        // Those of ::1; other addresses of this network are not in use.
        case .ipv6(0): return nil
        default: break
        }
    }
}
