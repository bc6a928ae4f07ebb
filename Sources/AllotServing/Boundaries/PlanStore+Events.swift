import AsyncAlgorithms

extension PlanStore {
    /// The messages of `GET /events`: the current state, each one that follows it, and signs of life between them. A
    /// client that hears nothing for 45 seconds connects again, and a client that has left is noticed when something is
    /// written.
    ///
    /// ```swift
    /// import Allot
    ///
    /// let plans = PlanStore(try Plan.load(folder: "Experiments"), loadedAt: .now)
    /// for try await text in plans.serverSentEvents() { print(text, terminator: "") }
    /// ```
    ///
    /// - Parameter heartbeat: the time between two signs of life.
    public func serverSentEvents(
        heartbeat: Duration = .seconds(15)
    ) -> some AsyncSequence<String, any Error> & Sendable {
        merge(changes().map { $0.serverSentEvent }, Self.signsOfLife(heartbeat))
    }

    /// The messages of `GET /events`, and `nil` once `end` has an element: nothing may be sent after it.
    package func serverSentEvents(
        heartbeat: Duration, until end: AsyncStream<Void>
    ) -> some AsyncSequence<String?, any Error> & Sendable {
        merge(
            changes().map { Optional($0.serverSentEvent) }, Self.signsOfLife(heartbeat).map { Optional($0) },
            end.map { nil })
    }

    private static func signsOfLife(_ heartbeat: Duration) -> some AsyncSequence<String, Never> & Sendable {
        AsyncTimerSequence(interval: heartbeat, clock: .continuous).map { _ in ": alive\n\n" }
    }
}
