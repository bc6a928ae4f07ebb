/// Which exposures are read. `Sendable`.
public struct ExposureSelection: Sendable, Hashable {
    /// Only those of an experiment; `nil` for all.
    public var experiment: String?
    /// Only those of one randomisation of the experiment; `nil` for all.
    public var salt: String?
    /// Whether those that are counted are read, or those that are not.
    public var isCounted = true

    /// Selects exposures.
    public init(experiment: String? = nil, salt: String? = nil, isCounted: Bool = true) {
        self.experiment = experiment
        self.salt = salt
        self.isCounted = isCounted
    }
}

/// A randomisation of which exposures are stored. `Sendable`.
public struct StoredRandomisation: Sendable, Hashable {
    /// The experiment's key.
    public let experiment: String
    /// The salt.
    public let salt: String
    /// The variants of which exposures are stored, in the order of their bytes.
    public let variants: [String]
    /// When the last exposure was received, in milliseconds since 1970, UTC. It may be one that was deleted since, or
    /// that another replaced.
    public let lastReceivedAt: Int64

    package init(experiment: String, salt: String, variants: [String], lastReceivedAt: Int64) {
        self.experiment = experiment
        self.salt = salt
        self.variants = variants
        self.lastReceivedAt = lastReceivedAt
    }
}
