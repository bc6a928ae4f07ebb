import AllotCore

extension Columns {
    mutating func network(_ networks: [IPNetwork], _ attribute: String) throws(Unsupported) -> SQLCondition {
        let address = try self.address(attribute)
        return .either(
            IPNetworkSet(networks).ranges.map { range in
                let (first, last) = (AddressKey.text(of: range.lowerBound), AddressKey.text(of: range.upperBound))
                return .test(first == last ? "\(address) = '\(first)'" : "\(address) BETWEEN '\(first)' AND '\(last)'")
            })
    }

    /// The column of an attribute's IP address as ``AddressKey``, NULL if its text is not an address.
    private mutating func address(_ attribute: String) throws(Unsupported) -> String {
        let text = try self.text(attribute, as: .address)
        let (address, groups) = (name("address_", attribute), name("groups_", attribute))
        let key = name("network_", attribute)
        let parts = AddressKey(syntax: syntax, address: address, groups: groups)
        let lower = syntax.lowercasedASCII(text)
        stages.readings.add(address, "CASE WHEN \(syntax.matchesWholly(text, PlainPattern.address)) THEN \(lower) END")
        stages.digests.add(groups, syntax.divided(parts.allGroups))
        stages.buckets.add(key, parts.key)
        return key
    }
}

/// IP addresses as 32 hexadecimal digits in their order. An IPv4 address has the key of the IPv4-mapped one.
private struct AddressKey {
    let syntax: any SQLSyntax
    let address: String
    let groups: String

    static func text(of bits: UInt128) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 32 - digits.utf8.count) + digits
    }

    /// Eight groups of digits with dots between them, or six and the four numbers of a dotted end.
    var allGroups: String {
        let digits = "'0123456789abcdef.'"
        let colons = syntax.characterCount(syntax.translated(address, from: digits, to: "''"))
        func zero(ifColonAt position: String) -> String {
            "CASE WHEN \(syntax.part(address, from: position, count: 1)) = ':' THEN '0' ELSE '' END"
        }
        let closed = syntax.concatenated([
            zero(ifColonAt: "1"), address, zero(ifColonAt: syntax.characterCount(address)),
        ])
        // With c colons there are c groups around the gap, and a dotted end counts as two.
        let start = "2 * \(colons) + CASE WHEN \(contains("'.'")) THEN 3 ELSE 1 END"
        let gap = syntax.concatenated(["':'", syntax.part("'0:0:0:0:0:0:0:0:'", from: start, count: 16)])
        let expanded = syntax.translated(syntax.replaced(closed, "'::'", with: gap), from: "':'", to: "'.'")
        return "CASE WHEN \(contains("':'")) THEN \(expanded) "
            + "WHEN \(address) IS NOT NULL THEN \(syntax.concatenated(["'0.0.0.0.0.ffff.'", address])) END"
    }

    private func contains(_ literal: String) -> String { syntax.search.contains(address, literal, 1) }

    /// The key, NULL without an address.
    var key: String {
        let start = (1...6).map(group)
        let hasNumbers = "\(syntax.identifier(ofDivided: groups, 10)) <> ''"
        let end =
            "CASE WHEN \(hasNumbers) THEN \(syntax.concatenated((7...10).map(number))) "
            + "ELSE \(syntax.concatenated([group(7), group(8)])) END"
        return "CASE WHEN \(address) IS NOT NULL THEN \(syntax.byBytes(syntax.concatenated(start + [end]))) END"
    }

    /// A group of up to four digits as four.
    private func group(_ position: Int) -> String {
        let digits = syntax.identifier(ofDivided: groups, position)
        return syntax.part(syntax.concatenated(["'000'", digits]), from: syntax.characterCount(digits), count: 4)
    }

    /// A decimal number up to 255 as two hexadecimal digits.
    private func number(_ position: Int) -> String {
        let place = "2 * \(syntax.integer(syntax.identifier(ofDivided: groups, position))) + 1"
        return syntax.part("'\(Self.bytes)'", from: syntax.position(place), count: 2)
    }

    private static let bytes = (0..<256).map { String($0 + 256, radix: 16).dropFirst() }.joined()
}
