public import struct Foundation.URL

extension ConfigurationClient {
    /// Starts a client as ``init(server:app:token:user:options:exposures:)`` does, and reads the store in the
    /// background.
    @concurrent
    public static func open(
        server: URL, app: String, token: AccessToken? = nil, user: ConfigurationUser = .none,
        options: ClientOptions = ClientOptions(), exposures: ExposureOptions? = ExposureOptions()
    ) async -> ConfigurationClient {
        ConfigurationClient(server: server, app: app, token: token, user: user, options: options, exposures: exposures)
    }

    /// Asks the server as ``refresh()`` does and, if it answers in time, makes the latest configuration the current
    /// one: for the start of an app, which waits no longer than the limit.
    ///
    /// A download that is late continues. Its configuration is stored; ``ClientOptions/activation`` determines when it
    /// becomes the current one, by default at the next start of the app. Nor does a cancellation of the caller's task
    /// end the download.
    ///
    /// - Parameter limit: the maximal time to wait, at most a day.
    /// - Returns: the configuration with which the app starts, and why it is that one.
    @discardableResult
    public func refresh(within limit: Duration) async -> TimedRefresh {
        let user = hub.current.user
        let (ends, end) = AsyncStream.makeStream(of: Result<RefreshResult, RefreshError>?.self)
        Task {
            do throws(RefreshError) {
                end.yield(.success(try await refresh()))
            } catch {
                end.yield(.failure(error))
            }
        }
        let limiter = Task { [options] in
            try? await options.clock.sleep(min(max(limit, .zero), .seconds(RetryPolicy.longestServerDelay)))
            end.yield(nil)
        }
        defer { limiter.cancel() }
        var iterator = ends.makeAsyncIterator()
        guard let first = await iterator.next() else { return .failed(.cancelled, current.origin) }
        switch first {
        case .success(let result)?:
            activate(for: user)
            return .inTime(result)
        case .failure(let error)?: return .failed(error, current.origin)
        case nil: return .late(current.origin, after: note { $0.requests[user]?.failure })
        }
    }
}
