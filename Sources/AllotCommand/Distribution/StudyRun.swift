import AllotAnalysis
import Synchronization

/// A study with a progress bar.
struct StudyRun: Sendable {
    private let study: DistributionStudy
    private let sources: [any UnitSource]

    init(_ study: DistributionStudy, sources: [any UnitSource]) {
        self.study = study
        self.sources = sources
    }

    /// Works through the sources, one after another.
    func report(alarmLevel: Double) async throws -> DistributionReport {
        let counts = sources.map(study.hashCount)
        let total = counts.contains(nil) ? nil : counts.reduce(0) { $0 + ($1 ?? 0) }
        let bar = ProgressBar(total: total, isAllowed: true, unit: "million hashes")
        defer { bar.clear() }
        let done = HashCounter()
        var samples: [DistributionSample] = []
        for source in sources {
            samples.append(try await study.sample(source) { bar.show(done.add($0)) })
        }
        return DistributionReport(study, samples: samples, alarmLevel: alarmLevel)
    }
}

/// How many unit IDs all threads together have hashed.
private final class HashCounter: Sendable {
    private let count = Atomic<Int>(0)

    /// Adds; returns the sum.
    func add(_ more: Int) -> Int {
        count.add(more, ordering: .relaxed).newValue
    }
}
