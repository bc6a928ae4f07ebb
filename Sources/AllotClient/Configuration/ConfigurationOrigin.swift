/// The origin of a configuration.
public enum ConfigurationOrigin: String, Sendable, Hashable {
    /// No configuration is available: all values are the app's defaults.
    case none
    /// The configuration was bundled with the app.
    case bootstrap
    /// An earlier run of the app fetched and stored it.
    case stored
    /// The server sent or confirmed it in this run of the app.
    case remote
}

/// The source of a value.
public enum ValueSource: String, Sendable, Hashable {
    /// The app's own default: the configuration has no such setting, or its value was refused.
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
