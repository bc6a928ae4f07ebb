extension ConfigurationClient {
    /// Asks the server whenever it tells that another revision is in force, until the task is cancelled.
    ///
    ///     let following = Task { await client.follow(URLSessionUpdateSource(server: server)) }
    ///
    /// What comes is in force when ``ClientOptions/activation`` says so. A connection that ends is made again, after a wait
    /// that doubles with each failure; how it ended is an event.
    public func follow(_ source: any UpdateSource) async {
        var failures = 0
        while !Task.isCancelled {
            var wish: Double?
            var error: DownloadError?
            do {
                for try await update in source.updates() {
                    failures = 0
                    wish = update.retry ?? wish
                    await catchUp(with: update.revision)
                }
            } catch let failure {
                error = failure as? DownloadError ?? DownloadError(.unreachable, "\(failure)")
            }
            guard !Task.isCancelled else { return }
            failures += 1
            let delay = options.retry.delay(afterFailures: failures, random: options.random())
            let wait = max(wish ?? 0, error?.retryAfter ?? 0, delay)
            note { $0.events.append(.updatesEnded(error, retryIn: wait)) }
            guard (try? await options.sleep(.seconds(wait))) != nil else { return }
        }
    }

    /// How often a server is asked that tells of a revision and does not send it: of several servers behind one address
    /// some may be later than others.
    private static let attempts = 3

    private func catchUp(with revision: String) async {
        for attempt in 1...Self.attempts {
            guard !Task.isCancelled, latestRevision != revision else { return }
            let wait =
                attempt == 1
                ? options.updateSpread.inSeconds * options.random()
                : options.retry.delay(afterFailures: attempt - 1, random: options.random())
            if wait > 0, (try? await options.sleep(.seconds(wait))) == nil { return }
            // What goes wrong is an event, and asked again by the request itself.
            guard (try? await refresh(ifOlderThan: .zero)) != nil else { return }
        }
    }

    /// The revision that the last answer for the user in force was made from.
    private var latestRevision: String? {
        note { $0.latest?.document.revision }
    }
}
