import AllotConfiguration
import AllotCore
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
/// import Logging
///
/// let plans = PlanStore(try Plan.load(folder: "Experiments"), loadedAt: .now)
/// var allot = AllotService(plans)
/// allot.exposures = ExposureService("allot.sqlite", plans: plans, logger: Logger(label: "shop"))
/// let keeping = Task { [allot] in try await allot.run() }
/// let request = ServiceRequest(
///     method: "POST", target: "/exposures", headers: [("Content-Type", "application/json")],
///     body: Array(#"{"exposures": []}"#.utf8))
/// print(await AllotRoutes(allot).answer(request).status)  // 200
/// keeping.cancel()
/// ```
///
/// While the store cannot be opened or written, exposures are refused with 503 and `Retry-After`: senders keep them. A
/// store that takes long to open delays the initialiser, which blocks, for two seconds at most, and nothing after it.
///
/// Keep ``run()`` running as long as exposures are recorded: it also bounds the variants that exposures name and no
/// definition has. A service that does not run stores exposures of the first 1,000 of them, and asks senders to repeat
/// those of all others, without end.
public final class ExposureService: Service {
    enum State {
        case open(ExposureStore)
        /// The failure of the last attempt, if one has ended, and since when it is not open, in ms since 1970.
        case unopened(failure: String?, since: Int64, isOpening: Bool)
        case closed
    }

    let plans: PlanStore
    let unconfirmed = UnconfirmedArms()
    let logger: Logger
    private let open: @Sendable () throws(ExposureStoreError) -> ExposureStore
    private let retention: Duration?
    private let interval: Duration
    private let purgeInterval: Duration
    private let state: Mutex<State>
    private let writeFailures = Mutex(StoreFailureLines())
    private let readFailures = Mutex(StoreFailureLines())
    /// The clock by which lines about failures are a minute apart.
    private let now: @Sendable () -> ContinuousClock.Instant
    /// Opens the store: that blocks, and a database may be far away or never answer.
    private let opener = DispatchQueue(label: "allot.exposures.opener")

    /// Opens a store, or tries again while the service runs. Returns after two seconds if the store is not open then.
    ///
    /// - Parameters:
    ///   - location: the path of an SQLite file, or another location that `opener` opens.
    ///   - plans: the store of the plan that exposures are compared with.
    ///   - retention: how long exposures are kept, in whole seconds; `nil` for ever.
    ///   - logger: gets what goes wrong and what is deleted.
    ///   - opener: opens the store: in a file, or with the module `AllotPostgreSQL` also in a PostgreSQL database.
    public convenience init(
        _ location: String, plans: PlanStore, retention: Duration? = nil, logger: Logger,
        opener: @escaping ExposureStore.Opener = { path throws(ExposureStoreError) in try ExposureStore(path) }
    ) {
        self.init(plans: plans, retention: retention, logger: logger) { () throws(ExposureStoreError) in
            try opener(location)
        }
    }

    /// Takes in exposures for a store that is open, which the service closes, with parameters of the other initialiser.
    public convenience init(_ store: ExposureStore, plans: PlanStore, retention: Duration? = nil, logger: Logger) {
        // The store is open, so there is nothing to wait for.
        self.init(plans: plans, retention: retention, logger: logger, patience: .seconds(60)) {
            () throws(ExposureStoreError) in store
        }
    }

    /// Opens a store, or tries again while the service runs. Returns after `patience` if the store is not open then.
    package init(
        plans: PlanStore, retention: Duration? = nil, logger: Logger, interval: Duration = .milliseconds(500),
        purgeInterval: Duration = .seconds(3600), patience: Duration = .seconds(2),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        open: @escaping @Sendable () throws(ExposureStoreError) -> ExposureStore
    ) {
        (self.plans, self.retention, self.logger, self.interval) = (plans, retention, logger, interval)
        (self.purgeInterval, self.now, self.open) = (purgeInterval, now, open)
        state = Mutex(.unopened(failure: nil, since: plans.clock.now().milliseconds, isOpening: false))
        let end = DispatchSemaphore(value: 0)
        beginOpening { end.signal() }
        _ = end.wait(timeout: .now() + .milliseconds(Int(patience / Duration.milliseconds(1))))
        if case .failing(let message, _) = health { logRefusal(message) }
    }

    /// The store, for reading; `nil` while it cannot be opened.
    public var store: ExposureStore? {
        guard case .open(let store) = state.withLock({ $0 }) else { return nil }
        return store
    }

