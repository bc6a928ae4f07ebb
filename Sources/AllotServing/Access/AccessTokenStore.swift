public import Logging
public import ServiceLifecycle
import Synchronization

/// The current access tokens, which are replaced whole: a token that is no longer among them stops at once, also for
/// the event streams that it opened. `Sendable`.
///
/// ```swift
/// let tokens = try AccessTokens(parsing: "configuration,exposures 4f9pWcT0uX2vR8mK1sQe", name: "tokens")
/// let store = AccessTokenStore(tokens)  // AllotService.tokens takes it
/// ```
public final class AccessTokenStore: Sendable {
    private struct State {
        var current: AccessTokens
        /// The actions of answers that go on as long as their requests would be allowed: each gets the next tokens.
        var holders = Registrations<@Sendable (AccessTokens) -> Void>()
    }

    private let state: Mutex<State>
    /// Creates a store with its first tokens.
    public init(_ tokens: AccessTokens) { state = Mutex(State(current: tokens)) }
    /// The current tokens. Take them once for each request.
    public var current: AccessTokens { state.withLock { $0.current } }

    /// Replaces the tokens. Event streams of requests that they do not allow end.
    package func replace(with next: AccessTokens) {
        let holders = state.withLock { state in
            state.current = next
            return state.holders
        }
        // Outside the lock, which every request takes. Each holder removes itself when its stream ends.
        for holder in holders.all { holder(next) }
    }

    /// Yields one element, and finishes the stream, once the tokens do not allow a request any more: for answers that
    /// take long. It sets what the stream calls when it ends.
    func signalRevocation(
        of scope: AccessScope, _ request: ServiceRequest, from caller: RouteCaller,
        to revocation: AsyncStream<Void>.Continuation
    ) {
        let check: @Sendable (AccessTokens) -> Void = { tokens in
            guard (try? tokens.require(scope, request, from: caller)) == nil else { return }
            revocation.yield()
            revocation.finish()
        }
        let number = state.withLock { $0.holders.add(check) }
        revocation.onTermination = { [weak self] _ in self?.state.withLock { $0.holders.remove(number) } }
        // They may have been replaced since the request was allowed.
        check(current)
    }
}

/// Reads the tokens of a file, and again on SIGHUP. A file with a fault is then logged and changes nothing. `Sendable`.
///
/// At the start the file may be a pipe; later it has to be a regular file, because nothing waits for a writer.
public struct AccessTokensReloader: Service {
    private let file: String
    private let logger: Logger
    /// The signals that had come when the file was read.
    private let signals = HangUp.count
    /// The store of the current tokens.
    public let tokens: AccessTokenStore

    /// Reads a file, which is read again on SIGHUP while the service runs.
    ///
    /// - Throws: `AccessTokens.Failure` with the line at fault, or why the file cannot be read.
    public init(file: String, logger: Logger) throws(AccessTokens.Failure) {
        (self.file, self.logger) = (file, logger)
        tokens = AccessTokenStore(try AccessTokens.read(file, mayWait: true) { logger.warning("\($0)") })
    }

    /// Reads the file again on each SIGHUP, until shutdown.
    public func run() async throws { await HangUp.each(since: signals, load) }

    /// Reads the file now.
    public func load() {
        do throws(AccessTokens.Failure) {
            let next = try AccessTokens.read(file, mayWait: false) { logger.warning("\($0)") }
            tokens.replace(with: next)
            logger.info("tokens loaded", metadata: ["file": "\(file)", "tokens": "\(next.count)"])
        } catch {
            logger.error("\(error)")
            logger.error(
                "tokens not replaced; the current ones stay until the file is fixed", metadata: ["file": "\(file)"])
        }
    }
}
