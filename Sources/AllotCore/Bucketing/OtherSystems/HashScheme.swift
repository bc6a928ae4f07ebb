import AllotConfiguration

/// The names of the hashes that assign units to variants: Allot's own, and those of other systems, so that an
/// experiment that runs there can continue here and every unit keeps its variant.
///
/// A scheme of another system gives one number, below its own resolution, and is never rescaled to another one. New
/// experiments have no reason to use any but ``sha256``.
///
/// ```swift
/// let scheme = HashScheme(rawValue: "eppo/1")
/// let buckets = scheme?.defaultResolution  // 10000
/// ```
public enum HashScheme: String, Sendable, CaseIterable {
    /// Allot's own, with two independent numbers below 1,000,000: ``Bucketing``.
    case sha256 = "sha256/1"
    /// GrowthBook's hash version 1: FNV-1a in 32 bits of the unit ID, then the seed, modulo 1,000. Also its namespaces.
    case growthbook1 = "growthbook/1"
    /// GrowthBook's hash version 2: FNV-1a of the decimal digits of the FNV-1a of the seed, then the unit ID, modulo
    /// 10,000.
    case growthbook2 = "growthbook/2"
    /// Optimizely: MurmurHash3 with seed 1 of the unit ID, then the experiment's ID, scaled to 10,000.
    case optimizely1 = "optimizely/1"
    /// Eppo: the first 4 bytes of the MD5 of salt, "-" and unit ID, modulo the number of shards.
    case eppo1 = "eppo/1"
    /// Unleash's gradual rollout: MurmurHash3 with seed 0 of group ID, ":" and unit ID, modulo 100. Unleash counts from
    /// 1, here numbers begin at 0.
    case unleash1 = "unleash/1"
    /// Unleash's variants: as a rollout, with seed 86028157 and modulo the sum of the weights.
    case unleashVariants1 = "unleash-variants/1"
    /// LaunchDarkly: the first 15 hexadecimal digits of the SHA-1 of salt, "." and unit ID, of 2^60. The salt is the
    /// flag's key, "." and its salt, or an experiment's seed.
    case launchdarkly1 = "launchdarkly/1"
    /// Statsig: the first 8 bytes of the SHA-256 of salt, "." and unit ID, modulo 10,000, or 1,000 for the groups of an
    /// experiment.
    case statsig1 = "statsig/1"
    /// flagd's `fractional` in its daemon and in most SDKs: MurmurHash3 with seed 0 of salt and unit ID together,
    /// scaled to the sum of the weights.
    case flagd0 = "flagd/0"
    /// flagd's `fractional` in Python since openfeature-flagd-core 2.0.0: MurmurHash3 with seed 0 of the CBOR array
    /// of salt and unit ID, scaled to the sum of the weights.
    case flagd1 = "flagd/1"
    /// flagd's `fractional` in Python with a text of its own that ends with the unit ID: MurmurHash3 with seed 0 of the
    /// CBOR text of salt and unit ID together, scaled to the sum of the weights.
    case flagdText1 = "flagd-text/1"
    /// PlanOut's random operators: the first 15 hexadecimal digits of the SHA-1 of salt, "." and unit ID, of 2^60. The
    /// salt is the experiment's, "." and the parameter's.
    case planout1 = "planout/1"
    /// Firebase Remote Config's percent conditions in server templates: the SHA-256 of seed, "." and unit ID as a
    /// number of 256 bits, modulo 10^8.
    case firebase1 = "firebase/1"

    /// The number of buckets where a definition does not name another.
    public var defaultResolution: Int {
        switch self {
        case .sha256: Bucketing.bucketCount
        case .growthbook1, .unleashVariants1: 1000
        case .growthbook2, .optimizely1, .eppo1, .statsig1: 10_000
        case .unleash1, .flagd0, .flagd1, .flagdText1: 100
        case .launchdarkly1, .planout1: 1 << 60
        case .firebase1: 100_000_000
        }
    }

    /// Whether the other system's payload says how many buckets there are, so that a definition may too.
    public var takesResolution: Bool {
        [.eppo1, .unleashVariants1, .statsig1, .flagd0, .flagd1, .flagdText1].contains(self)
    }

    /// Whether its salt may be empty, because the other system can hash the unit ID without one.
    package var takesEmptySalt: Bool { [.unleash1, .unleashVariants1, .flagd0, .flagdText1].contains(self) }

    package var saltForm: String {
        self == .sha256 ? "a salt has \(Salt.form)" : "a salt of \(rawValue) has \(ForeignHash.saltForm(of: self))"
    }

    package var resolutionForm: String {
        takesResolution
            ? "a resolution is the number of buckets, 1 to \(Self.maximumResolution)"
            : "\(rawValue) always has \(defaultResolution) buckets"
    }

    /// The name of the message that is hashed, and of the hash: where it is the same under one salt, numbers depend on
    /// each other, whatever the resolution.
    package var message: String { self == .planout1 ? Self.launchdarkly1.rawValue : rawValue }

    /// The known defect of the hash, for new experiments; `nil` for most.
    package var defect: String? {
        guard self == .growthbook1 else { return nil }
        return "FNV-1a mixes the end of a text badly, so that experiments with similar salts give one unit similar "
            + "variants"
    }

    /// The largest resolution that a definition may name.
    package static let maximumResolution = 2_147_483_647
    /// The longest salt of another system's hash, in bytes of UTF-8.
    package static let maximumSaltLength = 1024

    // MARK: Shares that the other system compares as floating-point numbers

    /// The number that the other system compares with its weights: the bucket as a fraction of the resolution, as a
    /// double.
    ///
    /// LaunchDarkly and PlanOut divide by 0xFFFFFFFFFFFFFFF, which as a double is 2^60.
    public func fraction(ofBucket bucket: Int, resolution: Int? = nil) -> Double {
        Double(bucket) / Double(resolution ?? defaultResolution)
    }

    /// The number of buckets whose fraction is below `fraction`: the end of a range that the other system ends with
    /// "less than".
    package func border(below fraction: Double) -> Int {
        (0..<defaultResolution).partitionPoint { self.fraction(ofBucket: $0) < fraction }
    }

    /// The number of buckets whose fraction is at most `fraction`: the end of a range that the other system ends with
    /// "less than or equal".
    package func border(atMost fraction: Double) -> Int {
        (0..<defaultResolution).partitionPoint { self.fraction(ofBucket: $0) <= fraction }
    }
}
