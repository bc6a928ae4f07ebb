import AllotConfiguration
import Synchronization

import struct Foundation.Date

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
    /// Held while events are told, so that they are told in the order in which they happened.
    private let telling = Mutex(())
    /// Ends overrides when their time is over.
    private let expiry = Mutex(Task<Void, Never>?.none)

    /// What went wrong when the client started, and was read around.
    public let startProblems: [ConfigurationEvent]

    /// Starts a client with what an earlier run of the app has kept; asks no server.
    ///
    /// - Parameters:
    ///   - downloader: asks the server.
    ///   - store: keeps configurations between runs.
    ///   - user: whose configuration is in force first.
    ///   - exposures: reports which variants users have met; `nil` for nobody.
    ///   - options: What may differ from the defaults.
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
        Self.dropExpiredOverrides(&state, records, options)
        Self.load(&state, records, options)
        startProblems = state.takeEvents()
        state.isChanged = false
        hub = ConfigurationHub(state.snapshot(recorder: recorder))
        self.state = Mutex(state)
        awaitExpiry(state.overrides.expires)
    }

    deinit {
        expiry.withLock { $0?.cancel() }
        hub.finish()
        eventBroadcast.finish()
    }

    /// The configuration in force. Complexity: O(1).
    public var current: Configuration {
        let current = hub.current
        guard let expires = current.overrides.expires, options.now() >= expires else { return current }
        update { _ in }
        return hub.current
    }

    /// The user in force.
    public var user: ConfigurationUser {
        hub.current.user
    }

    /// What happens from now on. For a listener that is slower than the events the last 64 are kept.
    public var events: AsyncStream<ConfigurationEvent> {
        eventBroadcast.listen(buffering: .bufferingNewest(64))
    }

    /// Whether the configuration that the app is delivered with can be used, for a test of the app.
    ///
    /// - Throws: what the bootstrap throws, or ``Rejection/empty`` if it has no sections.
    public func validateBootstrap() throws {
        guard let bootstrap = options.bootstrap else { return }
        guard try !bootstrap().sections.isEmpty else { throw Rejection.empty }
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
        let (value, expires) = state.withLock { state in
            Self.dropExpiredOverrides(&state, records, options)
            let value = change(&state)
            guard state.isChanged else { return (value, Date?.none) }
            let old = hub.current
            let new = state.next?.configuration ?? state.snapshot(recorder: recorder)
            let change = state.next?.change ?? ConfigurationChange(from: old, to: new)
            state.next = nil
            state.isChanged = false
            if !change.isEmpty || old.user != new.user { state.events.append(.activated(new, change)) }
            former = old
            hub.replace(new)
            return (value, state.overrides.expires)
        }
        // What it replaces is let go of outside of the lock.
        if former?.overrides.expires != expires { awaitExpiry(expires) }
        former = nil
        tell()
        return value
    }

    /// Changes the state without a change of what is in force, and tells what has happened.
    func note<Value: Sendable>(_ change: (inout ClientState) -> sending Value) -> Value {
        let value = state.withLock { change(&$0) }
        tell()
        return value
    }

    private func tell() {
        telling.withLock { _ in
            for event in state.withLock({ $0.takeEvents() }) { eventBroadcast.send(event) }
        }
    }

    /// Takes back overrides whose time is over.
    private static func dropExpiredOverrides(
        _ state: inout ClientState, _ records: ClientRecords, _ options: ClientOptions
    ) {
        guard let expires = state.overrides.expires, options.now() >= expires else { return }
        state.overrides.reset()
        records.keep(state.overrides, &state.events)
    }

    /// Ends overrides when their time is over, for those who listen.
    private func awaitExpiry(_ expires: Date?) {
        let task = expires.map { expires in
            let wait = Duration.seconds(min(max(expires.timeIntervalSince(options.now()), 0), 1e9))
            return Task { [weak self, sleep = options.sleep] in
                guard (try? await sleep(wait)) != nil else { return }
                self?.update { _ in }
            }
        }
        expiry.withLock { expiry in
            expiry?.cancel()
            expiry = task
        }
    }

    /// Takes up what is kept for the user in force, else for no user, else what the app was delivered with.
    private static func load(_ state: inout ClientState, _ records: ClientRecords, _ options: ClientOptions) {
        let id = state.user.id
        let former = state.schedule
        state.schedule = records.schedule(user: id, &state.events)
        // The server that wants to be left alone is the same for all users.
        state.schedule.takeRefusal(of: former)
        state.fetched = records.configuration(.fetched, user: id, &state.events)
        let active = records.configuration(.active, user: id, &state.events)
        if let fetched = state.fetched, let active, fetched.fetchedAt < active.fetchedAt {
            // It was put in force, and could not be removed.
            state.fetched = nil
        }
        if options.activation != .byCall, let fetched = state.fetched {
            state.fetched = nil
            state.active = ActiveConfiguration(confirmed(fetched, state))
            records.keep(fetched, &state.events)
        } else if let active {
            state.active = ActiveConfiguration(confirmed(active, state))
        } else {
            state.active = substitute(state.user, records, options, &state.events)
        }
    }

    /// A record with the time at which the server last confirmed it.
    private static func confirmed(_ stored: StoredConfiguration, _ state: ClientState) -> StoredConfiguration {
        guard let date = state.schedule.succeededAt, state.schedule.isFor(state.user), date > stored.fetchedAt,
            state.fetched == nil
        else { return stored }
        var confirmed = stored
        confirmed.fetchedAt = date
        return confirmed
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
            guard !document.sections.isEmpty else { throw Rejection.empty }
            return ActiveConfiguration(document, origin: .bootstrap)
        } catch {
            events.append(.bootstrapFailed("\(error)"))
            return .none
        }
    }
}
