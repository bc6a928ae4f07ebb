import struct Foundation.Date

extension ConfigurationClient {
    /// Subscribes to the server's events and refreshes whenever its revision changes, until the task is cancelled.
    ///
    /// ```swift
    /// import Foundation
    ///
    /// func follow(_ client: ConfigurationClient, server: URL) -> Task<Void, Never> {
    ///     Task { await client.follow(URLSessionUpdateSource(server: server)) }
    /// }
    /// ```
    ///
    /// ``ClientOptions/activation`` determines when a fetched configuration becomes the current one. After the end of a
    /// connection, which is an event, another one is made; the delay doubles with each failure.
    public func follow(_ source: any UpdateSource) async {
        var failures = 0
        while !Task.isCancelled {
            var requested: Double?
            var error: RequestError?
            do {
                var messages = 0
                for try await update in source.updates() {
                    // Each connection begins with a message: one that breaks after it counts as a failure.
                    messages += 1
                    if messages > 1 { failures = 0 }
                    requested = update.retry ?? requested
                    await catchUp(with: update.revision)
                }
            } catch let failure {
                error = failure as? RequestError ?? RequestError(.unreachable, "\(failure)")
            }
            guard !Task.isCancelled else { return }
            failures += 1
            let longer = max(requested ?? 0, error?.retryAfter ?? 0)
            let delay = Duration.seconds(
                options.retry.delay(afterFailures: failures, requested: longer, random: options.clock.random()))
            note { $0.events.append(.updatesEnded(error, retryIn: delay)) }
            guard (try? await options.clock.sleep(delay)) != nil else { return }
        }
    }

    /// How often a server is asked that announces a revision but does not send it: of several servers with one address,
    /// some may be late.
    private static let attempts = 3

    private func catchUp(with revision: String) async {
        var (answers, failures) = (0, 0)
        while !Task.isCancelled, latestRevision != revision {
            let wait =
                answers + failures == 0
                ? options.updateSpread.inSeconds * options.clock.random()
                : options.retry.delay(afterFailures: answers + failures, random: options.clock.random())
            if wait > 0, (try? await options.clock.sleep(Duration(bounding: wait))) == nil { return }
            do throws(RefreshError) {
                try await refresh(ifOlderThan: .zero)
                answers += 1
                // If responses contain no revision, there is nothing to wait for.
                if answers == Self.attempts || latestRevision == nil { return }
            } catch {
                // Continue until the revision arrives: the next message may not come for days.
                failures += 1
                guard case .throttled(let date) = error else { continue }
                let seconds = date.timeIntervalSince(options.clock.now())
                if (try? await options.clock.sleep(Duration(bounding: seconds))) == nil { return }
            }
        }
    }

    /// The revision in the latest response for the current user.
    private var latestRevision: String? {
        note { $0.latest?.document.revision }
    }
}
