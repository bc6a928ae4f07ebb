import struct Foundation.Date

extension ConfigurationClient {
    /// Subscribes to the events of the server with whose URL the client was started, as ``follow(_:)`` does.
    ///
    /// For a client that was started with a ``Downloader``, which names no server, an event says what to do.
    public func follow() async { await follow(updateSource) }

    /// Subscribes to a source's updates and refreshes whenever the server's revision changes or a boundary passes, such
    /// as the start of an experiment, until the task is cancelled.
    ///
    /// ``ClientOptions/activation`` determines when a fetched configuration becomes the current one. After the end of a
    /// connection, which is an event, another one is made; the delay doubles with each failure, from at least a second
    /// on. A server that rejects this app's requests (403, 404 and so on) is asked again after an hour. A rejected
    /// token (401) is a failure like any other, because it may be renewed.
    public func follow(_ source: any UpdateSource) async {
        let retry = options.retry.bounded
        var failures = 0
        var last: ServerUpdate?
        while !Task.isCancelled {
            var requested: Double?
            var error: RequestError?
            let start = options.clock.now()
            // The time in seconds that messages took: a connection may have ended meanwhile.
            var busy = 0.0
            var messages = 0
            do {
                for try await update in source.updates() {
                    // Each connection begins with a message: one that breaks soon after it counts as a failure.
                    messages += 1
                    if messages > 1 { failures = 0 }
                    requested = update.retry ?? requested
                    let received = options.clock.now()
                    await catchUp(with: update.revision, isBoundary: isBoundary(update, after: last))
                    busy += options.clock.now().timeIntervalSince(received)
                    last = ServerUpdate(revision: update.revision, boundary: update.boundary ?? last?.boundary)
                }
            } catch let failure { error = failure as? RequestError ?? RequestError(.unreachable, "\(failure)") }
            guard !Task.isCancelled else { return }
            let lasted = options.clock.now().timeIntervalSince(start) - busy
            if messages > 0, lasted > retry.longestDelay.inSeconds { failures = 0 }
            failures += 1
            let longer = max(requested ?? 0, error?.retryAfter ?? 0)
            let delay = Duration.seconds(
                retry.after(error).delay(afterFailures: failures, requested: longer, random: options.clock.random()))
            note { $0.events.append(.updatesEnded(error, retryIn: delay)) }
            guard (try? await options.clock.sleep(delay)) != nil else { return }
        }
    }

    /// Whether a boundary has passed since the latest response. After a time without connection, the first update shows
    /// it. The first of all is compared with the latest response: none is valid beyond the boundary that follows it.
    private func isBoundary(_ update: ServerUpdate, after last: ServerUpdate?) -> Bool {
        guard let boundary = update.boundary else { return false }
        if let last { return boundary != last.boundary }
        let now = options.clock.now()
        return note { state in
            state.schedule.isDue(
                state.schedule.limit(own: options.minimumInterval.inSeconds), for: state.user, now: now)
        }
    }

    /// How often a server is asked that announces a revision and does not send it: one of several may be late.
    private static let attempts = 3
    /// The longest time in seconds over which requests are spread after a boundary, such as the start of an experiment.
    private static let boundarySpread = 0.8

    /// - Parameter isBoundary: whether decisions have changed although the revision may not have.
    private func catchUp(with revision: String, isBoundary: Bool) async {
        let retry = options.retry.bounded
        var (answers, failures, rejections) = (0, 0, 0)
        let spread = options.updateSpread.inSeconds
        if isBoundary { await endOfRequest() }
        while !Task.isCancelled, latestRevision != revision || isBoundary && (answers == 0 || isExpiring) {
            let wait =
                answers + failures == 0
                ? (isBoundary ? min(spread, Self.boundarySpread) : spread) * options.clock.random()
                : retry.delay(afterFailures: answers + failures, random: options.clock.random())
            if wait > 0, (try? await options.clock.sleep(Duration(bounding: wait))) == nil { return }
            do throws(RefreshError) {
                try await refresh(ifOlderThan: .zero)
                answers += 1
                // If responses contain no revision, there is nothing to wait for.
                if answers == Self.attempts || latestRevision == nil { return }
            } catch {
                // Continue until the revision arrives: the next message may not come for days. But a response that the
                // client rejects would come whole each time, and stays so until the server changes. A request that
                // the server refuses is made again after the next message, or the next connection.
                failures += 1
                if case .rejected = error { rejections += 1 }
                if rejections == Self.attempts { return }
                if case .failed(let failure) = error, failure.isPermanent { return }
                guard case .throttled(let date) = error else { continue }
                let seconds = date.timeIntervalSince(options.clock.now())
                if (try? await options.clock.sleep(Duration(bounding: seconds))) == nil { return }
            }
        }
    }

    /// Waits for a request in flight, whose response may be from before a boundary.
    private func endOfRequest() async {
        let waiting = note { state -> (RequestInFlight, AsyncStream<RequestInFlight.Response>)? in
            guard let request = state.requests[state.user], let place = request.join() else { return nil }
            return (request, place)
        }
        if let (request, place) = waiting { _ = await request.response(place) }
    }

    /// Whether the latest response is about to expire, as one does of a server whose clock is late.
    private var isExpiring: Bool { note { $0.schedule.limit(own: .infinity) <= 2 } }
    private var latestRevision: String? { note { $0.latest?.document.revision } }
}

/// The source of updates of a client that knows no server's URL: each connection fails.
struct MissingUpdateSource: UpdateSource {
    func updates() -> AsyncThrowingStream<ServerUpdate, any Error> {
        AsyncThrowingStream { continuation in
            continuation.finish(
                throwing: RequestError(
                    .invalidRequest,
                    "the client has no source of updates; start it with the server's URL, or follow your own source"))
        }
    }
}
