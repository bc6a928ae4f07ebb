/// A part of the configuration in force, and each other one that takes its place.
///
/// The first element is the present one and comes at once. Elements come to the actor that asks for them. A listener that
/// is slower than the changes gets the newest. It ends with the task that listens, or with the client.
public struct ConfigurationUpdates<Element: Sendable>: AsyncSequence, Sendable {
    private let hub: ConfigurationHub
    private let part: @Sendable (Configuration) -> Element
    private let isSame: @Sendable (Element, Element) -> Bool

    init(_ hub: ConfigurationHub, part: @escaping @Sendable (Configuration) -> Element) where Element: Equatable {
        self.hub = hub
        self.part = part
        isSame = { $0 == $1 }
    }

    init(
        _ hub: ConfigurationHub, part: @escaping @Sendable (Configuration) -> Element,
        isSame: @escaping @Sendable (Element, Element) -> Bool
    ) {
        self.hub = hub
        self.part = part
        self.isSame = isSame
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(hub: hub, wakes: hub.wakes().makeAsyncIterator(), part: part, isSame: isSame)
    }

    /// Waits for elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let hub: ConfigurationHub
        var wakes: AsyncStream<Void>.Iterator
        let part: @Sendable (Configuration) -> Element
        let isSame: @Sendable (Element, Element) -> Bool
        var last: Element?

        /// The next element that differs from the last.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            if last == nil {
                guard !Task.isCancelled else { return nil }
                last = part(hub.current)
                return last
            }
            while await wakes.next(isolation: actor) != nil {
                // Always what is in force now: a change that was overtaken by another is not shown.
                let element = part(hub.current)
                if let last, isSame(last, element) { continue }
                last = element
                return element
            }
            return nil
        }
    }
}
