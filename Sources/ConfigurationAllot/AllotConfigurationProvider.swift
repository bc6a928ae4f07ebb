public import AllotClient
public import Configuration

/// Makes the configuration of a client's user a provider of swift-configuration, which an app can read together with
/// its environment, files and other sources.
///
/// ```swift
/// import AllotClient
/// import Configuration
///
/// func read(_ client: ConfigurationClient, show: (String) -> Void) async throws {
///     let provider = AllotConfigurationProvider(client: client) { section, _ in section == "Keys" }
///     let config = ConfigReader(providers: [EnvironmentVariablesProvider(), provider])
///     let checkout = config.scoped(to: "Checkout")
///     let color = checkout.string(forKey: "ButtonColor", default: "#0000ff")
///     let retries = try await checkout.fetchRequiredInt(forKey: "Retries")
///     try await checkout.watchString(forKey: "ButtonColor", default: "#0000ff") { colors in
///         for await color in colors { show(color) }
///     }
/// }
/// ```
///
/// The article of the module says how it reads keys, types, users and exposures.
///
/// Only the `fetch` methods and calls of `AllotClient/ConfigurationClient/refresh()` send requests. `Sendable`. Needs
/// iOS 18, macOS 15, tvOS 18, watchOS 11 or visionOS 2, as swift-configuration does.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct AllotConfigurationProvider: ConfigProvider {
    let client: ConfigurationClient
    let name: String?
    let secretKeys: @Sendable (_ section: String, _ setting: String) -> Bool

    /// Provides the values of a client.
    ///
    /// - Parameters:
    ///   - name: distinguishes this provider from others in access reports.
    ///   - secretKeys: returns whether the value of a setting is marked as secret, so that access reports do not show
    ///     it; by default none is.
    public init(
        client: ConfigurationClient, name: String? = nil,
        secretKeys: @escaping @Sendable (_ section: String, _ setting: String) -> Bool = { _, _ in false }
    ) { (self.client, self.name, self.secretKeys) = (client, name, secretKeys) }

    /// The type's name, with the provider's own in brackets.
    public var providerName: String { "AllotConfigurationProvider\(name.map { "[\($0)]" } ?? "")" }

    /// The current value; reports the exposure. Complexity: O(1) in the number of settings.
    ///
    /// - Throws: ``AllotProviderError`` for a value of another type, and for a key of another user.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws(AllotProviderError) -> LookupResult {
        try current.value(forKey: key, type: type)
    }

    /// Asks the server, activates its response for the whole app, whatever `AllotClient/ClientOptions/activation` is,
    /// and returns the value; reports the exposure.
    ///
    /// Waits for a request that is already in flight, whose response the server may have decided before this call. A
    /// key with one component names no setting and sends no request.
    ///
    /// - Throws: `AllotClient/RefreshError` if the request fails; the current value is not returned instead.
    ///   ``AllotProviderError`` for a value of another type, for a key of another user, and if the user changed
    ///   meanwhile.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        let former = current
        guard let path = SettingLocation(key) else { return try former.value(forKey: key, type: type) }
        try former.checkUser(of: key, path)
        try await client.refresh(ifOlderThan: .zero)
        client.activate(for: former.configuration.user)
        let fetched = current
        guard fetched.configuration.user == former.configuration.user else {
            throw AllotProviderError.userChanged(path)
        }
        return try fetched.value(forKey: key, type: type)
    }

    /// Watches a value: the current one at once, then each that differs from its predecessor. Each reports the exposure
    /// when it is delivered; watching alone reports none. Cancelling the task ends it.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws ->
            Return
    ) async throws -> Return {
        let updates = LookupUpdates(configurations: updates, path: SettingLocation(key)) {
            [self] configuration throws(AllotProviderError) in
            try snapshot(of: configuration).value(forKey: key, type: type)
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
    }

    /// The current configuration. Reading its values reports exposures, taking it does not. Complexity: O(1).
    public func snapshot() -> any ConfigSnapshot { current }

    /// Watches the whole configuration: the current one at once, then each that differs from its predecessor.
    /// Cancelling the task ends it.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        let updates = updates.map { [self] in snapshot(of: $0) as any ConfigSnapshot }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
    }

    private var current: AllotSnapshot { snapshot(of: client.current) }

    private var updates: ConfigurationUpdates<AllotClient.Configuration> {
        // Removes expired overrides, as reading does, so that the first element is what reading returns.
        _ = client.current
        return client.updates()
    }

    private func snapshot(of configuration: AllotClient.Configuration) -> AllotSnapshot {
        AllotSnapshot(configuration: configuration, providerName: providerName, secretKeys: secretKeys)
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension AllotConfigurationProvider: CustomStringConvertible {
    /// The name and the number of settings; no values.
    public var description: String { current.description }
}
