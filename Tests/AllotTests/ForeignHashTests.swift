import AllotConfiguration
import Testing

@testable import AllotCore

struct ForeignHashTests {
    @Test("Salts and unit IDs have the numbers of the golden vectors")
    func goldenVectors() throws {
        var schemes: Set<HashScheme> = []
        for entry in try Vectors.load("schemes", list: "schemes") {
            let scheme = try #require(entry.text("scheme").flatMap(HashScheme.init))
            schemes.insert(scheme)
            let cases = entry.array("cases")
            #expect(cases.count >= 90)
            for case .array(let fields) in cases {
                guard case .string(let salt) = fields[0], case .string(let unit) = fields[1],
                    case .number(let number) = fields[2]
                else {
                    Issue.record("\(fields)")
                    continue
                }
                let hash = try #require(ForeignHash(scheme, salt: salt, resolution: entry.integer("resolution")))
                #expect(hash.number(of: unit) == Int(number.text), "\(scheme.rawValue), \(salt), \(unit)")
            }
        }
        #expect(schemes == Set(HashScheme.allCases).subtracting([.sha256]))
    }

    @Test("Messages of every length around a block have the digests that their schemes' vectors do not reach")
    func lengths() throws {
        // FIPS 180-4's and RFC 1321's padding has its borders at 55, 56, 63 and 64 bytes.
        for length in 0...130 {
            let message = [UInt8](repeating: 0x61, count: length)
            for split in [0, 1, length / 2, length].filter({ $0 <= length }) {
                var (whole, parts) = (BlockHash<SHA256State>(), BlockHash<SHA256State>())
                whole.add(message.span)
                parts.add(message.span.extracting(first: split))
                parts.add(message.span.extracting(droppingFirst: split))
                #expect(whole.finish().digest == parts.finish().digest)
            }
        }
        #expect(Self.md5("") == [0xD41D_8CD9, 0x8F00_B204, 0xE980_0998, 0xECF8_427E])
        #expect(Self.md5("abc") == [0x9001_5098, 0x3CD2_4FB0, 0xD696_3F7D, 0x28E1_7F72])
        #expect(Self.sha1("abc") == [0xA999_3E36, 0x4706_816A, 0xBA3E_2571, 0x7850_C26C, 0x9CD0_D89D])
    }

    private static func md5(_ text: String) -> [UInt32] {
        var hash = BlockHash<MD5State>()
        hash.add(Array(text.utf8).span)
        let words = hash.finish().words
        return words.indices.map { words[$0].byteSwapped }
    }

    private static func sha1(_ text: String) -> [UInt32] {
        var hash = BlockHash<SHA1State>()
        hash.add(Array(text.utf8).span)
        let words = hash.finish().words
        return words.indices.map { words[$0] }
    }

