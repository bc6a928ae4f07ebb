import AllotConfiguration

/// A block of IP addresses in CIDR notation: `10.0.0.0/8`, `2001:db8::/32`, or one address. A network of IPv6 does not
/// contain the IPv4-mapped addresses, which are IPv4 addresses.
package struct IPNetwork: Sendable, Hashable {
    package let address: IPAddress
    /// The number of leading bits of the 128 that all addresses share.
    private let sharedLength: Int

    package enum Fault: Error, Sendable {
        case invalid
        /// Bits after the prefix are set. Without them it is this network.
        case hostBits(IPNetwork)

        package var reason: String {
            switch self {
            case .invalid:
                "is not an IP address or network; write an address, or a network such as 10.0.0.0/8 or 2001:db8::/32, "
                    + "without leading zeros"
            case .hostBits(let network): "has bits after its prefix; write \(network)"
            }
        }
    }

    package init(_ text: String) throws(Fault) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(utf8: Array(parts[0].utf8).span) else { throw .invalid }
        // A mapped address in the form of IPv6 has its prefix counted from the first of all bits.
        let isDotted = !parts[0].contains(":")
        let offset = isDotted ? 96 : 0
        var length = 128
        if parts.count == 2 {
            guard let prefix = Self.prefixLength(parts[1]), prefix <= 128 - offset else { throw .invalid }
            length = prefix + offset
        }
        let network = IPNetwork(containing: address, sharedLength: length)
        guard network.address == address else { throw .hostBits(network) }
        self = network
    }

    private init(containing address: IPAddress, sharedLength: Int) {
        let mask: UInt128 = sharedLength == 0 ? 0 : UInt128.max << (128 - sharedLength)
        self.address = IPAddress(bits: address.bits & mask)
        self.sharedLength = sharedLength
    }

    private static func prefixLength(_ text: Substring) -> Int? {
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit), text == "0" || !text.hasPrefix("0")
        else { return nil }
        return Int(text)
    }

    /// The addresses, in order: one range, or two around the IPv4-mapped ones.
    package var ranges: [ClosedRange<UInt128>] {
        let last = address.bits | (sharedLength == 128 ? 0 : UInt128.max >> sharedLength)
        let mapped = IPAddress.mapped
        guard sharedLength < 96, address.bits <= mapped.lowerBound, last >= mapped.upperBound else {
            return [address.bits...last]
        }
        let below = address.bits < mapped.lowerBound ? [address.bits...mapped.lowerBound - 1] : []
        return below + (last > mapped.upperBound ? [mapped.upperBound + 1...last] : [])
    }
}

extension IPNetwork: CustomStringConvertible {
    package var description: String {
        let isIPv4 = sharedLength >= 96 && address.isIPv4
        return "\(address)/\(isIPv4 ? sharedLength - 96 : sharedLength)"
    }
}

/// The networks of an `$inNetwork`; a class, so that a test counts one reference.
package final class IPNetworkSet: Sendable {
    /// Ranges of addresses that neither overlap nor touch, in order.
    package let ranges: [ClosedRange<UInt128>]

    package init(_ networks: [IPNetwork]) {
        var merged: [ClosedRange<UInt128>] = []
        for range in networks.flatMap(\.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        ranges = merged
    }

    package func contains(_ address: IPAddress) -> Bool {
        let index = ranges.indices.partitionPoint { ranges[$0].upperBound < address.bits }
        return index < ranges.count && ranges[index].lowerBound <= address.bits
    }

    package func contains(_ text: Span<UInt8>) -> Bool { IPAddress(utf8: text).map(contains) ?? false }
}
