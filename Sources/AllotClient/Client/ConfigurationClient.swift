import AllotConfiguration
import AllotFiles
public import Foundation

/// Fetches, stores and provides the configuration of an app's user.
///
/// ```swift
/// import Foundation
///
/// func start(server: URL) async {
///     let user = ConfigurationUser("user-42", attributes: ["country": "DE"])
///     let client = await ConfigurationClient.open(server: server, app: "com.example.shop", user: user)
///     print(await client.refresh(within: .seconds(2)))
///     print(client.current.text("Checkout", "ButtonColor") ?? "#0000ff")
/// }
/// ```
///
/// There is always a configuration to read: what was fetched for this user, else what was fetched for no user, else
/// what is bundled with the app, else an empty one, for which all values are the defaults at the call sites. A failure
/// never replaces a good configuration. What another server sent is not used, after a change of the server's URL.
///
/// `Sendable`: all members may be used from any thread. Two clients on one store, in one process or two, each see
/// complete configurations; the last one to write wins.
public final class ConfigurationClient: Sendable {
    let downloader: any Downloader
    let updateSource: any UpdateSource
    let records: ClientRecords
    let options: ClientOptions
    let hub: ConfigurationHub
    let recorder: (any ExposureRecording)?
    let files: ConfigurationFiles
    private let eventLog: EventLog
    private let state: Lock<ClientState>
    private let expiry = Lock(Task<Void, Never>?.none)

    /// The problems that occurred while the client loaded what was stored, and the fault of the server's URL.
    public let startProblems: [ConfigurationEvent]

    /// Starts a client of an Allot server with what earlier runs of the app have stored: downloads and stores
    /// configurations, follows the server's changes (``follow()``), and reports the exposures of users to variants
    /// (``exposures``).
    ///
    /// Reads, checks and writes the store on the caller's thread, or in the background by
    /// ``open(server:app:token:user:options:exposures:)``. Sends nothing but exposures that earlier runs left.
    ///
    /// - Parameters:
    ///   - server: the URL under which the server's routes are mounted, without a query: `https://example.org/prefix`.
    ///   - app: the app's name or bundle identifier, under which ``FileStore`` keeps its files.
    ///   - token: sent as `Authorization: Bearer TOKEN`; needs the scopes `configuration` and `exposures`.
    ///   - exposures: how exposures are recorded and sent; `nil` to report none.
    public convenience init(
        server: URL, app: String, token: AccessToken? = nil, user: ConfigurationUser = .none,
        options: ClientOptions = ClientOptions(), exposures: ExposureOptions? = ExposureOptions()
    ) {
        self.init(
            server: server, store: FileStore(app: app), token: token, user: user, options: options,
            exposures: exposures)
    }

    /// Starts a client of an Allot server, as ``init(server:app:token:user:options:exposures:)`` does, with another
    /// store. It keeps configurations between runs, and exposures until they are sent; a store without a folder keeps
    /// them in memory only.
    public convenience init(
        server: URL, store: any ConfigurationStore, token: AccessToken? = nil, user: ConfigurationUser = .none,
        options: ClientOptions = ClientOptions(), exposures: ExposureOptions? = ExposureOptions()
    ) {
        let reporter = exposures.map { exposures in
            ExposureReporter(
                folder: store.exposureFolder, sender: URLSessionExposureSender(server: server, token: token),
                options: exposures)
        }
        self.init(
            downloader: URLSessionDownloader(server: server, token: token), store: store, user: user, options: options,
            recorder: reporter, isSilent: true, updateSource: URLSessionUpdateSource(server: server, token: token))
    }

    /// Starts a client with what earlier runs of the app have stored. Sends no request; reads, checks and writes the
    /// store on the caller's thread.
    ///
    /// - Parameter exposures: reports the exposures of users to variants; `nil` to report none, which an event says at
    ///   the first one: ``ConfigurationEvent/unreportedExposures(experiment:)``.
    public convenience init(
        downloader: any Downloader, store: any ConfigurationStore, user: ConfigurationUser = .none,
        options: ClientOptions = ClientOptions(), exposures: ExposureReporter? = nil
    ) { self.init(downloader: downloader, store: store, user: user, options: options, recorder: exposures) }

    /// - Parameter isSilent: whether no event says that there is no reporter, because the app asked for none.
    init(
        downloader: any Downloader, store: any ConfigurationStore, user: ConfigurationUser, options: ClientOptions,
        recorder reporter: (any ExposureRecording)?, isSilent: Bool = false,
        updateSource: any UpdateSource = MissingUpdateSource()
    ) {
        (self.downloader, self.updateSource, self.options) = (downloader, updateSource, options)
        eventLog = EventLog(options.log)
        if let reporter {
            recorder = reporter
        } else {
            recorder = isSilent ? nil : UnreportedExposures(eventLog.subscribers, log: options.log)
        }
        let server = (downloader as? URLSessionDownloader)?.server
        records = ClientRecords(store: store, options: options, server: server?.name)
        files = ConfigurationFiles(downloader, records.files) { [eventLog] event in eventLog.send { [event] } }
        var state = ClientState(user: user)
        if let problem = server?.problem { state.events.append(.failed(user, problem, retryIn: nil)) }
        state.files = files
        state.overrides = records.overrides(&state.events)
        records.dropExpiredOverrides(&state)
        records.load(&state)
        records.removeUnusedFiles(&state)
        let problems = state.takeEvents()
        startProblems = problems
        eventLog.send { problems }
        state.isChanged = false
        hub = ConfigurationHub(state.snapshot(recorder: recorder))
        self.state = Lock(state)
        awaitExpiry()
    }

