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
    /// Firebase Remote Config: the server template.
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

    /// The system's name as its vendor writes it.
    package var title: String {
        importer.title
    }
}

/// Translates the payloads of one system.
protocol PayloadImporter {
    /// The system's name as its vendor writes it.
    static var title: String { get }

    /// What a payload says.
    ///
    /// Each flag is translated within ``ImportedProject/addFlag(_:at:_:)``, so that one that cannot be exact leaves
    /// the others alone.
    ///
    /// - Throws: A problem of the payload as a whole, such as an unknown version of its format.
    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject
}
