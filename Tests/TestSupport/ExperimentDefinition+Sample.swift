import AllotCore

extension ExperimentDefinition {
    /// A running experiment that gives everyone one variant and overrides nothing.
    package static func sample(_ key: String) -> ExperimentDefinition {
        guard let salt = Salt(key) else { preconditionFailure("\(key) is not a salt") }
        let variant = VariantDefinition(key: "only", buckets: [0..<Bucketing.bucketCount], overrides: [:])
        return ExperimentDefinition(key: key, status: .running, salt: salt, variants: [variant])
    }
}
