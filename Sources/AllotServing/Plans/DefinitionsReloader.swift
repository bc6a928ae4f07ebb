import AllotCore
public import AllotDefinitions
import AllotFiles
import Dispatch
public import Logging
import Metrics
public import ServiceLifecycle
import Synchronization

/// Watches a definitions folder and applies each valid change within two seconds. An invalid change is logged with
/// every problem and its position, and the current plan stays. `Sendable`.
///
/// ```swift
/// import Logging
///
/// let definitions = try DefinitionsReloader(folder: "Experiments", logger: Logger(label: "shop"))
/// let watching = Task { try await definitions.run() }
/// print(definitions.plans.current.plan.revision)
/// watching.cancel()
/// ```
///
/// On Linux the kernel reports most changes. Because it does not report those on network file systems and behind links,
/// the folder is polled as well: twice a second, or less often if it is so large that this would take more than a
/// twentieth of a core. A change counts once nothing has changed for half a second, so that files are not used while
/// they are being copied; for a copy that stalls, a folder may carry a manifest. Where files change all the time, such
/// as those that a job writes again and again, the content counts that two loads half a second apart have found: within
/// five seconds, or the log and the state say that there is none. SIGHUP loads at once.
public final class DefinitionsReloader: Service {
    /// The store of the current plan.
    public let plans: PlanStore
    private let folder: String
    private let logger: Logger
    private let limits: DefinitionLimits
    private let interval: Duration
    /// The signals that had come when the folder was read first.
    private let signals = HangUp.count
    private let loaded: Mutex<Loaded>
    /// Loads take seconds, in which requests need the threads of tasks.
    private let thread = DispatchQueue(label: "allot.definitions")

    private struct Loaded: Sendable {
        /// The state of the folder; `nil` for none in particular.
        var signature: FolderSignature?
        var cache = LoadCache()
        var number = 0
        var published = 0
        /// Identifies the content that was published last; `nil` if it is not known.
        var publishedContent: Int?
    }

    /// Loads a folder, which is watched when the service runs.
    ///
    /// - Throws: `DefinitionsError` with every problem of every file.
    public init(
        folder: String, limits: DefinitionLimits = DefinitionLimits(), logger: Logger,
        interval: Duration = .milliseconds(500)
    ) throws(DefinitionsError) {
        (self.folder, self.limits, self.logger, self.interval) = (folder, limits, logger, interval)
        let now = Instant.now
        var loaded = Loaded()
        let found = try Self.load(folder, limits, at: now, &loaded)
        loaded.publishedContent = loaded.cache.fingerprint
        self.loaded = Mutex(loaded)
        plans = PlanStore(found.plan, warnings: found.warnings, loadedAt: now)
        log(found, "definitions loaded")
    }

