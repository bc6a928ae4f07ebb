import AllotConfiguration
import Synchronization

/// Fetches, keeps and hands out the configuration of an app's user.
///
///     let client = ConfigurationClient(downloader: URLSessionDownloader(server: server), store: try FileStore(folder: folder))
///     client.setUser(ConfigurationUser("user-42", attributes: ["country": "DE"]))
///     Task { try await client.refresh() }
///     let color = client.current.string("Checkout", "ButtonColor", default: "#0000ff")
///
/// There is always a configuration to read: what was fetched for this user, else for no user, else what the app was
/// delivered with, else an empty one, whose values are the defaults where they are asked for. Nothing that goes wrong
/// replaces a good one.
///
/// `Sendable`: all members may be used from anywhere at once. Two clients on one store, in one process or two, each see
/// whole configurations; the later to write has the last word.
public final class ConfigurationClient: Sendable {
    let downloader: any Downloader
    let records: ClientRecords
    let options: ClientOptions
    let hub: ConfigurationHub
    let recorder: (any ExposureRecording)?
    private let eventBroadcast = Broadcast<ConfigurationEvent>()
    private let state: Mutex<ClientState>

    /// What went wrong when the client started, and was read around.
    public let startProblems: [ConfigurationEvent]

    /// Starts a client with what an earlier run of the app has kept; asks no server.
    ///
    /// - Parameters:
    ///   - downloader: asks the server.
    ///   - store: keeps configurations between runs.
    ///   - user: whose configuration is in force first.
    ///   - exposures: reports which variants users have met; `nil` for nobody.
    public convenience init(
        downloader: any Downloader, store: any ConfigurationStore, user: ConfigurationUser = .none,
        options: ClientOptions = ClientOptions(), exposures: ExposureReporter? = nil
    ) {
        self.init(downloader: downloader, store: store, user: user, options: options, recorder: exposures)
    }

    init(
        downloader: any Downloader, store: any ConfigurationStore, user: ConfigurationUser, options: ClientOptions,
        recorder: (any ExposureRecording)?
    ) {
        self.downloader = downloader
        self.options = options
        self.recorder = recorder
        records = ClientRecords(store: store, signatures: options.signatures)
        var state = ClientState(user: user)
        state.overrides = records.overrides(&state.events)
        if let expires = state.overrides.expires, options.now() >= expires {
            state.overrides = LocalOverrides()
            records.remove(.overrides, user: nil, &state.events)
        }
        Self.load(&state, records, options)
        startProblems = state.takeEvents()
        hub = ConfigurationHub(state.snapshot(recorder: recorder))
        self.state = Mutex(state)
    }

    deinit {
        hub.finish()
        eventBroadcast.finish()
    }

    /// The configuration in force. Complexity: O(1).
    public var current: Configuration {
        let current = hub.current
        guard let expires = current.overrides.expires, options.now() >= expires else { return current }
        resetOverrides()
        return hub.current
    }

    /// The user in force.
    public var user: ConfigurationUser {
        state.withLock { $0.user }
    }

    /// What happens from now on.
    public var events: AsyncStream<ConfigurationEvent> {
        eventBroadcast.listen()
    }

    /// Whether the configuration that the app is delivered with can be used, for a test of the app.
    ///
    /// - Throws: what its bootstrap throws, or a ``Rejection`` text if it has no sections.
    public func validateBootstrap() throws {
        guard let bootstrap = options.bootstrap else { return }
        guard try !bootstrap().sections.isEmpty else { throw BootstrapError() }
    }

    /// Changes the user in force; what is kept for that user is in force when this returns.
    ///
    /// Nothing of the former user stays in force. A request under way for the former user goes on, and its answer is kept.
    public func setUser(_ user: ConfigurationUser) {
        update { state in
            guard state.user != user else { return }
            let isSamePerson = state.user.hasID(of: user)
            state.user = user
            // With other attributes the same person's last configuration stays in force until the next is fetched.
            if !isSamePerson { Self.load(&state, records, options) }
        }
    }

    // MARK: Behind the lock

    /// Changes the state, puts the snapshot that follows from it in force, and tells what has happened.
    func update<Value: Sendable>(_ change: (inout ClientState) -> sending Value) -> Value {
        var former: Configuration?
        let (value, events) = state.withLock { state in
            let value = change(&state)
            let old = hub.current
            let new = state.next?.configuration ?? state.snapshot(recorder: recorder)
            let change = state.next?.change ?? ConfigurationChange(from: old, to: new)
            state.next = nil
            if !change.isEmpty || old.user != new.user { state.events.append(.activated(new, change)) }
            former = old
            hub.replace(new)
            return (value, state.takeEvents())
        }
        _ = former
        for event in events { eventBroadcast.send(event) }
        return value
    }

    /// Changes the state without a change of what is in force, and tells what has happened.
    func note<Value: Sendable>(_ change: (inout ClientState) -> sending Value) -> Value {
        let (value, events) = state.withLock { state in
            let value = change(&state)
            return (value, state.takeEvents())
        }
        for event in events { eventBroadcast.send(event) }
        return value
    }

    /// Takes up what is kept for the user in force, else for no user, else what the app was delivered with.
    private static func load(_ state: inout ClientState, _ records: ClientRecords, _ options: ClientOptions) {
        let id = state.user.id
        state.schedule = records.schedule(user: id, &state.events)
        state.fetched = records.configuration(.fetched, user: id, &state.events)
        if options.activation != .byCall, let fetched = state.fetched {
            state.fetched = nil
            state.active = ActiveConfiguration(fetched)
            records.keep(fetched, &state.events)
        } else if let active = records.configuration(.active, user: id, &state.events) {
            state.active = ActiveConfiguration(active)
        } else {
            state.active = substitute(state.user, records, options, &state.events)
        }
    }

    /// What is in force for a user for whom nothing is kept.
    private static func substitute(
        _ user: ConfigurationUser, _ records: ClientRecords, _ options: ClientOptions,
        _ events: inout [ConfigurationEvent]
    ) -> ActiveConfiguration {
        if user.id != nil {
            for kind in [StoreRecord.Kind.fetched, .active] where kind == .active || options.activation != .byCall {
                if let stored = records.configuration(kind, user: nil, &events) {
                    return ActiveConfiguration(stored, isGeneric: true)
                }
            }
        }
        guard let bootstrap = options.bootstrap else { return .none }
        do {
            let document = try bootstrap()
            guard !document.sections.isEmpty else { throw BootstrapError() }
            return ActiveConfiguration(document, origin: .bootstrap)
        } catch {
            events.append(.bootstrapFailed("\(error)"))
            return .none
        }
    }
}

/// The configuration that an app is delivered with has no sections.
struct BootstrapError: Error, CustomStringConvertible {
    var description: String {
        "the configuration that the app is delivered with has no section; deliver one with the app's settings"
    }
}
