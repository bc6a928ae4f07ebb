import AllotConfiguration

/// The hash of another system with its salt, which gives each unit ID the number that it has there.
///
/// ```swift
/// if let hash = ForeignHash(.eppo1, salt: "checkout-allocation-split") {
///     let shard = hash.number(of: "user-42")  // below 10000
/// }
/// ```
///
/// Golden values are in `Experiments/vectors/schemes.json`.
public struct ForeignHash: Sendable {
    /// The other system's way to hash.
    public let scheme: HashScheme
    /// The salt, which makes its randomisation independent of others, as the other system has it: 1 to 1,024 bytes of
    /// UTF-8, or none where the other system can hash the unit ID without one.
    public let salt: String
    /// The number of buckets: numbers are `0 ..< resolution`.
    public let resolution: Int
    private let start: Start
    /// The bytes before the unit ID, where they cannot be in ``start`` because the ID's length comes first.
    private let prefix: [UInt8]
    /// The bytes after the unit ID.
    private let suffix: [UInt8]

    /// A hash after what comes before the unit ID.
    private enum Start: Sendable {
        case fnv(FNV1a, isTwice: Bool)
        case murmur(MurmurHash3, isScaled: Bool)
        case md5(BlockHash<MD5State>)
        case sha1(BlockHash<SHA1State>)
        case sha256(BlockHash<SHA256State>, wordCount: Int)
    }

    /// The form of another system's salt in words, for messages. Stores of exposures do not take U+0000, and most
    /// schemes no empty salt.
    package static func saltForm(of scheme: HashScheme? = nil) -> String {
        "\(minimumLength(of: scheme)) to \(HashScheme.maximumSaltLength) bytes without U+0000"
    }

    /// Whether a text can be another system's salt: in UTF-8 it has ``saltForm(of:)``.
    package static func isSalt(_ text: String, of scheme: HashScheme? = nil) -> Bool {
        (minimumLength(of: scheme)...HashScheme.maximumSaltLength).contains(text.utf8.count) && !text.utf8.contains(0)
    }

    private static func minimumLength(of scheme: HashScheme?) -> Int { scheme?.takesEmptySalt ?? false ? 0 : 1 }

    /// Prepares a salt of another system.
    ///
    /// Returns `nil` for ``HashScheme/sha256``, which is not another system's; for a salt that is longer than 1,024
    /// bytes or has a U+0000, or that is empty where the scheme takes none such; and for a resolution that the scheme
    /// does not take, or that is not 1 to 2,147,483,647.
    ///
    /// - Parameters:
    ///   - scheme: which hash it is.
    ///   - salt: what is hashed with the unit ID.
    ///   - resolution: the number of buckets; `nil` for the scheme's own.
    public init?(_ scheme: HashScheme, salt: String, resolution: Int? = nil) {
        let text = Array(salt.utf8)
        guard Self.isSalt(salt, of: scheme) else { return nil }
        if let resolution, resolution != scheme.defaultResolution {
            guard scheme.takesResolution, (1...HashScheme.maximumResolution).contains(resolution) else { return nil }
        }
        (self.scheme, self.salt) = (scheme, salt)
        self.resolution = resolution ?? scheme.defaultResolution
        prefix = scheme == .flagdText1 ? text : []
        switch scheme {
        case .sha256: return nil
        case .flagdText1: (start, suffix) = (.murmur(MurmurHash3(seed: 0), isScaled: true), [])
        case .growthbook1: (start, suffix) = (.fnv(FNV1a(), isTwice: false), text)
        case .growthbook2: (start, suffix) = (.fnv(Self.fnv(text), isTwice: true), [])
        case .optimizely1: (start, suffix) = (.murmur(MurmurHash3(seed: 1), isScaled: true), text)
        case .unleash1: (start, suffix) = (.murmur(Self.murmur(text + ":".utf8, seed: 0), isScaled: false), [])
        case .unleashVariants1:
            (start, suffix) = (.murmur(Self.murmur(text + ":".utf8, seed: 86_028_157), isScaled: false), [])
        case .flagd0: (start, suffix) = (.murmur(Self.murmur(text, seed: 0), isScaled: true), [])
        case .flagd1: (start, suffix) = (.murmur(Self.pair(text), isScaled: true), [])
        case .eppo1: (start, suffix) = (.md5(Self.block(text + "-".utf8)), [])
        case .launchdarkly1, .planout1: (start, suffix) = (.sha1(Self.block(text + ".".utf8)), [])
        case .statsig1: (start, suffix) = (.sha256(Self.block(text + ".".utf8), wordCount: 2), [])
        case .firebase1: (start, suffix) = (.sha256(Self.block(text + ".".utf8), wordCount: 8), [])
        }
    }