    /// Watches until shutdown.
    public func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await cancelWhenGracefulShutdown { await self.watch() } }
            group.addTask {
                await HangUp.each(since: self.signals) {
                    self.logger.info("SIGHUP: loading the definitions", metadata: ["folder": "\(self.folder)"])
                    await self.reload()
                }
            }
        }
    }

    private func watch() async {
        let began = ContinuousClock.now
        var watch = FolderWatch(path: folder)
        var timing = ReloadTiming(interval: interval)
        var previous: FolderSignature?
        var found: Found?
        while !Task.isCancelled {
            try? await Task.sleep(for: timing.tick)
            let now = ContinuousClock.now - began
            var step = timing.step(at: now, hasChanged: watch.hasChanged(DefinitionsFolder.reads))
            if step == .sample {
                let sample = await onThread { self.find(isSample: true) }
                let end = ContinuousClock.now - began
                step = timing.sampled(sample.content, for: end - now, until: end)
                if step == .publish { found = sample }
            }
            switch step {
            case .wait, .sample: break
            case .load: found = await onThread { self.find() }
            case .publish: if let ready = found.take() { await onThread { self.publish(ready) } }
            case .poll:
                let (present, hasChanged) = await onThread { [previous] in
                    let present = self.poll(previous)
                    return (present, present != previous && self.isNew(present))
                }
                previous = present
                let end = ContinuousClock.now - began
                timing.polled(for: end - now, until: end, isHelped: watch.isActive, hasChanged: hasChanged)
            case .report(let isRead): await onThread { self.reportUnrest(isRead: isRead) }
            }
        }
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in thread.async { continuation.resume(returning: body()) } }
    }

    /// Loads the folder if its state is new and has not changed since `previous`. Returns the state.
    package func poll(_ previous: FolderSignature?) -> FolderSignature {
        let signature = FolderSignature(path: folder)
        if signature == previous, isNew(signature) { load() }
        return signature
    }

    private func isNew(_ signature: FolderSignature) -> Bool {
        // While another load runs, which can take seconds, this is not a reason to wait.
        loaded.withLockIfAvailable { $0.signature != signature } == true
    }

    package func reload() async { await onThread { self.load() } }
    /// Loads the folder now.
    public func load() { publish(find()) }

    struct Found: Sendable {
        let number: Int
        let instant: Instant
        /// Identifies the content; `nil` if not all files are of one state of the folder.
        let content: Int?
        let isSample: Bool
        let result: Result<LoadedDefinitions, DefinitionsError>
    }

    /// Loads the folder, which may not rest if this is a sample, without replacing the current plan.
    func find(isSample: Bool = false) -> Found {
        // One at a time, because each uses what the one before has parsed.
        loaded.withLock { loaded in
            let now = Instant.now
            loaded.number += 1
            let result = Result { () throws(DefinitionsError) in try Self.load(folder, limits, at: now, &loaded) }
            // What was found may not be published: when the folder rests, it is loaded again.
            if isSample { loaded.signature = nil }
            return Found(
                number: loaded.number, instant: now, content: loaded.cache.fingerprint, isSample: isSample,
                result: result)
        }
    }

    /// Logs, and shows in the state, that the folder changes all the time, perhaps even while its files are read.
    func reportUnrest(isRead: Bool) {
        // The next content is published even if it is that of the current plan, and ends this state.
        loaded.withLock { $0.publishedContent = nil }
        let problem =
            "the files in the definitions folder \(folder) change all the time, "
            + (isRead ? "and each load finds others" : "even while they are read")
            + "; stop what writes them again and again"
        logger.error("\(problem)")
        fail([problem], at: .now)
    }

    /// Makes what was found the current plan, unless a later load was published.
    func publish(_ found: Found) {
        loaded.withLock { loaded in
            // Definitions that were read earlier must not replace those that were read later.
            guard found.number > loaded.published else { return }
            // Files may be touched for ever, and each time the log would say that nothing has changed.
            if found.isSample, found.content == loaded.publishedContent { return }
            (loaded.published, loaded.publishedContent) = (found.number, found.content)
            switch found.result {
            case .success(let definitions):
                let isNew = plans.replace(
                    with: definitions.plan, warnings: definitions.warnings, loadedAt: found.instant)
                count(isNew ? "replaced" : "unchanged")
                log(definitions, isNew ? "definitions replaced" : "definitions unchanged")
            case .failure(let error): fail(report(error), at: found.instant)
            }
        }
    }

    private func fail(_ problems: [String], at instant: Instant) {
        // Pages show them, and the log has the paths.
        let paths = FolderPaths(folder)
        plans.noteFailure(problems.map { paths.cut(from: $0) }, at: instant)
        count("failed")
        logger.error(
            "definitions not replaced; the current plan stays until the errors are fixed",
            metadata: metadata(plans.current.plan))
    }

    private static func load(
        _ folder: String, _ limits: DefinitionLimits, at now: Instant, _ state: inout Loaded
    ) throws(DefinitionsError) -> LoadedDefinitions {
        try DefinitionsLoader(now: now, limits: limits).load(
            folder: folder, signature: &state.signature, cache: &state.cache)
    }

    private func report(_ error: DefinitionsError) -> [String] {
        guard case .invalid(let problems) = error else {
            logger.error("\(error)")
            return [error.description]
        }
        for problem in problems { logger.log(level: problem.severity == .error ? .error : .warning, "\(problem)") }
        return problems.filter { $0.severity == .error }.map(\.description)
    }

    private func count(_ result: String) {
        Counter(label: MetricName.reloads, dimensions: [("result", result)]).increment()
    }

    /// Logs that definitions are used, and the first of their warnings of each kind, as many of one would bury others.
    private func log(_ definitions: LoadedDefinitions, _ message: Logger.Message) {
        var counts = Dictionary(grouping: definitions.warnings, by: \.kind).mapValues(\.count)
        for warning in definitions.warnings {
            guard let count = counts.removeValue(forKey: warning.kind) else { continue }
            let others = count > 1 ? "; \(count - 1) more of this kind, which allot check lists" : ""
            logger.warning("\(warning)\(others)")
        }
        logger.info(message, metadata: metadata(definitions.plan))
    }

    private func metadata(_ plan: Plan) -> Logger.Metadata {
        ["folder": "\(folder)", "revision": "\(plan.revision)", "experiments": "\(plan.experiments.count)"]
    }
}
