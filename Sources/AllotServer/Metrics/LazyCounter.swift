import Metrics
import Synchronization

/// A counter that is registered when it is first needed: most experiments know few of all reasons.
final class LazyCounter: Sendable {
    private final class Box: Sendable {
        let counter: Counter

        init(_ counter: Counter) {
            self.counter = counter
        }
    }

    private let box = AtomicLazyReference<Box>()

    func increment(_ make: () -> Counter) {
        let box = box.load() ?? self.box.storeIfNil(Box(make()))
        box.counter.increment()
    }
}
