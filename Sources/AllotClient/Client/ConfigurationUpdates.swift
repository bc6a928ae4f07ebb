import AllotFiles

/// The current value of a part of the configuration, and then every change of it.
///
/// ```swift
/// func show(_ client: ConfigurationClient) async {
///     for await configuration in client.updates() {
///         print(configuration.text("Checkout", "ButtonColor") ?? "#0000ff")
///     }
/// }
/// ```
///
/// The first element is the current value and arrives at once. Elements are delivered on the actor that requests them.
/// A subscriber that is slower than the changes receives the newest. A change of user is always reported, even if the
/// values are the same. The sequence ends when its task is cancelled or the client is deallocated.
public struct ConfigurationUpdates<Element: Sendable>: AsyncSequence, Sendable {
    private let hub: ConfigurationHub
    private let element: @Sendable (Configuration) -> Element
    private let isSame: @Sendable (Configuration, Configuration) -> Bool

    init(
        _ hub: ConfigurationHub, element: @escaping @Sendable (Configuration) -> Element,
        isSame: @escaping @Sendable (Configuration, Configuration) -> Bool
    ) { (self.hub, self.element, self.isSame) = (hub, element, isSame) }

    init(_ hub: ConfigurationHub, element: @escaping @Sendable (Configuration) -> Element) where Element: Equatable {
        self.init(hub, element: element) { element($0) == element($1) }
    }

    /// Starts a subscription.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: self, changes: hub.changes) }

    /// A subscription.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let updates: ConfigurationUpdates
        let changes: AsyncStream<Void>
        var last: Configuration?

        /// The next element that differs from the last. Returns `nil` if the subscription has ended.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            guard last != nil else {
                guard !Task.isCancelled else { return nil }
                return take(updates.hub.current)
            }
            while await changes.waitForElement(), let last {
                // Always the current one: a change that another has overtaken is not reported.
                let configuration = updates.hub.current
                guard last.user.hasID(of: configuration.user), updates.isSame(last, configuration) else {
                    return take(configuration)
                }
                // A subscriber to something that never changes must not keep the first configuration alive.
                self.last = configuration
            }
            return nil
        }

        #if canImport(Darwin)
            /// The next element, for loops on systems before iOS 18 and macOS 15.
            public mutating func next() async -> Element? { await next(isolation: nil) }
        #endif

        private mutating func take(_ configuration: Configuration) -> Element {
            last = configuration
            return updates.element(configuration)
        }
    }
}

extension AsyncStream<Void> {
    /// Waits for the next element and takes it. Returns `false` if the stream has ended. (Before iOS 18 and macOS 15,
    /// iterators of streams have no method that code on an actor may call.)
    fileprivate func waitForElement() async -> Bool {
        var iterator = makeAsyncIterator()
        return await iterator.next() != nil
    }
}

extension ConfigurationClient {
    /// The current configuration and its updates: an element for each change of a value, of an assignment, of another
    /// member of `meta`, or of the user.
    public func updates() -> ConfigurationUpdates<Configuration> { ConfigurationUpdates(hub) { $0 } }

    /// A section and its updates: an element for each change of a value in it, or of an assignment that sets one; `nil`
    /// while the section does not exist.
    public func updates(of section: String) -> ConfigurationUpdates<ConfigurationSection?> {
        ConfigurationUpdates(hub) { $0[section] }
    }

    /// A setting and its updates: an element for each change of its value, or of an assignment that sets it.
    public func updates(of section: String, _ setting: String) -> ConfigurationUpdates<ConfigurationSetting> {
        ConfigurationUpdates(hub) { ConfigurationSetting($0, section, setting) }
    }

    /// The typed settings of a section and their updates: an element for each change of a value in the section, or of
    /// an assignment that sets one.
    public func updates<Section: SettingsSection>(of type: Section.Type) -> ConfigurationUpdates<Section> {
        ConfigurationUpdates(hub) {
            $0.settings(type)
        } isSame: {
            $0[type.section] == $1[type.section]
        }
    }
}

/// Holds the current snapshot and the subscribers; all subscriptions end when the client is deallocated.
final class ConfigurationHub: Sendable {
    private let snapshot: Lock<Configuration>
    private let broadcast = Broadcast<Void>()

    init(_ configuration: Configuration) { snapshot = Lock(configuration) }
    var current: Configuration { snapshot.withLock { $0 } }

    func replace(_ configuration: Configuration) {
        // The former one is released outside the lock.
        _ = snapshot.withLock { snapshot in
            let former = snapshot
            snapshot = configuration
            return former
        }
        broadcast.send(())
    }

    /// An element after each replacement that follows; several replacements may share one.
    var changes: AsyncStream<Void> { broadcast.subscribe(buffering: .bufferingNewest(1)) }
    var subscriberCount: Int { broadcast.subscriberCount }
    func finish() { broadcast.finish() }
}
