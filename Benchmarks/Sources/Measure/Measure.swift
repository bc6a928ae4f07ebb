import Allot
import AllotConfiguration
import AllotDefinitions
import CBaseline
import Timing

/// Times of hashing and of deciding, as ratios to the bare compression function in the same run.
@main
enum Measure {
    private static let count = 100_000
    private static let instant = Instant(seconds: 1_795_262_400)

    static func main() throws {
        let folder = CommandLine.arguments.dropFirst().first ?? "Experiments"
        do {
            _ = try DefinitionsLoader(now: instant).load(folder: folder)
        } catch {
            Stopwatch.fail("\(error)")
        }
        let units = (0..<2048).map { "0f8fad5b-d9cb-469f-a165-70867728\($0 + 1000)" }
        let evaluations = try ["everyone", "two comparisons", "20 experiments, 10 with audiences"].map(Evaluation.init)
        let works =
            [
                Stopwatch.Work(name: "bare compression in C", operations: count) { baseline_compress(count) },
                hashing(units),
                hashingTogether(units),
                Stopwatch.Work(name: "one-shot SHA256() in C", operations: count) { baseline_one_shot(count) },
            ] + evaluations.map { $0.work(count: count / 10) } + [
                try Self.configuration("20 experiments", Definitions.plan("20 experiments, 10 with audiences"), 10),
                try Self.configuration(
                    "20 experiments, 100 settings", Definitions.served(count: 20, perLayer: 0), 10),
                try Self.configuration(
                    "1,000 experiments in 50 layers", Definitions.served(count: 1000, perLayer: 20), 100),
            ]
        let results = Stopwatch.measure(works, rounds: 31)
        let baseline = results[0].nanoseconds
        for result in results {
            report(result.name, "\(rounded(result.nanoseconds)) ns", ratio: result.nanoseconds / baseline)
        }
        for evaluation in evaluations {
            let allocations = evaluation.allocations(count: count / 10)
            report("allocations in \(count / 10) evaluations: \(evaluation.name)", "\(allocations)", ratio: nil)
        }
        loading(folder)
    }

    private static func hashing(_ units: [String]) -> Stopwatch.Work {
        let hash = Salt("checkout-button").map(SaltedHash.init)
        let bytes = units.flatMap { Array($0.utf8) }
        return Stopwatch.Work(name: "both buckets of a 36-byte unit ID", operations: count) {
            var sum = 0
            guard let hash else { return 0 }
            let span = bytes.span
            for index in 0..<count {
                let start = (index & 255) * 36
                let buckets = hash.buckets(of: span.extracting(start..<start + 36))
                sum &+= buckets.first ^ buckets.second
            }
            return UInt64(truncatingIfNeeded: sum)
        }
    }

    private static func hashingTogether(_ units: [String]) -> Stopwatch.Work {
        let hash = Salt("checkout-button").map(SaltedHash.init)
        let (bytes, ends) = (units.flatMap { Array($0.utf8) }, (1...units.count).map { $0 * 36 })
        var firsts = [UInt32](repeating: 0, count: units.count)
        var seconds = firsts
        let calls = count / units.count
        return Stopwatch.Work(
            name: "both buckets of 36-byte unit IDs, 2,048 in one call", operations: calls * units.count
        ) {
            guard let hash else { return 0 }
            var sum: UInt32 = 0
            for _ in 0..<calls {
                Bucketing.fill(&firsts, &seconds, of: bytes.span, ends: ends.span, under: hash)
                sum &+= firsts[0] ^ seconds[units.count - 1]
            }
            return UInt64(sum)
        }
    }

    private static func configuration(_ name: String, _ plan: Plan, _ part: Int) throws -> Stopwatch.Work {
        let count = count / part
        let subject = Evaluation.subjects[0]
        return Stopwatch.Work(name: "\(name), from Subject to configuration bytes", operations: count) {
            var sum = 0
            for _ in 0..<count { sum &+= plan.configurationBytes(for: subject, at: instant).count }
            return UInt64(sum)
        }
    }

    private static func loading(_ folder: String) {
        let work = Stopwatch.Work(name: "load and check \(folder)", operations: 1) {
            UInt64((try? DefinitionsLoader(now: instant).load(folder: folder).plan.experiments.count) ?? 0)
        }
        let result = Stopwatch.measure([work], rounds: 21)[0]
        report(result.name, "\(rounded(result.nanoseconds / 1e6)) ms", ratio: nil)
    }

    private static func report(_ name: String, _ value: String, ratio: Double?) {
        let padding = String(repeating: " ", count: max(1, 60 - name.count))
        print(name + padding + value + (ratio.map { "   \(rounded($0)) x" } ?? ""))
    }

    private static func rounded(_ value: Double) -> String {
        let scaled = Int(value * 100 + 0.5)
        return "\(scaled / 100).\(scaled % 100 < 10 ? "0" : "")\(scaled % 100)"
    }
}
