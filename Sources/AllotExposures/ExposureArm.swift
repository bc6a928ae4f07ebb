internal import AllotConfiguration

/// A variant of a randomisation. `Sendable`.
package struct ExposureArm: Sendable, Hashable {
    /// The experiment's key.
    package let experiment: String
    /// The salt of the randomisation.
    package let salt: String
    /// The variant's key.
    package let variant: String

    package init(experiment: String, salt: String, variant: String) {
        self.experiment = experiment
        self.salt = salt
        self.variant = variant
    }

    private var keys: [UTF8Key] { [experiment, salt, variant].map { UTF8Key($0) } }

    package static func == (left: Self, right: Self) -> Bool {
        left.keys == right.keys
    }

    package func hash(into hasher: inout Hasher) {
        keys.hash(into: &hasher)
    }
}
