import Allot
public import AllotDefinitions
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
/// It polls twice a second instead of using the kernel's notifications: that works on every file system, through links
/// that are swapped, and for folders that are deleted and come back. A change counts once two polls in a row have seen
/// it, so that files are not read while they are being copied; for a copy that stalls, a folder may carry a manifest.
/// SIGHUP loads at once.
public final class DefinitionsReloader: Service {
    /// The store of the current plan.
    public let plans: PlanStore
    private let folder: String
    private let logger: Logger
    private let limits: DefinitionLimits
    private let interval: Duration
    private let loaded: Mutex<Loaded>

    /// What was loaded last, with or without success.
    private struct Loaded: Sendable {
        /// The state of the folder; `nil` for none in particular.
        var signature: FolderSignature?
        var cache = ExperimentCache()
    }

    /// Loads a folder, which is watched when the service runs.
    ///
    /// - Throws: `DefinitionsError` with every problem of every file.
    public init(
        folder: String, limits: DefinitionLimits = DefinitionLimits(), logger: Logger,
        interval: Duration = .milliseconds(500)
    ) throws(DefinitionsError) {
        self.folder = folder
        self.limits = limits
        self.logger = logger
        self.interval = interval
        let now = Instant.now
        var loaded = Loaded()
        let plan = try Self.load(folder, limits, logger, at: now, &loaded)
        self.loaded = Mutex(loaded)
        plans = PlanStore(plan, loadedAt: now)
        logger.info("definitions loaded", metadata: Self.metadata(folder, plan))
    }

    /// Watches until shutdown.
    public func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await cancelWhenGracefulShutdown { await self.watch() } }
            group.addTask {
                await HangUp.each {
                    self.logger.info("SIGHUP: loading the definitions", metadata: ["folder": "\(self.folder)"])
                    self.load()
                }
            }
        }
    }

    private func watch() async {
        var previous: FolderSignature?
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            poll(&previous)
        }
    }

    /// Loads the folder if its state is not the one that was loaded and has not changed since `previous`.
    package func poll(_ previous: inout FolderSignature?) {
        let signature = FolderSignature(path: folder)
        // While another load runs, which can take seconds, this is not a reason to wait.
        if signature == previous, loaded.withLockIfAvailable({ $0.signature != signature }) == true { load() }
        previous = signature
    }

    /// Loads the folder now.
    public func load() {
        // One at a time: definitions that were read earlier must not replace those that were read later.
        loaded.withLock { loaded in
            let now = Instant.now
            do throws(DefinitionsError) {
                let plan = try Self.load(folder, limits, logger, at: now, &loaded)
                let isNew = plans.replace(with: plan, loadedAt: now)
                count(isNew ? "replaced" : "unchanged")
                logger.info(
                    isNew ? "definitions replaced" : "definitions unchanged", metadata: Self.metadata(folder, plan))
            } catch {
                let problems = report(error)
                plans.noteFailure(at: now, problemCount: problems.count, problems: problems)
                count("failed")
                logger.error(
                    "definitions not replaced; the current plan stays until the errors are fixed",
                    metadata: Self.metadata(folder, plans.current.plan))
            }
        }
    }

    private static func load(
        _ folder: String, _ limits: DefinitionLimits, _ logger: Logger, at now: Instant,
        _ state: inout Loaded
    ) throws(DefinitionsError) -> Plan {
        let loaded = try DefinitionsLoader(now: now, limits: limits).load(
            folder: folder, signature: &state.signature, cache: &state.cache)
        for warning in loaded.warnings { logger.warning("\(warning)") }
        return loaded.plan
    }

    /// Logs every problem. Returns the errors among them.
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

    private static func metadata(_ folder: String, _ plan: Plan) -> Logger.Metadata {
        ["folder": "\(folder)", "revision": "\(plan.revision)", "experiments": "\(plan.experiments.count)"]
    }
}
