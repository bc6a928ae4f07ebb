// Stands in for the type of the core until that is there.
package enum HashScheme: String, Sendable, CaseIterable {
    case sha256 = "sha256/1"
    case growthbook1 = "growthbook/1"
    case growthbook2 = "growthbook/2"
    case optimizely1 = "optimizely/1"
    case eppo1 = "eppo/1"
    case unleash1 = "unleash/1"
    case unleashVariants1 = "unleash-variants/1"
    case launchdarkly1 = "launchdarkly/1"
    case statsig1 = "statsig/1"
    case flagd1 = "flagd/1"
    case planout1 = "planout/1"
    case firebase1 = "firebase/1"

    package var defaultResolution: Int {
        switch self {
        case .sha256: 1_000_000
        case .growthbook1, .unleashVariants1: 1000
        case .growthbook2, .optimizely1, .eppo1, .statsig1: 10_000
        case .unleash1, .flagd1: 100
        case .firebase1: 100_000_000
        case .launchdarkly1, .planout1: 1 << 60
        }
    }
}
