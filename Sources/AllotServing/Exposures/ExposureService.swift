import Allot
import AllotConfiguration
public import AllotExposures
import Dispatch
public import Logging
import Metrics
public import ServiceLifecycle
import Synchronization

/// Takes in exposures, and keeps their store: notices when it cannot store, opens it later if it cannot be opened now,
/// deletes what is older than its retention, and closes it at the end. `Sendable`.
///
/// ```swift
/// import Allot
/// import AllotDefinitions
/// import Logging
///
/// let plans = PlanStore(try Plan.load(folder: "Experiments"), loadedAt: .now)
/// let exposures = ExposureService("allot.sqlite", plans: plans, logger: Logger(label: "shop"))
/// let keeping = Task { try await exposures.run() }
/// let answer = await exposures.record(body: Array(#"{"exposures": []}"#.utf8), contentType: "application/json")
/// print(answer.status)  // 200
/// keeping.cancel()
/// ```
///
/// While the store cannot be opened or written, exposures are refused with 503 and `Retry-After`: senders keep them.
public final class ExposureService: Service {
    /// Whether exposures can be stored. `Sendable`.
    public enum Health: Sendable, Hashable {
        /// They can.
        case healthy
        /// They cannot: why, and since when.
        case failing(message: String, since: Instant)
    }

    enum State {
        case open(ExposureStore)
        case unopened(message: String, since: Instant)
        case closed
    }

    let plans: PlanStore
    let unknown = UnknownNames()
    let logger: Logger
    private let open: @Sendable () throws(ExposureStoreError) -> ExposureStore
    private let retention: Duration?
    /// The time between two looks at the store.
    private let interval: Duration
    private let state: Mutex<State>

    /// Opens a store, or tries again while the service runs.
    ///
    /// - Parameters:
    ///   - location: the path of an SQLite file, or the address of a PostgreSQL database, `postgresql://…`.
    ///   - plans: the store of the plan that exposures are compared with.
    ///   - retention: how long exposures are kept, in whole seconds; `nil` for ever.
    ///   - logger: gets what goes wrong and what is deleted.
    public convenience init(_ location: String, plans: PlanStore, retention: Duration? = nil, logger: Logger) {
        self.init(plans: plans, retention: retention, logger: logger) { () throws(ExposureStoreError) in
            try ExposureStore(location)
        }
    }

    /// Takes in exposures for a store that is open.
    ///
    /// - Parameters:
    ///   - store: the store, which the service closes.
    ///   - plans: the store of the plan that exposures are compared with.
    ///   - retention: how long exposures are kept, in whole seconds; `nil` for ever.
    ///   - logger: gets what goes wrong and what is deleted.
    public convenience init(_ store: ExposureStore, plans: PlanStore, retention: Duration? = nil, logger: Logger) {
        self.init(plans: plans, retention: retention, logger: logger) { () throws(ExposureStoreError) in store }
    }

    package init(
        plans: PlanStore, retention: Duration? = nil, logger: Logger, interval: Duration = .milliseconds(500),
        open: @escaping @Sendable () throws(ExposureStoreError) -> ExposureStore
    ) {
        self.plans = plans
        self.retention = retention
        self.logger = logger
        self.interval = interval
        self.open = open
        do throws(ExposureStoreError) {
            state = Mutex(.open(try open()))
        } catch {
            state = Mutex(.unopened(message: error.description, since: plans.clock.now()))
            logger.error("exposures are refused until the store can be opened: \(error)")
        }
    }

    /// The store, for reading; `nil` while it cannot be opened.
    public var store: ExposureStore? {
        guard case .open(let store) = state.withLock({ $0 }) else { return nil }
        return store
    }

    /// Whether exposures can be stored now.
    public var health: Health {
        switch state.withLock({ $0 }) {
        case .closed: .failing(message: ExposureStoreError.closed.description, since: plans.clock.now())
        case .unopened(let message, let since): .failing(message: message, since: since)
        case .open(let store):
            switch store.health {
            case .healthy: .healthy
            case .failing(let message, let since):
                .failing(message: message, since: Instant(milliseconds: since))
            }
        }
    }

    // MARK: Keeping

    /// Keeps the store until shutdown, then stores what waits and closes it.
    public func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await cancelWhenGracefulShutdown { await self.watch() } }
            group.addTask { await cancelWhenGracefulShutdown { await self.purgeHourly() } }
            group.addTask {
                try? await gracefulShutdown()
                // Both of them, and requests that are cancelled, may wait for a server that does not answer.
                self.store?.breakOffReads()
            }
        }
        let former = state.withLock { state in
            defer { state = .closed }
            return state
        }
        guard case .open(let store) = former else { return }
        await store.shutdown()
        logger.info("exposures are stored")
    }

    /// Looks after the store twice a second, and logs when it falls ill, each minute while it is, and when it recovers.
    private func watch() async {
        var known = health
        var reported = ContinuousClock.now
        while (try? await Task.sleep(for: interval)) != nil {
            switch state.withLock({ $0 }) {
            case .closed: return
            case .unopened: await openAgain()
            case .open(let store): await look(at: store)
            }
            let health = health
            if case .failing(let message, _) = health {
                if known == .healthy || reported.duration(to: .now) > .seconds(60) {
                    logger.error("exposures are refused: \(message)")
                    reported = .now
                }
            } else if known != .healthy {
                logger.notice("exposures are stored again")
            }
            known = health
        }
    }

    /// A store that is well is only read, which notices that its file is gone; one that is ill has to write something.
    private func look(at store: ExposureStore) async {
        if store.health == .healthy, (try? await store.lastCursor()) != nil { return }
        guard !Task.isCancelled else { return }
        _ = await store.probe()
    }

    private func openAgain() async {
        let opened: Result<ExposureStore, ExposureStoreError> = await withCheckedContinuation { continuation in
            // Opening blocks, and a database may be far away.
            DispatchQueue.global().async { [open] in
                continuation.resume(returning: Result { () throws(ExposureStoreError) in try open() })
            }
        }
        switch opened {
        case .success(let store): state.withLock { $0 = .open(store) }
        case .failure(let error):
            state.withLock { state in
                guard case .unopened(_, let since) = state else { return }
                state = .unopened(message: error.description, since: since)
            }
        }
    }

    // MARK: Retention

    private func purgeHourly() async {
        guard let retention else { return }
        while !Task.isCancelled {
            guard let store else {
                try? await Task.sleep(for: interval)
                continue
            }
            await purge(store, retention)
            try? await Task.sleep(for: .seconds(3600))
        }
    }

    private func purge(_ store: ExposureStore, _ retention: Duration) async {
        let limit = Instant(seconds: plans.clock.now().seconds - retention.components.seconds)
        do {
            let count = try await store.purge(before: limit.milliseconds)
            Counter(label: MetricName.exposuresPurged).increment(by: count)
            logger.info("exposures purged", metadata: ["before": "\(limit)", "count": "\(count)"])
            try await unknown.reload(from: store, unknownTo: plans.current, at: plans.clock.now())
        } catch is CancellationError {
        } catch {
            logger.error("exposures from before \(limit) cannot be deleted now: \(error)")
        }
    }
}
