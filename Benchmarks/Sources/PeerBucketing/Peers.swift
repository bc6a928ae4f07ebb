/// The systems that are compared with Allot.
public enum Peers {
    /// In the order of reports: by hash, weak ones first.
    public static let all: [any PeerSystem] = [
        GrowthBook(.v1), GrowthBook(.v2), CRC32Prefix(), Flipper(), RolloutGem(), Optimizely(), Unleash(.rollout),
        Unleash(.variants), Flagd(), Eppo(), PlanOut(), LaunchDarkly(), Statsig(.passPercentage),
        Statsig(.userBucket),
    ]

    /// The system of a name as reports write it; `nil` if there is none.
    public static func named(_ name: String) -> (any PeerSystem)? {
        all.first { $0.name == name }
    }
}
