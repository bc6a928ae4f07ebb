/// A system from which running experiments can be imported. `Sendable`.
public enum ImportSystem: String, Sendable, CaseIterable {
    /// GrowthBook: the features of an SDK connection.
    case growthbook
    /// Optimizely: the datafile.
    case optimizely
    /// Eppo: the universal flag configuration.
    case eppo
    /// Unleash: the client features.
    case unleash
    /// LaunchDarkly: what server-side SDKs receive.
    case launchdarkly
    /// Statsig: the config specs.
    case statsig
    /// flagd: flag definitions.
    case flagd
    /// Firebase Remote Config: the template.
    case firebase
    /// Parse Server: the answer of `/config`.
    case parse

    var importer: any PayloadImporter.Type {
        switch self {
        case .growthbook: GrowthBookImporter.self
        case .optimizely: OptimizelyImporter.self
        case .eppo: EppoImporter.self
        case .unleash: UnleashImporter.self
        case .launchdarkly: LaunchDarklyImporter.self
        case .statsig: StatsigImporter.self
        case .flagd: FlagdImporter.self
        case .firebase: FirebaseImporter.self
        case .parse: ParseImporter.self
        }
    }

    package var title: String { importer.title }

    /// Where its payload comes from: what its own SDKs download.
    package var source: String {
        switch self {
        case .growthbook: "GET /api/features/CLIENT_KEY"
        case .optimizely: "the datafile, https://cdn.optimizely.com/datafiles/SDK_KEY.json"
        case .eppo: "GET /flag-config/v1/config of a server SDK key"
        case .unleash: "GET /api/client/features"
        case .launchdarkly: "GET /sdk/latest-all"
        case .statsig: "GET /v2/download_config_specs/SECRET_KEY.json, or /v1/"
        case .flagd: "the flag definitions: JSON, YAML, a Kubernetes FeatureFlag"
        case .firebase: "the template of Remote Config"
        case .parse: "GET /config"
        }
    }
}

protocol PayloadImporter {
    static var title: String { get }
    /// Members that are known in any object, because they change no decision or are read in some objects only.
    static var otherMembers: Set<String> { get }

    /// Reads a payload, a flag within ``ImportedProject/addFlag(_:at:_:)``, so that inexact ones leave others alone.
    static func project(_ payload: PayloadNode, _ options: PayloadImport) throws(ImportProblem) -> ImportedProject
}

extension PayloadImporter {
    static var otherMembers: Set<String> { [] }
}
