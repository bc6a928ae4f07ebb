import AllotCore

/// The number that a unit has in another system, in the terms of an engine: a digest in one stage, and the number of it
/// in a later one. A hash is written only where the engine has a function of the same bits.
struct ForeignNumber {
    let hash: ForeignHash
    let syntax: any SQLSyntax

    /// The digest that gives the number; `nil` for hashes that are not digests of bytes.
    var function: DigestFunction? {
        switch hash.scheme {
        case .eppo1: .md5
        case .launchdarkly1, .planout1: .sha1
        case .statsig1, .firebase1: .sha256
        case .sha256, .growthbook1, .growthbook2, .optimizely1, .unleash1, .unleashVariants1, .flagd0, .flagd1,
            .flagdText1:
            nil
        }
    }

    func digest(_ unit: String) throws(Unsupported) -> String {
        switch hash.scheme {
        case .eppo1: syntax.digest(.md5, of: try syntax.salted(hash.salt + "-", unit))
        case .launchdarkly1, .planout1: syntax.digest(.sha1, of: try syntax.salted(hash.salt + ".", unit))
        case .statsig1, .firebase1: syntax.digest(.sha256, of: try syntax.salted(hash.salt + ".", unit))
        case .unleash1: try murmur3(hash.salt + ":", unit, .plain)
        case .flagd0: try murmur3(hash.salt, unit, .plain)
        case .flagd1: try murmur3(hash.salt, unit, .arrayInCBOR)
        case .flagdText1: try murmur3(hash.salt, unit, .textInCBOR)
        case .growthbook1, .growthbook2: throw refusal("\(syntax.title) does not have FNV-1a in 32 bits")
        case .optimizely1, .unleashVariants1:
            throw refusal("\(syntax.title) does not have MurmurHash3 with the seed that it uses")
        case .sha256: throw refusal("the hash is Allot's own")
        }
    }

    func number(_ digest: String) -> String {
        let resolution = hash.resolution
        switch hash.scheme {
        case .eppo1: return remainder(syntax.number(digest, digits: 0..<8))
        case .launchdarkly1, .planout1: return syntax.number(digest, digits: 0..<15)
        case .statsig1:
            // The remainder of 64 bits from two halves, since most engines have signed numbers only.
            let (high, low) = (syntax.number(digest, digits: 0..<8), syntax.number(digest, digits: 8..<16))
            return remainder("\(remainder(high)) * \((1 << 32) % resolution) + \(low)")
        case .firebase1:
            // The remainder of a sum of words, each times the remainder of its power of two: below 2^63 together.
            var factor = 1
            let words = (0..<8).reversed().map { word in
                defer { factor = factor * (1 << 32 % resolution) % resolution }
                return "\(syntax.number(digest, digits: word * 8..<word * 8 + 8)) * \(factor)"
            }
            return remainder(words.reversed().joined(separator: " + "))
        case .flagd0, .flagd1, .flagdText1: return syntax.shiftedRight("\(digest) * \(resolution)", by: 32)
        case .sha256, .growthbook1, .growthbook2, .optimizely1, .unleash1, .unleashVariants1: return remainder(digest)
        }
    }

    private func remainder(_ number: String) -> String { "MOD(\(number), \(hash.resolution))" }

    private func murmur3(_ salt: String, _ unit: String, _ form: HashedForm) throws(Unsupported) -> String {
        guard let hash = try syntax.murmur3(salt, unit, form) else {
            throw refusal("\(syntax.title) does not have MurmurHash3 as other systems compute it")
        }
        return hash
    }

    private func refusal(_ reason: String) -> Unsupported {
        Unsupported(
            "the hash \(hash.scheme.rawValue) cannot be written: \(reason); assign with \"allot assign\" and load the "
                + "result")
    }
}