    /// The bucket of a unit ID, below ``resolution``: valid UTF-8, used exactly as it is.
    ///
    /// Complexity: O(*n*), without allocation.
    public func number(of unitID: Span<UInt8>) -> Int {
        switch start {
        case .fnv(var hash, let isTwice):
            hash.add(unitID)
            hash.add(suffix.span)
            guard isTwice else { return Int(hash.value) % resolution }
            var second = FNV1a()
            second.add(digitsOf: hash.value)
            return Int(second.value) % resolution
        case .murmur(var hash, let isScaled):
            if scheme == .flagd1 || scheme == .flagdText1 { hash.add(cborHeadOfText: prefix.count + unitID.count) }
            hash.add(prefix.span)
            hash.add(unitID)
            hash.add(suffix.span)
            return isScaled ? (Int(hash.value) &* resolution) &>> 32 : Int(hash.value) % resolution
        case .md5(var hash):
            hash.add(unitID)
            return Int(hash.finish().words[0].byteSwapped) % resolution
        case .sha1(var hash):
            hash.add(unitID)
            let words = hash.finish().words
            return Int(UInt64(words[0]) << 28 | UInt64(words[1]) >> 4)
        case .sha256(var hash, let wordCount):
            hash.add(unitID)
            let words = hash.finish().words
            if wordCount == 2 { return Int((UInt64(words[0]) << 32 | UInt64(words[1])) % UInt64(resolution)) }
            return (0..<wordCount).reduce(0) { ($0 << 32 | Int(words[$1])) % resolution }
        }
    }

    /// The bucket of a unit ID given as text.
    public func number(of unitID: String) -> Int { number(of: Array(unitID.utf8).span) }
}

// MARK: What comes before the unit ID

extension ForeignHash {
    private static func fnv(_ prefix: [UInt8]) -> FNV1a {
        var hash = FNV1a()
        hash.add(prefix.span)
        return hash
    }

    private static func murmur(_ prefix: [UInt8], seed: UInt32) -> MurmurHash3 {
        var hash = MurmurHash3(seed: seed)
        hash.add(prefix.span)
        return hash
    }

    /// A CBOR array (RFC 8949) of two texts, up to the second one.
    private static func pair(_ text: [UInt8]) -> MurmurHash3 {
        var hash = murmur([0x82], seed: 0)
        hash.add(cborHeadOfText: text.count)
        hash.add(text.span)
        return hash
    }

    private static func block<State: BlockState>(_ prefix: [UInt8]) -> BlockHash<State> {
        var hash = BlockHash<State>()
        hash.add(prefix.span)
        return hash
    }
}

extension MurmurHash3 {
    /// Adds what CBOR writes before a text of fewer than 65,536 bytes.
    fileprivate mutating func add(cborHeadOfText length: Int) {
        var head: InlineArray<3, UInt8> = [0x60 | UInt8(truncatingIfNeeded: length), 0, 0]
        var count = 1
        if length >= 256 {
            head = [0x79, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
            count = 3
        } else if length >= 24 {
            head = [0x78, UInt8(truncatingIfNeeded: length), 0]
            count = 2
        }
        add(head.span.extracting(first: count))
    }
}

extension ForeignHash: Hashable {
    /// Whether both give every unit ID the same number for the same reason: salts are compared by their bytes.
    public static func == (left: ForeignHash, right: ForeignHash) -> Bool {
        left.scheme == right.scheme && left.resolution == right.resolution && UTF8Order.areEqual(left.salt, right.salt)
    }

    /// Adds scheme, salt and resolution.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(resolution)
        hasher.combine(UTF8Key(salt))
    }
}
