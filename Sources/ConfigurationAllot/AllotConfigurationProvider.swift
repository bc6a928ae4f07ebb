public import AllotClient
public import Configuration

/// The configuration of a client's user as a provider of swift-configuration: one reader over it, the environment, files and
/// whatever else an app is configured by.
///
///     let provider = AllotConfigurationProvider(client: client) { section, _ in section == "Keys" }
///     let config = ConfigReader(providers: [EnvironmentVariablesProvider(), provider])
///     let checkout = config.scoped(to: "Checkout")
///     let color = checkout.string(forKey: "ButtonColor", default: "#0000ff")
///     let retries = try await checkout.fetchRequiredInt(forKey: "Retries")
///     try await checkout.watchString(forKey: "ButtonColor", default: "#0000ff") { colors in
///         for await color in colors { show(color) }
///     }
///
/// **Keys.** The first component names the section, the second the setting, further ones members of an object that the
/// setting holds. A text key is split at its dots; a name with a dot is written in an array: `["Checkout", "Button.Color"]`.
/// Names are compared by their bytes. A setting or member that is not there, and JSON's null, are no value: the reader's
/// next provider is asked.
///
/// **Types.** A value of another type than the one asked for is an ``AllotProviderError``; it ends the reader's search, and
/// its `get` methods return `nil` or the default. A whole number is an int and a double however it is written; bytes are
/// base 64; Parse's `Bytes` are bytes, and its `Date` is a string, which the reader makes a `Foundation.Date`.
///
/// **Users.** Values are those of the client's user in force. A key whose context names a user, as `["userID": "user-42"]`,
/// is answered for no other: while another is in force it is an error, and never another user's value.
///
/// **Exposures.** Reading through a provider is reading: `get` and `fetch` methods, and each element of a watched value
/// report exposures as `AllotClient/Configuration/value(_:_:)` does, also where a variant's value has another type or is
/// missing, so that all variants of an experiment are counted alike. Taking or watching snapshots reports none until a value
/// is read. No `AccessReporter` is needed for that, and none should report exposures besides. A reader that *watches* a value
/// asks all its providers at once, also those behind the one that answers: read values that experiments set from this
/// provider in the first place, or by `get`.
///
/// Fetching is the client's: nothing is fetched but by the `fetch` methods and by whoever calls
/// `AllotClient/ConfigurationClient/refresh()`. `Sendable`.
public struct AllotConfigurationProvider: ConfigProvider {
    let client: ConfigurationClient
    let name: String?
    let secretKeys: @Sendable (_ section: String, _ setting: String) -> Bool

    /// Provides the values of a client.
    ///
    /// - Parameters:
    ///   - client: fetches and keeps the configuration.
    ///   - name: tells this provider from others in access reports.
    ///   - secretKeys: whether the value of a setting, and all in it, is marked as secret, so that access reports do not
    ///     show it; none is, unless said.
    public init(
        client: ConfigurationClient, name: String? = nil,
        secretKeys: @escaping @Sendable (_ section: String, _ setting: String) -> Bool = { _, _ in false }
    ) {
        self.client = client
        self.name = name
        self.secretKeys = secretKeys
    }

    /// The type's name, with the provider's own in brackets.
    public var providerName: String {
        "AllotConfigurationProvider\(name.map { "[\($0)]" } ?? "")"
    }

    /// The value that is in force; reports the exposure. Complexity: O(1) in the number of settings.
    ///
    /// - Throws: ``AllotProviderError`` for a value of another type, and for a key of another user.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws(AllotProviderError) -> LookupResult {
        try current.value(forKey: key, type: type)
    }

    /// Asks the server, puts in force what it says, for the whole app and whatever `AllotClient/ClientOptions/activation`
    /// is, and returns the value; reports the exposure.
    ///
    /// The answer of a request that is already under way is awaited. A key of one component can name no setting: it is
    /// answered without asking the server.
    ///
    /// - Throws: `AllotClient/RefreshError` when the server has not answered: a value that may be stale is never returned.
    ///   ``AllotProviderError`` for a value of another type, for a key of another user, and when the user was changed
    ///   meanwhile.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        let former = current
        guard let path = SettingLocation(key) else { return try former.value(forKey: key, type: type) }
        try former.checkUser(of: key, path)
        try await client.refresh(ifOlderThan: .zero)
        client.activate()
        let fetched = current
        guard fetched.configuration.user == former.configuration.user else {
            throw AllotProviderError.userChanged(path)
        }
        return try fetched.value(forKey: key, type: type)
    }

    /// Watches a value: the one in force comes at once, then each that differs from the one before. Each reports the
    /// exposure when it is handed over; watching alone reports none. Cancelling the task ends it.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        let updates = LookupUpdates(configurations: updates, path: SettingLocation(key)) {
            [self] configuration throws(AllotProviderError) in
            try snapshot(of: configuration).value(forKey: key, type: type)
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
    }

    /// The configuration in force. Reading its values reports exposures, taking it does not. Complexity: O(1).
    public func snapshot() -> any ConfigSnapshot {
        current
    }

    /// Watches the whole configuration: the one in force comes at once, then each that an app can tell from the one before.
    /// Cancelling the task ends it.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        let updates = updates.map { [self] in snapshot(of: $0) as any ConfigSnapshot }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
    }

    private var current: AllotSnapshot {
        snapshot(of: client.current)
    }

    private var updates: ConfigurationUpdates<AllotClient.Configuration> {
        // Ends overrides whose time is over, as reading does, so that the first element is what reading returns.
        _ = client.current
        return client.updates()
    }

    private func snapshot(of configuration: AllotClient.Configuration) -> AllotSnapshot {
        AllotSnapshot(configuration: configuration, providerName: providerName, secretKeys: secretKeys)
    }
}

extension AllotConfigurationProvider: CustomStringConvertible {
    /// The name and the number of settings; no values.
    public var description: String { current.description }
}
