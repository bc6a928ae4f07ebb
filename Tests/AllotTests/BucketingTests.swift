import AllotConfiguration
import Testing

@testable import AllotCore

struct BucketingTests {
    @Test("Salts and unit IDs have the buckets of the golden vectors")
    func goldenVectors() throws {
        let cases = try Vectors.load("bucketing")
        #expect(cases.count > 50)
        for entry in cases {
            let salt = try #require(entry.text("salt").flatMap(Salt.init))
            let unit = try #require(entry.text("unit"))
            let hash = SaltedHash(salt)
            #expect(SHA256.hexadecimal(hash.digest(of: unit)) == entry.text("sha256"), "\(salt):\(unit)")
            let buckets = hash.buckets(of: Array(unit.utf8).span)
            #expect(buckets.first == entry.integer("first"), "\(salt):\(unit)")
            #expect(buckets.second == entry.integer("second"), "\(salt):\(unit)")
            #expect(hash.buckets(of: unit) == buckets)
        }
    }

    @Test("Weights have the bucket ranges of the golden vectors")
    func goldenWeights() throws {
        let cases = try Vectors.load("weights")
        #expect(cases.count >= 18)
        for entry in cases {
            let weights = entry.array("weights").compactMap { weight -> UInt64? in
                guard case .number(let number) = weight else { return nil }
                return number.decimal.scaled(byPowerOfTen: 6, limit: Weights.maximumMillionths)
            }
            let expected = entry.array("ranges").map { ranges -> [Range<Int>] in
                guard case .array(let ranges) = ranges else { return [] }
                return ranges.compactMap { range in
                    guard case .array(let ends) = range, case .number(let start) = ends[0],
                        case .number(let end) = ends[1]
                    else { return nil }
                    return (Int(start.text) ?? 0)..<(Int(end.text) ?? 0)
                }
            }
            #expect(Weights.ranges(millionths: weights)?.map { [$0].filter { !$0.isEmpty } } == expected)
        }
    }

    /// By hashlib of Python: the digest of the digests of salts and unit IDs of these lengths.
    @Test("Salts and unit IDs of every length around a hash block have the digests of another implementation")
    func lengthsAroundBlocks() throws {
        var digests: [UInt8] = []
        for saltLength in [1, 17, 63, 64] {
            let hash = SaltedHash(try #require(Salt(String(repeating: "s", count: saltLength))))
            for length in 1...260 {
                let unit = (0..<length).map { UInt8(33 + ($0 * 7 + length) % 90) }
                digests += hash.digest(of: String(decoding: unit, as: UTF8.self))
            }
        }
        #expect(
            SHA256.hexadecimal(SHA256.digest(of: digests))
                == "62884a6a7e49e1dc86a331e40d41bfa160869d756fd5c1c3b6057b2d2585f34b")
    }

    /// Published digests (FIPS 180-4 examples).
    @Test("SHA-256 has the digests that its standard publishes")
    func publishedDigests() {
        func digest(_ text: String) -> String {
            SHA256.hexadecimal(SHA256.state(prefix: Span(), message: Array(text.utf8).span).digest)
        }
        #expect(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    @Test("Canonically equivalent texts are different units")
    func canonicallyEquivalentUnitsAreTwoUnits() throws {
        let hash = SaltedHash(try #require(Salt("s")))
        #expect(hash.buckets(of: "\u{e9}") != hash.buckets(of: "e\u{301}"))
    }

    /// Shares of second buckets and of first ones, by normal approximation with z = 3.29 on fixed inputs.
    @Test("First and second buckets are uniform and independent")
    func bucketsAreUniformAndIndependent() throws {
        let hash = SaltedHash(try #require(Salt("uniform")))
        let count = 20_000
        var (low, lowSecond, both) = (0, 0, 0)
        for unit in 0..<count {
            let buckets = hash.buckets(of: "user-\(unit)")
            let (first, second) = (buckets.first < 300_000, buckets.second < 500_000)
            low += first ? 1 : 0
            lowSecond += second ? 1 : 0
            both += first && second ? 1 : 0
        }
        func isNear(_ seen: Int, _ share: Double) -> Bool {
            let expected = Double(count) * share
            return abs(Double(seen) - expected) < 3.29 * (expected * (1 - share)).squareRoot()
        }
        #expect(isNear(low, 0.3))
        #expect(isNear(lowSecond, 0.5))
        #expect(isNear(both, 0.15))
    }

    @Test(
        "Text that matches the pattern is a salt", arguments: ["a", "A9._-z", String(repeating: "x", count: 64), "007"])
    func salts(text: String) { #expect(Salt(text)?.text == text) }

    @Test(
        "Text that does not match the pattern is not a salt",
        arguments: ["", ".a", "-a", "_a", "a:b", "a b", "ä", "a\n", String(repeating: "x", count: 65)])
    func textThatIsNotASalt(text: String) { #expect(Salt(text) == nil) }
}