    package var health: ExposureStoreHealth {
        switch state.withLock({ $0 }) {
        case .closed: .failing(message: ExposureStoreError.closed.description, since: plans.clock.now().milliseconds)
        case .unopened(let failure, let since, _):
            .failing(message: failure ?? "the store of exposures is still being opened", since: since)
        case .open(let store): store.health
        }
    }

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
        while (try? await Task.sleep(for: interval)) != nil {
            switch state.withLock({ $0 }) {
            case .closed: return
            case .unopened: beginOpening()
            case .open(let store):
                // A store that is well is only read, which notices that its file is gone; one that is ill has to write.
                var isWell = store.health == .healthy
                if isWell { isWell = (try? await store.lastCursor()) != nil }
                if !isWell, !Task.isCancelled { _ = await store.probe() }
                // Where this fails, storing fails too, and says so.
                if store.health == .healthy { try? await unconfirmed.settle(plans.current.plan, in: store, at: now()) }
            }
            switch health {
            case .failing(let message, _): logRefusal(message)
            case .healthy: if writeFailures.withLock({ $0.recover() }) { logger.notice("exposures are stored again") }
            }
        }
    }

    private func beginOpening(_ completion: @escaping @Sendable () -> Void = {}) {
        let isDue = state.withLock { state in
            guard case .unopened(let failure, let since, false) = state else { return false }
            state = .unopened(failure: failure, since: since, isOpening: true)
            return true
        }
        guard isDue else { return }
        opener.async { [self] in
            let result = Result { () throws(ExposureStoreError) in try open() }
            let late = state.withLock { state -> ExposureStore? in
                guard case .unopened(let former, let since, _) = state else { return try? result.get() }
                switch result {
                case .success(let store): state = .open(store)
                case .failure(let error):
                    // The reason is worth a line, even shortly after one that says that the store is being opened.
                    if former == nil { writeFailures.withLock { $0 = StoreFailureLines() } }
                    state = .unopened(failure: error.description, since: since, isOpening: false)
                }
                return nil
            }
            // The service has ended meanwhile.
            if let late { Task { await late.shutdown() } }
            completion()
        }
    }

    /// Logs why exposures are refused, once a minute, with the number of requests that were.
    func logRefusal(_ message: String, requests: Int = 0) {
        let line = writeFailures.withLock { $0.fail(message, requests: requests, at: now()) }
        if let line { logger.error("exposures are refused: \(line)") }
    }

    func logReadFailure(_ message: String) {
        if let line = readFailures.withLock({ $0.fail(message, requests: 1, at: now()) }) { logger.error("\(line)") }
    }

    private func purgeHourly() async {
        guard let retention else { return }
        var purge = RetentionPurge(retention)
        while !Task.isCancelled {
            let store = store
            do {
                if let store { try await deleteOldExposures(of: store, &purge) }
            } catch is CancellationError {
            } catch { logger.error("old exposures cannot be deleted now: \(error)") }
            try? await Task.sleep(for: store == nil ? interval : purgeInterval)
        }
    }

    private func deleteOldExposures(of store: ExposureStore, _ purge: inout RetentionPurge) async throws {
        guard let newest = try await store.randomisations().map(\.lastReceivedAt).max() else { return }
        let (due, next) = purge.next(now: plans.clock.now().milliseconds, newest: newest)
        let parts = try await store.preview(of: ExposureDeletion(before: next))
        if let earliest = parts.map(\.earliest).min() {
            let old = parts.reduce(0) { $0 + $1.count }
            let total = try await store.totals().reduce(0) { $0 + $1.units }
            var deleted = 0
            if let due, earliest < due {
                let limit = RetentionPurge.limit(of: total)
                let end = try await RetentionPurge.bound(due, earliest: earliest, limit: limit) { end in
                    guard end < next else { return old }
                    return try await store.preview(of: ExposureDeletion(before: end)).reduce(0) { $0 + $1.count }
                }
                deleted = try await store.delete(ExposureDeletion(before: end))
                Counter(label: MetricName.exposuresPurged).increment(by: deleted)
                logger.info(
                    "exposures purged", metadata: ["before": "\(Instant(milliseconds: end))", "count": "\(deleted)"])
            }
            if old > deleted { announce(old - deleted, of: total - deleted, before: next) }
        }
        purge.announced = next
    }

    private func announce(_ old: Int, of total: Int, before end: Int64) {
        let isMany = old > RetentionPurge.limit(of: total)
        logger.log(
            level: isMany ? .warning : .notice,
            isMany
                ? "more than a tenth of all exposures is too old; from the next run on each deletes a tenth at most"
                : "exposures are too old; the next run deletes them",
            metadata: ["before": "\(Instant(milliseconds: end))", "count": "\(old)", "of": "\(total)"])
    }
}
