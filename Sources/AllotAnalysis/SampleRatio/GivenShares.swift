import AllotConfiguration

/// Shares as people write them: `control=50%,green=50%`, `control=2,green=1`, or `1:1` for equal ones.
public enum GivenShares: Sendable, Hashable {
    /// Each variant with its share.
    case named(VariantShares)
    /// So many variants of equal shares, whatever their names.
    case equal(count: Int)

    private static let form = "write each variant with its share, such as control=50%,green=50% or control=2,green=1"

    /// Reads shares. Numbers and percentages are 0 or more, with at most 6 decimals; only their ratio counts.
    ///
    /// - Throws: what is wrong and how to mend it.
    public init(_ text: String) throws(VariantSharesError) {
        guard text.contains("=") else {
            self = try Self.unnamed(text)
            return
        }
        var variants: [(key: String, weight: UInt64)] = []
        var percentages = 0
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let equals = part.lastIndex(of: "="), equals != part.startIndex else {
                throw VariantSharesError("\(QuotedText(String(part))) names no variant with a share; \(Self.form)")
            }
            let number = part[part.index(after: equals)...]
            if number.hasSuffix("%") { percentages += 1 }
            variants.append((String(part[..<equals]), try Self.weight(number)))
        }
        guard percentages == 0 || percentages == variants.count else {
            throw VariantSharesError("some shares are percentages and some are weights; write all of them in one way")
        }
        self = .named(try VariantShares(variants))
    }

    /// Shares without names mean something only if they are equal.
    private static func unnamed(_ text: String) throws(VariantSharesError) -> GivenShares {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "/" }
        guard parts.count > 1 else { throw VariantSharesError("\(QuotedText(text)) is no list of shares; \(form)") }
        var weights: [UInt64] = []
        for part in parts { weights.append(try weight(part)) }
        guard weights.allSatisfy({ $0 == weights[0] && $0 > 0 }) else {
            throw VariantSharesError("\(QuotedText(text)) does not say which variant gets which share; \(form)")
        }
        return .equal(count: weights.count)
    }

    /// A share in millionths.
    private static func weight(_ text: Substring) throws(VariantSharesError) -> UInt64 {
        let digits = text.hasSuffix("%") ? text.dropLast() : text
        guard let number = JSONNumber(String(digits)),
            let weight = number.decimal.scaled(byPowerOfTen: 6, limit: 1_000_000_000_000_000_000)
        else {
            throw VariantSharesError(
                "\(QuotedText(String(text))) is no share; a share is a number from 0 to 1000000000000 with at most 6 "
                    + "decimals, with or without \"%\"")
        }
        return weight
    }
}