    @Test("Salts of 1 to 1,024 bytes and resolutions that a scheme takes make a hash", arguments: HashScheme.allCases)
    func whatAHashTakes(scheme: HashScheme) {
        let isOther = scheme != .sha256
        #expect((ForeignHash(scheme, salt: "any: salt, é") != nil) == isOther)
        let takesEmpty: Set<HashScheme> = [.unleash1, .unleashVariants1, .flagd0, .flagdText1]
        #expect((ForeignHash(scheme, salt: "") != nil) == takesEmpty.contains(scheme))
        #expect(ForeignHash(scheme, salt: "a\u{0}") == nil)
        #expect((ForeignHash(scheme, salt: String(repeating: "é", count: 512)) != nil) == isOther)
        #expect(ForeignHash(scheme, salt: String(repeating: "é", count: 513)) == nil)
        #expect((ForeignHash(scheme, salt: "s", resolution: scheme.defaultResolution) != nil) == isOther)
        for resolution in [1, 7, 2_147_483_647] {
            let hash = ForeignHash(scheme, salt: "s", resolution: resolution)
            #expect((hash != nil) == scheme.takesResolution)
            if let hash { #expect((0..<resolution).contains(hash.number(of: "u"))) }
        }
        for resolution in [-1, 0, 2_147_483_648] {
            #expect(ForeignHash(scheme, salt: "s", resolution: resolution) == nil)
        }
    }

    @Test(
        "An empty salt hashes the unit ID alone, wherever a text is divided",
        arguments: [HashScheme.flagd0, .flagdText1])
    func emptySalt(scheme: HashScheme) {
        let whole = ForeignHash(scheme, salt: "", resolution: 1_000_000)?.number(of: "color-user-1")
        #expect(whole != nil)
        #expect(ForeignHash(scheme, salt: "color-", resolution: 1_000_000)?.number(of: "user-1") == whole)
    }

    @Test(
        "An empty group of Unleash leaves the colon before the unit ID",
        arguments: [
            (HashScheme.unleash1, [81, 76, 92, 96, 70, 29, 26, 49]),
            (.unleashVariants1, [460, 516, 249, 508, 368, 319, 737, 96]),
        ])
    func emptyGroup(scheme: HashScheme, expected: [Int]) {
        let hash = ForeignHash(scheme, salt: "")
        #expect((0..<8).map { hash?.number(of: "u\($0)") } == expected)
    }

    @Test("Salts that are canonically equivalent and have other bytes are other hashes")
    func saltsByBytes() {
        let hashes = ["\u{e9}", "e\u{301}"].map { UnitHash(.eppo1, salt: $0) }
        #expect(hashes[0] != hashes[1])
        #expect(hashes[0] == UnitHash(.eppo1, salt: "\u{e9}", resolution: 10_000))
        #expect(hashes[0] != UnitHash(.eppo1, salt: "\u{e9}", resolution: 1000))
        #expect(UnitHash(.sha256, salt: "a") == Salt("a").map(UnitHash.sha256))
        #expect(UnitHash(.sha256, salt: "a", resolution: 10) == nil)
    }

    @Test("A border is where the other system's comparison of fractions changes", arguments: HashScheme.allCases)
    func borders(scheme: HashScheme) {
        for fraction in [-1, 0, 1e-9, 0.001, 0.1, 0.3, 1.0 / 3, 0.5, 0.57, 0.999, 0.9999999999999999, 1, 2] {
            let (below, atMost) = (scheme.border(below: fraction), scheme.border(atMost: fraction))
            for bucket in [below - 1, below].filter({ (0..<scheme.defaultResolution).contains($0) }) {
                #expect((scheme.fraction(ofBucket: bucket) < fraction) == (bucket < below), "\(fraction)")
            }
            for bucket in [atMost - 1, atMost].filter({ (0..<scheme.defaultResolution).contains($0) }) {
                #expect((scheme.fraction(ofBucket: bucket) <= fraction) == (bucket < atMost), "\(fraction)")
            }
            #expect(below <= atMost)
        }
    }

    @Test("A percentage is the border of a bucket, or it is refused")
    func percentages() {
        #expect(BucketRange.parse("0%..<50%", of: BucketScale(.growthbook1, count: 1000)) == 0..<500)
        #expect(BucketRange.parse("0%..<0.05%", of: BucketScale(.growthbook1, count: 1000)) == nil)
        #expect(BucketRange.parse("0..<1001", of: BucketScale(.growthbook1, count: 1000)) == nil)
        #expect(BucketRange.parse("1%..<100%", of: BucketScale(.eppo1, count: 700)) == 7..<700)
        let fine = BucketScale(.launchdarkly1, count: 1 << 60)
        // The doubles nearest to numbers just below 2^59 are 2^59.
        #expect(BucketRange.parse("0%..<50%", of: fine) == 0..<(1 << 59) - 32)
        // The fraction of the last numbers is 1; the whole has them all the same.
        #expect(BucketRange.parse("99.9999%..<100%", of: fine)?.upperBound == 1 << 60)
        #expect(BucketRange.parse("0..<1152921504606846977", of: fine) == nil)
        #expect(BucketRange.parse("0..<99999999999999999999", of: fine) == nil)
        #expect(fine.percentage(of: 1 << 59) == "50%")
        #expect(fine.percentage(of: 1 << 60) == "100%")
        #expect(BucketScale(.eppo1, count: 3).percentage(of: 1) == "about 33.3333%")
    }

    @Test("A decision keeps a number of 31 bits, and none of 60; fingerprints differ where the bucket does")
    func bucketsOfDecisions() throws {
        let large = try #require(ForeignHash(.eppo1, salt: "s", resolution: 2_147_483_647))
        let plan = Self.plan(.other(large))
        for unit in ["u1", "u2", "u3"] {
            let subject = Subject(id: unit)
            let bucket = plan.assignments(for: subject, at: Self.instant)[0].bucket
            #expect(bucket == large.number(of: unit))
            let bytes = plan.configurationBytes(for: subject, at: Self.instant)
            #expect(bytes == plan.configuration(for: subject, at: Self.instant).canonicalBytes)
            #expect(String(decoding: bytes, as: UTF8.self).contains("\"bucket\":\(large.number(of: unit)),"))
        }
        let prints = Set((0..<50).map { plan.decide(Subject(id: "u\($0)"), at: Self.instant).fingerprint })
        #expect(prints.count == 50)
        let fine = Self.plan(try #require(UnitHash(.planout1, salt: "s")))
        let subject = Subject(id: "u")
        #expect(fine.assignments(for: subject, at: Self.instant)[0].reason == .split)
        #expect(fine.assignments(for: subject, at: Self.instant)[0].bucket == nil)
        let bytes = fine.configurationBytes(for: subject, at: Self.instant)
        #expect(bytes == fine.configuration(for: subject, at: Self.instant).canonicalBytes)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("bucket"))
    }

    @Test(
        "Fingerprints differ where the variant does, with every hash",
        arguments: HashScheme.allCases.filter { $0 != .sha256 })
    func fingerprintsOfVariants(scheme: HashScheme) throws {
        let hash = try #require(UnitHash(scheme, salt: "s", resolution: scheme == .unleash1 ? 100 : nil))
        var experiment = ExperimentDefinition.sample("e")
        experiment.draw?.hash = hash
        experiment.variants = (0..<20).map { number in
            let share = hash.resolution / 20
            return VariantDefinition(
                key: "v\(number)", buckets: [number * share..<(number + 1) * share], overrides: [:])
        }
        let plan = Plan(Definitions(experiments: [experiment]))
        var variants: [String: Set<String>] = [:]
        for number in 0..<400 {
            let subject = Subject(id: "u\(number)")
            guard let variant = plan.assignments(for: subject, at: Self.instant)[0].variant else { continue }
            variants[plan.decide(subject, at: Self.instant).fingerprint, default: []].insert(variant)
        }
        #expect(variants.values.allSatisfy { $0.count == 1 })
        #expect(Set(variants.values.joined()).count == 20)
    }

    private static let instant = Instant(seconds: 0)

    private static func plan(_ hash: UnitHash) -> Plan {
        var experiment = ExperimentDefinition.sample("e")
        experiment.draw?.hash = hash
        experiment.variants = [VariantDefinition(key: "a", buckets: [0..<hash.resolution], overrides: [:])]
        return Plan(Definitions(experiments: [experiment]))
    }

    @Test("An explanation tells the other system's hash, number and range")
    func explanation() throws {
        let hash = try #require(ForeignHash(.eppo1, salt: "checkout-allocation-split"))
        let explained = Self.plan(.other(hash)).explanation(for: Subject(id: "user-42"), at: Self.instant).experiments[
            0]
        #expect(explained.sentence == "user-42 gets a in e, because its eppo/1 bucket belongs to a.")
        let line = "eppo/1 bucket 4010 of 10000 with salt checkout-allocation-split belongs to a"
        #expect(explained.text.contains("    split       \(line)\n                a 0..<10000 (100%)\n"))
    }

    @Test("A revision changes with the hash and its resolution, and Allot's own named changes nothing")
    func revisions() throws {
        let hashes = [
            UnitHash(.sha256, salt: "s"), UnitHash(.eppo1, salt: "s"), UnitHash(.eppo1, salt: "s", resolution: 20_000),
            UnitHash(.statsig1, salt: "s"), UnitHash(.statsig1, salt: "t"),
        ].compactMap(\.self)
        #expect(hashes.count == 5)
        let revisions = hashes.map { hash in
            var experiment = ExperimentDefinition.sample("e")
            experiment.draw?.hash = hash
            return Plan(Definitions(experiments: [experiment])).revision
        }
        #expect(Set(revisions).count == 5)
    }
}
