/// The systems that are compared with Allot.
public enum Peers {
    /// In the order of reports: by hash, weak ones first.
    public static let all: [any PeerSystem] = [
        SchemeSystem(
            "GrowthBook v1", .growthbook1,
            source: "growthbook/growthbook packages/sdk-js/src/util.ts; growthbook 4.0.0 (PyPI) core.py"),
        SchemeSystem(
            "GrowthBook v2", .growthbook2,
            source: "growthbook/growthbook packages/sdk-js/src/util.ts; growthbook 4.0.0 (PyPI) core.py"),
        CRC32Prefix(), Flipper(), RolloutGem(),
        SchemeSystem("Optimizely", .optimizely1, source: "optimizely-sdk 5.7.0 (PyPI) optimizely/bucketer.py"),
        SchemeSystem(
            "Unleash rollout", .unleash1, source: "UnleashClient 6.9.1 (PyPI) utils.py; yggdrasil-engine 2.0.0 (PyPI)"),
        SchemeSystem(
            "Unleash variants", .unleashVariants1,
            source: "UnleashClient 6.9.1 (PyPI) utils.py; yggdrasil-engine 2.0.0 (PyPI)"),
        SchemeSystem(
            "flagd", .flagd1, bucketCount: Scaling.fineBucketCount,
            source: "openfeature-flagd-core 2.0.0 (PyPI) targeting/custom_ops.py"),
        SchemeSystem("Eppo", .eppo1, source: "eppo-server-sdk 4.4.1 (PyPI), eppo_core/src/sharder.rs"),
        SchemeSystem(
            "PlanOut", .planout1, bucketCount: Scaling.fineBucketCount, saltEnding: ".variant",
            source: "PlanOut 0.6.0 (PyPI) planout/ops/random.py"),
        SchemeSystem(
            "LaunchDarkly", .launchdarkly1, bucketCount: 100_000,
            source: "launchdarkly-server-sdk 9.18.2 (PyPI) ldclient/impl/evaluator_common.py"),
        SchemeSystem("Statsig pass percentage", .statsig1, source: "statsig 0.72.1 (PyPI) statsig/evaluator.py"),
        SchemeSystem(
            "Statsig user bucket", .statsig1, bucketCount: 1000, source: "statsig 0.72.1 (PyPI) statsig/evaluator.py"),
    ]

    /// The system of a name as reports write it; `nil` if there is none.
    public static func named(_ name: String) -> (any PeerSystem)? {
        all.first { $0.name == name }
    }
}
