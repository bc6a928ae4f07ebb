import Synchronization

/// Threads for pieces of work that do not depend on each other. The core has none of its own: callers lend them.
package struct Workers: Sendable {
    /// Calls a function with 0 ..< the count, in any order, at the same time or not, and returns when all calls have.
    /// The function may itself call `Perform`.
    package typealias Perform = @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> Void

    private let perform: Perform

    package init(_ perform: @escaping Perform) { self.perform = perform }

    /// The caller's own thread.
    package static let none = Workers { count, body in
        for index in 0..<count { body(index) }
    }

    /// The results of a function for 0 ..< the count, in order. One call of a thread makes `chunk` of them: many, if
    /// each takes little time.
    package func map<Result: Sendable>(
        _ count: Int, chunk: Int = 1, _ body: @escaping @Sendable (Int) -> Result
    ) -> [Result] {
        let chunks = (count + chunk - 1) / chunk
        let results = Results(Array(repeating: [Result](), count: chunks))
        perform(chunks) { number in
            let found = (number * chunk..<min((number + 1) * chunk, count)).map(body)
            results.values.withLock { $0[number] = found }
        }
        var all: [Result] = []
        all.reserveCapacity(count)
        for found in results.values.withLock({ $0 }) { all += found }
        return all
    }

    package func both<First: Sendable, Second: Sendable>(
        _ first: @escaping @Sendable () -> First, _ second: @escaping @Sendable () -> Second
    ) -> (First, Second) {
        let results = Results<(First?, Second?)>((nil, nil))
        perform(2) { number in
            if number == 0 {
                let result = first()
                results.values.withLock { $0.0 = result }
            } else {
                let result = second()
                results.values.withLock { $0.1 = result }
            }
        }
        let (one, other) = results.values.withLock { $0 }
        guard let one, let other else { preconditionFailure("the workers did not do all work") }
        return (one, other)
    }

    /// The results of the calls of a function, together.
    private final class Results<Values: Sendable>: Sendable {
        let values: Mutex<Values>

        init(_ values: Values) { self.values = Mutex(values) }
    }
}
