internal import AllotConfiguration

/// A selection of exposures. `Sendable`.
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

extension ExposureStore {
    /// The message that the store has no exposure to what a selection names, which may be misspelt; `nil` if it has
    /// some, counted or not, or if the selection names nothing.
    package func absence(of selection: ExposureSelection) async throws -> String? {
        guard let experiment = selection.experiment else { return nil }
        let known = try await randomisations(of: experiment).map(\.salt)
        guard !known.isEmpty else {
            return "the store has no exposure to \(QuotedText(experiment)); check the experiment's key"
        }
        guard let salt = selection.salt, !known.contains(where: { UTF8Order.areEqual($0, salt) }) else { return nil }
        return "the store has no exposure to \(QuotedText(experiment)) with the salt \(QuotedText(salt)); it has "
            + known.prefix(12).map { QuotedText($0).description }.joined(separator: ", ")
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
    /// The instant at which the last exposure was received, in milliseconds since 1970, UTC; it may be one that was
    /// deleted since, or that another replaced.
    public let lastReceivedAt: Int64

    package init(experiment: String, salt: String, variants: [String], lastReceivedAt: Int64) {
        self.experiment = experiment
        self.salt = salt
        self.variants = variants
        self.lastReceivedAt = lastReceivedAt
    }
}
