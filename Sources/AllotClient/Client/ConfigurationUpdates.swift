import Synchronization

/// A part of the configuration in force, and each other one that takes its place.
///
/// The first element is the present one and comes at once. Elements come to the actor that asks for them. A listener that
/// is slower than the changes gets the newest. Another user makes an element, also with equal values. It ends with the task that listens, or with the client.
public struct ConfigurationUpdates<Element: Sendable>: AsyncSequence, Sendable {
    private let hub: ConfigurationHub
    private let element: @Sendable (Configuration) -> Element
    private let isSame: @Sendable (Configuration, Configuration) -> Bool

    /// - Parameter isSame: whether two configurations have the same element.
    init(
        _ hub: ConfigurationHub, element: @escaping @Sendable (Configuration) -> Element,
        isSame: @escaping @Sendable (Configuration, Configuration) -> Bool
    ) {
        self.hub = hub
        self.element = element
        self.isSame = isSame
    }

    init(_ hub: ConfigurationHub, element: @escaping @Sendable (Configuration) -> Element) where Element: Equatable {
        self.init(hub, element: element) { element($0) == element($1) }
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(hub: hub, wakes: hub.wakes().makeAsyncIterator(), element: element, isSame: isSame)
    }

    /// Waits for elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let hub: ConfigurationHub
        var wakes: AsyncStream<Void>.Iterator
        let element: @Sendable (Configuration) -> Element
        let isSame: @Sendable (Configuration, Configuration) -> Bool
        /// The configuration that the last element was of.
        var last: Configuration?

        /// The next element that differs from the last.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            guard last != nil else {
                guard !Task.isCancelled else { return nil }
                return take(hub.current)
            }
            while await wakes.next(isolation: actor) != nil, let last {
                // Always what is in force now: a change that was overtaken by another is not shown.
                let configuration = hub.current
                // Another user is told of anew, for it is another who sees it.
                guard last.user.hasID(of: configuration.user), isSame(last, configuration) else {
                    return take(configuration)
                }
                // Who listens to what never changes must not hold the first configuration for ever.
                self.last = configuration
            }
            return nil
        }

        private mutating func take(_ configuration: Configuration) -> Element {
            last = configuration
            return element(configuration)
        }
    }
}

/// The snapshot in force, and those who wait for the next. It outlives no client: they all end with it.
final class ConfigurationHub: Sendable {
    private let snapshot: Mutex<Configuration>
    private let changes = Broadcast<Void>()

    init(_ configuration: Configuration) {
        snapshot = Mutex(configuration)
    }

    /// The snapshot in force.
    var current: Configuration {
        snapshot.withLock { $0 }
    }

    /// Puts a snapshot in force.
    func replace(_ configuration: Configuration) {
        // What it replaces is let go of outside of the lock.
        _ = snapshot.withLock { snapshot in
            let former = snapshot
            snapshot = configuration
            return former
        }
        changes.send(())
    }

    /// Wakes after each replacement from now on; several may be one.
    func wakes() -> AsyncStream<Void> {
        changes.listen(buffering: .bufferingNewest(1))
    }

    /// How many listen.
    var listenerCount: Int { changes.listenerCount }

    /// Ends all listening.
    func finish() {
        changes.finish()
    }
}

extension ConfigurationClient {
    /// The whole configuration in force, and each that follows: an element for each change of a value, of an assignment, of
    /// another member of `meta`, or of the user.
    public func updates() -> ConfigurationUpdates<Configuration> {
        ConfigurationUpdates(hub) { $0 }
    }

    /// A section, and each that follows: an element for each change of a value in it, or of an assignment that sets one;
    /// `nil` while there is no such section.
    public func updates(of section: String) -> ConfigurationUpdates<ConfigurationSection?> {
        ConfigurationUpdates(hub) { $0.section(section) }
    }

    /// A setting, and each that follows: an element for each change of its value, or of an assignment that sets it.
    public func updates(of section: String, _ setting: String) -> ConfigurationUpdates<ConfigurationSetting> {
        ConfigurationUpdates(hub) { ConfigurationSetting($0, section, setting) }
    }

    /// The typed settings of a section, and each that follow: an element for each change of a value in the section, or of an
    /// assignment that sets one.
    public func updates<Section: SettingsSection>(of type: Section.Type) -> ConfigurationUpdates<Section> {
        ConfigurationUpdates(hub) {
            $0.settings(type)
        } isSame: {
            $0.section(type.section) == $1.section(type.section)
        }
    }
}
