import struct Foundation.Date

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
            var error: RequestError?
            do {
                var messages = 0
                for try await update in source.updates() {
                    // Each connection begins with a message: one that is cut behind it is no better than none.
                    messages += 1
                    if messages > 1 { failures = 0 }
                    wish = update.retry ?? wish
                    await catchUp(with: update.revision)
                }
            } catch let failure {
                error = failure as? RequestError ?? RequestError(.unreachable, "\(failure)")
            }
            guard !Task.isCancelled else { return }
            failures += 1
            let requested = max(wish ?? 0, error?.retryAfter ?? 0)
            let delay = Duration.seconds(
                options.retry.delay(afterFailures: failures, requested: requested, random: options.random()))
            note { $0.events.append(.updatesEnded(error, retryIn: delay)) }
            guard (try? await options.sleep(delay)) != nil else { return }
        }
    }

    /// How often a server is asked that tells of a revision and does not send it: of several servers behind one address
    /// some may be later than others.
    private static let attempts = 3

    private func catchUp(with revision: String) async {
        var (answers, failures) = (0, 0)
        while !Task.isCancelled, latestRevision != revision {
            let wait =
                answers + failures == 0
                ? options.updateSpread.inSeconds * options.random()
                : options.retry.delay(afterFailures: answers + failures, random: options.random())
            if wait > 0, (try? await options.sleep(Duration(bounding: wait))) == nil { return }
            do throws(RefreshError) {
                try await refresh(ifOlderThan: .zero)
                answers += 1
                // A server that names no revision in its answers gives nothing to wait for.
                if answers == Self.attempts || latestRevision == nil { return }
            } catch {
                // What was told of is wanted until it is there: another message may not come for days.
                failures += 1
                guard case .throttled(let date) = error else { continue }
                let seconds = date.timeIntervalSince(options.now())
                if (try? await options.sleep(Duration(bounding: seconds))) == nil { return }
            }
        }
    }

    /// The revision that the last answer for the user in force was made from.
    private var latestRevision: String? {
        note { $0.latest?.document.revision }
    }
}
