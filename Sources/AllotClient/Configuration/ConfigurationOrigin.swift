/// Where a configuration comes from.
public enum ConfigurationOrigin: String, Sendable, Hashable {
    /// There is none: all values are the app's defaults.
    case none
    /// It was bundled with the app.
    case bootstrap
    /// It was fetched by an earlier run of the app, and kept.
    case stored
    /// It was fetched, or confirmed by the server, in this run of the app.
    case remote
}

/// Where a value comes from.
public enum ValueSource: String, Sendable, Hashable {
    /// The app's own default: the configuration has no such setting, or what it has was refused.
    case `default`
    /// The configuration that was bundled with the app.
    case bootstrap
    /// A configuration that an earlier run of the app fetched.
    case stored
    /// A configuration that this run of the app fetched.
    case remote
    /// A local override on this device.
    case override
}

extension ConfigurationOrigin {
    /// The source of the values that such a configuration holds.
    var source: ValueSource {
        switch self {
        case .none: .default
        case .bootstrap: .bootstrap
        case .stored: .stored
        case .remote: .remote
        }
    }
}
