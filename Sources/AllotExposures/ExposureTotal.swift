internal import AllotConfiguration

/// The units of one variant of a randomisation under one revision of the experiment, for one reason. `Sendable`.
public struct ExposureTotal: Sendable, Hashable {
    /// The experiment's key.
    public let experiment: String
    /// The salt of the randomisation.
    public let salt: String
    /// The variant's key.
    public let variant: String
    /// The revision; `nil` for exposures that name none.
    public let revision: String?
    /// The reason of the assignments.
    public let reason: String
    /// Whether the units are counted: those that the definition assigned by a draw or as the winner, neither forced nor
    /// overridden.
    public let isCounted: Bool
    /// The number of units, 1 or more.
    public let units: Int

    package init(
        experiment: String, salt: String, variant: String, revision: String?, reason: String, isCounted: Bool,
        units: Int
    ) {
        self.experiment = experiment
        self.salt = salt
        self.variant = variant
        self.revision = revision
        self.reason = reason
        self.isCounted = isCounted
        self.units = units
    }

    /// Adds up totals of the same variant, reason and revision, in the order of the bytes.
    static func sums(of totals: [ExposureTotal]) -> [ExposureTotal] {
        Dictionary(grouping: totals) { total in
            [
                total.experiment, total.salt, total.variant, total.reason, total.revision.map { "+" + $0 } ?? "",
                total.isCounted ? "0" : "1",
            ].map { UTF8Key($0) }
        }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        .map { _, group in
            ExposureTotal(
                experiment: group[0].experiment, salt: group[0].salt, variant: group[0].variant,
                revision: group[0].revision, reason: group[0].reason, isCounted: group[0].isCounted,
                units: group.reduce(0) { $0 + $1.units })
        }
    }
}
