public import AllotExposures
public import Logging
public import ServiceLifecycle

/// Closes a store of exposures when the server has shut down, after all that waits is stored.
public struct ExposureStoreService: Service {
    private let store: ExposureStore
    private let logger: Logger

    /// Looks after a store.
    public init(_ store: ExposureStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    public func run() async throws {
        try? await gracefulShutdown()
        await store.shutdown()
        logger.info("exposures are stored")
    }
}
