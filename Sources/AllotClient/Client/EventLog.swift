import AllotFiles

/// The events of a client, which are logged and sent to subscribers one after another.
final class EventLog: Sendable {
    let subscribers = Broadcast<ConfigurationEvent>()
    private let log: @Sendable (ConfigurationEvent) -> Void
    private let sending = Lock(())

    init(_ log: @escaping @Sendable (ConfigurationEvent) -> Void) {
        self.log = log
    }

    /// Logs and sends events.
    ///
    /// - Parameter take: returns the events that happened, after those of earlier calls were sent.
    func send(_ take: () -> [ConfigurationEvent]) {
        sending.withLock { _ in
            for event in take() {
                log(event)
                subscribers.send(event)
            }
        }
    }
}