    deinit {
        expiry.withLock { $0?.cancel() }
        hub.finish()
        eventLog.subscribers.finish()
    }

    /// The current configuration. Complexity: O(1).
    public var current: Configuration {
        let current = hub.current
        guard let expires = current.overrides.expires, options.clock.now() >= expires else { return current }
        update { _ in }
        return hub.current
    }

    /// The current user.
    public var user: ConfigurationUser { hub.current.user }

    /// The events that follow. For a slow subscriber the last 64 are kept.
    public var events: AsyncStream<ConfigurationEvent> {
        let events = eventLog.subscribers.subscribe(buffering: .bufferingNewest(64))
        (recorder as? UnreportedExposures)?.tell()
        return events
    }

    /// The reporter of exposures; `nil` if none are reported. Call ``ExposureReporter/flush()`` when the app goes to
    /// the background, and ``ExposureReporter/shutdown(within:)`` before it ends; the next run sends what could not be
    /// sent.
    public var exposures: ExposureReporter? { recorder as? ExposureReporter }

    /// Checks that the configuration that is bundled with the app can be used. Call it in a test of the app.
    ///
    /// - Throws: the bootstrap's error, ``Rejection/empty`` if it has no sections, or ``Rejection/personal(_:)`` if it
    ///   has assignments of a unit or holdouts, which the client does not use.
    public func validateBootstrap() throws {
        guard let document = try options.bootstrap?() else { return }
        guard !document.sections.isEmpty else { throw Rejection.empty }
        let members = document.personalMembers
        guard members.isEmpty else { throw Rejection.personal(members) }
    }

    /// Changes the user, or the user's attributes.
    ///
    /// With another ID, the configuration stored for that user is the current one when this returns, and nothing of the
    /// former user's remains current; it is read, checked and written on the caller's thread. A request in flight for
    /// the former user continues, and its response is stored.
    ///
    /// With the same ID and other attributes, the current configuration stays, although it was decided for the former
    /// ones, until the next one is active. A refresh is due; a response in flight is discarded as
    /// ``RefreshError/superseded``. Under ``ClientOptions/Activation/atStart`` and
    /// ``ClientOptions/Activation/byCall`` call ``fetchAndActivate()`` to use the new attributes at once.
    public func setUser(_ user: ConfigurationUser) {
        update { state in
            guard state.user != user else { return }
            let isSamePerson = state.user.hasID(of: user)
            state.user = user
            // After a change of attributes only, the last configuration stays current until the next one is fetched.
            guard !isSamePerson else { return }
            records.load(&state)
            // The user who logs out is a former one from now on.
            if user.id == nil { records.noteUse(of: user, &state) }
        }
    }

    /// Removes everything that is stored of a user, such as one who logs out: the configurations, and when the server
    /// was asked for them. A request in flight for the user is cancelled.
    ///
    /// If it is the current user, the configuration of a user for whom nothing is stored becomes the current one; call
    /// ``setUser(_:)`` as well to change the user. Overrides on this device belong to no user and stay, as do exposures
    /// that an ``ExposureReporter`` has yet to send.
    ///
    /// - Parameter user: the user, whatever the attributes are.
    /// - Returns: the reason if something could not be removed.
    @discardableResult
    public func forget(_ user: ConfigurationUser) -> StoreError? {
        let (error, requests) = update { state -> (StoreError?, [RequestInFlight]) in
            let requests = state.requests.filter { $0.key.hasID(of: user) }
            for key in requests.keys { state.requests[key] = nil }
            return (records.forget(user, &state), Array(requests.values))
        }
        for request in requests { request.cancel() }
        return error
    }

    // MARK: State

    /// Changes the state, replaces the current snapshot accordingly, and sends the events.
    func update<Value: Sendable>(_ change: (inout ClientState) -> sending Value) -> Value {
        var former: Configuration?
        let (value, expires) = state.withLock { state in
            records.dropExpiredOverrides(&state)
            let value = change(&state)
            records.removeUnusedFiles(&state)
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
        // The former snapshot is released outside the lock.
        if former?.overrides.expires != expires { awaitExpiry() }
        former = nil
        sendEvents()
        return value
    }

    /// Changes the state without a change of the snapshot, and sends the events.
    func note<Value: Sendable>(_ change: (inout ClientState) -> sending Value) -> Value {
        let value = state.withLock { state in
            let value = change(&state)
            records.removeUnusedFiles(&state)
            return value
        }
        sendEvents()
        return value
    }

    private func sendEvents() { eventLog.send { state.withLock { $0.takeEvents() } } }

    private func awaitExpiry() {
        expiry.withLock { expiry in
            expiry?.cancel()
            // The latest end, whatever the order of the calls.
            expiry = hub.current.overrides.expires.map { expires in
                let wait = Duration.seconds(min(max(expires.timeIntervalSince(options.clock.now()), 0), 1e9))
                return Task { [weak self, sleep = options.clock.sleep] in
                    guard (try? await sleep(wait)) != nil else { return }
                    self?.endOverrides()
                }
            }
        }
    }

    private func endOverrides() {
        update { _ in }
        // The clock was set back meanwhile.
        if hub.current.overrides.expires != nil { awaitExpiry() }
    }
}
