import Allot
public import AllotDefinitions
public import Logging
import Metrics
public import ServiceLifecycle
import Synchronization
import UnixSignals

/// Watches a definitions folder and puts each valid change in force within two seconds; an invalid one is logged with
/// every problem and its position, and the plan in force stays.
///
/// It looks twice a second rather than being told by the kernel: that works on every file system, through links that are
/// swapped, and for folders that are deleted and come back. A change counts once it has stood still from one look to the
/// next, so that files are not read while they are being copied. SIGHUP loads at once.
public struct DefinitionsReloader: Service {
    private let folder: String
    private let store: PlanStore
    private let logger: Logger
    private let limits: DefinitionLimits
    private let interval: Duration
    private let loadedSignature: FolderSignature
    private let oneAtATime = OneAtATime()

    /// How often the folder is looked at.
    public static let defaultInterval = Duration.milliseconds(500)

    /// Loads a folder, to be watched when the service runs.
    ///
    /// - Throws: `DefinitionsError` with every problem of every file.
    public init(
        folder: String, limits: DefinitionLimits = DefinitionLimits(), logger: Logger,
        interval: Duration = defaultInterval
    ) throws(DefinitionsError) {
        self.folder = folder
        self.limits = limits
        self.logger = logger
        self.interval = interval
        loadedSignature = FolderSignature(folder)
        let now = Instant.now
        let loaded = try DefinitionsLoader(now: now, limits: limits).load(folder: folder)
        for warning in loaded.warnings { logger.warning("\(warning)") }
        store = PlanStore(loaded.plan, loadedAt: now)
        logger.info(
            "definitions loaded",
            metadata: [
                "folder": "\(folder)", "revision": "\(loaded.plan.revision)",
                "experiments": "\(loaded.plan.experiments.count)",
            ])
    }

    /// Where the plan in force is found.
    public var plans: PlanStore { store }

    /// Watches until shutdown.
    public func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watch() }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
                    logger.info("SIGHUP: loading the definitions", metadata: ["folder": "\(folder)"])
                    load()
                }
            }
        }
    }

    private func watch() async {
        await cancelWhenGracefulShutdown { () async -> Void in
            var loaded = loadedSignature
            var previous = loaded
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                let signature = FolderSignature(folder)
                if signature != loaded, signature == previous {
                    load()
                    loaded = signature
                }
                previous = signature
            }
        }
    }

    /// Loads the folder now.
    public func load() {
        // One at a time: what was read earlier must not replace what was read later.
        oneAtATime.mutex.withLock { _ in loadAlone() }
    }

    private func loadAlone() {
        let now = Instant.now
        do {
            let loaded = try DefinitionsLoader(now: now, limits: limits).load(folder: folder)
            for warning in loaded.warnings { logger.warning("\(warning)") }
            let isNew = store.replace(with: loaded.plan, loadedAt: now)
            Counter(label: MetricName.reloads, dimensions: [("result", isNew ? "replaced" : "unchanged")]).increment()
            logger.info(
                isNew ? "definitions replaced" : "definitions unchanged",
                metadata: [
                    "revision": "\(loaded.plan.revision)", "experiments": "\(loaded.plan.experiments.count)",
                ])
        } catch {
            store.noteFailure(at: now, problemCount: error.errorCount)
            Counter(label: MetricName.reloads, dimensions: [("result", "failed")]).increment()
            switch error {
            case .folder: logger.error("\(error)")
            case .invalid(let problems):
                for problem in problems {
                    logger.log(level: problem.severity == .error ? .error : .warning, "\(problem)")
                }
            }
            logger.error(
                "definitions not replaced; the plan in force stays until the errors are mended",
                metadata: ["folder": "\(folder)", "revision": "\(store.current.plan.revision)"])
        }
    }
}

/// A lock that copies of a reloader share.
private final class OneAtATime: Sendable {
    let mutex = Mutex(())
}

extension DefinitionsError {
    /// The problems that are errors.
    fileprivate var errorCount: Int {
        switch self {
        case .folder: 1
        case .invalid(let problems): problems.count { $0.severity == .error }
        }
    }
}
