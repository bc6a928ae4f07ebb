import Foundation

/// Times pieces of work in turns, so that a busy machine slows all of them alike, and keeps the median of each.
public enum Stopwatch {
    /// A piece of work: how many operations it does, and the doing.
    public struct Work {
        /// What it is called.
        public let name: String
        let operations: Int
        let run: () -> UInt64

        /// Names a piece of work.
        ///
        /// - Parameters:
        ///   - operations: how many operations one run does, 1 or more.
        ///   - run: does them; returns something that depends on all of them, and 0 if it found nothing to do.
        public init(name: String, operations: Int, run: @escaping () -> UInt64) {
            self.name = name
            self.operations = operations
            self.run = run
        }
    }

    /// The median time of one operation.
    public struct Result: Sendable {
        public let name: String
        public let nanoseconds: Double
    }

    /// Runs each piece of work `rounds` times, one after another in each round. The program ends with an error if one
    /// finds nothing to do, since its time would mean nothing.
    public static func measure(_ works: [Work], rounds: Int) -> [Result] {
        var times = works.map { _ in [Double]() }
        var sink: UInt64 = 0
        for round in 0...rounds {
            for (index, work) in works.enumerated() {
                let start = ContinuousClock.now
                let value = work.run()
                let duration = (ContinuousClock.now - start).components
                let nanoseconds = Double(duration.seconds) * 1e9 + Double(duration.attoseconds) / 1e9
                guard value != 0 else { fail("\(work.name): found nothing to measure") }
                sink &+= value
                // The first round warms up.
                if round > 0 { times[index].append(nanoseconds / Double(work.operations)) }
            }
        }
        keep(sink)
        return zip(works, times).map { Result(name: $0.name, nanoseconds: $1.sorted()[$1.count / 2]) }
    }

    /// Ends the program with a message: there is nothing to measure.
    public static func fail(_ message: String) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
        exit(1)
    }

    /// Keeps the optimiser from dropping work whose result is not used.
    @inline(never)
    public static func keep(_ value: UInt64) {
        if value == 0x5eed { print("") }
    }
}
