import Allot
import AllotDefinitions
import CBaseline
import Foundation
import Timing

/// Times of checking, compiling and deciding definitions of any size, as `Benchmarks/scale/generate.py` writes them.
@main
enum MeasureScale {
    private static let instant = Instant(seconds: 1_795_262_400)

    static func main() throws {
        guard let folder = CommandLine.arguments.dropFirst().first else {
            print(
                """
                usage: MeasureScale FOLDER [TEXT]
                python3 Benchmarks/scale/generate.py FOLDER writes one. Only what has TEXT in its name is measured.
                """)
            exit(64)
        }
        var limits = DefinitionLimits()
        limits.settings = .max
        limits.valueBytes = .max
        let loader = DefinitionsLoader(now: instant, limits: limits)
        let before = processorSeconds()
        let plan = try loader.load(folder: folder).plan
        let seconds = processorSeconds() - before
        report("experiments, layers", "\(plan.experiments.count), \(plan.layers.count)")
        report("load, check and compile, processor time", "\(rounded(seconds)) s")
        report("resident memory with the plan, and at most", "\(memory("VmRSS")) MB, \(memory("VmHWM")) MB")
        decisions(plan, only: CommandLine.arguments.dropFirst(2).first ?? "")
    }

    private static func decisions(_ plan: Plan, only text: String) {
        let subjects = (0..<64).map { index in
            var subject = Subject(id: "0f8fad5b-d9cb-469f-a165-70867728\(index + 1000)")
            subject.setUntyped("device_id", "7c9e6679-7425-40de-944b-e07fc1f9\(index + 1000)")
            subject.setUntyped("country", ["DE", "US", "FR", "JP"][index % 4])
            subject.setUntyped("signup_country", ["FI", "US", "NL", "JP"][index % 4])
            subject.setUntyped("platform", index % 3 == 0 ? "ios" : "web")
            subject.setUntyped("language", "en")
            subject.setUntyped("plan", "premium")
            subject.setUntyped("app_version", "\(index % 9 + 1).4.0")
            subject.setUntyped("connections", "\(index * 37)")
            subject.setUntyped("age_days", "\(index * 5)")
            return subject
        }
        let prepared = subjects.map { PreparedSubject($0, for: plan) }
        // Any experiment follows any other, as requests do.
        var generator = SplitMix64(state: 1)
        let order = plan.experiments.indices.shuffled(using: &generator)
        let keys = order.map { plan.experiments[$0].key }
        let works = [
            Stopwatch.Work(name: "bare compression in C", operations: 100_000) { baseline_compress(100_000) },
            Stopwatch.Work(name: "decide one experiment, by its key", operations: keys.count) {
                var evaluator = Evaluator(plan: plan, at: instant)
                var sum = 0
                for (number, subject) in prepared.enumerated() {
                    sum &+= decide(part(number, of: keys, prepared.count), plan, subject, &evaluator)
                }
                return UInt64(truncatingIfNeeded: sum)
            },
            Stopwatch.Work(name: "decide one experiment, by its index", operations: keys.count) {
                var evaluator = Evaluator(plan: plan, at: instant)
                var sum = 0
                for (number, subject) in prepared.enumerated() {
                    for index in part(number, of: order, prepared.count) {
                        sum &+= evaluator.decide(index, for: subject).bucket ?? 1
                    }
                }
                return UInt64(truncatingIfNeeded: sum)
            },
            repeated(10, of: keys, plan, prepared), repeated(100, of: keys, plan, prepared),
            repeated(1000, of: keys, plan, prepared),
            Stopwatch.Work(name: "decide all experiments for a unit", operations: 16) {
                var evaluator = Evaluator(plan: plan, at: instant)
                var sum = 0
                for subject in prepared.prefix(16) {
                    evaluator.evaluate(subject)
                    sum &+= evaluator.decision(of: 0).bucket ?? 1
                }
                return UInt64(truncatingIfNeeded: sum)
            },
            Stopwatch.Work(name: "from Subject to configuration bytes", operations: 16) {
                var sum = 0
                for subject in subjects.prefix(16) { sum &+= plan.configurationBytes(for: subject, at: instant).count }
                return UInt64(sum)
            },
        ]
        let chosen = works.prefix(1) + works.dropFirst().filter { text.isEmpty || $0.name.contains(text) }
        let results = Stopwatch.measure(Array(chosen), rounds: 21)
        for result in results {
            let ratio = rounded(result.nanoseconds / results[0].nanoseconds)
            report(result.name, "\(rounded(result.nanoseconds)) ns   \(ratio) x")
        }
        report("a configuration", "\(plan.configurationBytes(for: subjects[0], at: instant).count) bytes")
        let assigned = plan.assignments(for: subjects[0], at: instant).count { $0.variant != nil }
        report("variants assigned to a unit", "\(assigned)")
    }

    /// The same experiments again and again, by key, as an app asks for those that it knows.
    private static func repeated(
        _ count: Int, of keys: [String], _ plan: Plan, _ subjects: [PreparedSubject]
    ) -> Stopwatch.Work {
        let keys = keys.prefix(count)
        let rounds = 40_000 / max(keys.count, 1)
        return Stopwatch.Work(
            name: "decide \(keys.count) of the experiments again and again, by key", operations: rounds * keys.count
        ) {
            var evaluator = Evaluator(plan: plan, at: instant)
            var sum = 0
            for round in 0..<rounds { sum &+= decide(keys, plan, subjects[round % subjects.count], &evaluator) }
            return UInt64(truncatingIfNeeded: sum)
        }
    }

    /// Decides experiments for one subject, as a request asks for some.
    private static func decide(
        _ keys: ArraySlice<String>, _ plan: Plan, _ subject: borrowing PreparedSubject, _ evaluator: inout Evaluator
    ) -> Int {
        var sum = 0
        for position in keys.indices {
            guard let index = plan.index(of: keys.span[position - keys.startIndex]) else { continue }
            sum &+= evaluator.decide(index, for: subject).bucket ?? 1
        }
        return sum
    }

    /// One of several parts of nearly the same size.
    private static func part<Element>(_ number: Int, of elements: [Element], _ count: Int) -> ArraySlice<Element> {
        elements[elements.count * number / count..<elements.count * (number + 1) / count]
    }

    // MARK: Output

    private static func report(_ name: String, _ value: String) {
        print(name + String(repeating: " ", count: max(1, 60 - name.count)) + value)
    }

    private static func rounded(_ value: Double) -> String {
        String(format: "%.2f", value)
    }

    /// The processor time of the process so far, in user mode and in the kernel.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A line of `/proc/self/status`, in MB.
    private static func memory(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
        return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) / 1024
    }
}

/// Random numbers that are the same in each run, after Vigna (public domain).
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
