/// What a bearer of a token may do.
public enum AccessScope: String, Sendable, CaseIterable {
    /// Read configurations and flags, and listen for changes.
    case configuration
    /// Store exposures.
    case exposures
    /// See why: explanations, which show definitions and forced units, and stored exposures.
    case explain
    /// Read metrics.
    case metrics
}
