/// Tests how good a bucketing function is: whether units get variants in the expected shares, whether
/// different salts are independent, and whether A/A comparisons find differences as rarely as they should.
///
/// Every unit goes through every randomisation by itself, see ``Randomisation``. The results are the same whatever the
/// number of tasks. Memory does not grow with the number of units, except that a hash of each unit of a file is
/// remembered, to find those that come again: 16 to 32 bytes a unit.
///
/// ```swift
/// import Allot
///
/// let study = DistributionStudy(Randomisation.all(of: try Plan.load(folder: "Experiments")))
/// let sample = try await study.sample(GeneratedUnits(.uuid, count: 100_000))
/// print(DistributionReport(study, samples: [sample]).verdict)
/// ```
public struct DistributionStudy: Sendable {
    /// The function that is tested.
    public var function: any BucketingFunction = AllotBucketing()
    /// The randomisations of each unit.
    public var randomisations: [Randomisation]
    var leftOut: [String] = []
    /// The number of salts of the A/A comparisons, 0 for none.
    public var saltCount = 1000
    /// The number of units that each of those salts splits, at most; the first ones of the source.
    public var saltUnitCount = 10_000
    /// The seed of the salts of the A/A comparisons and of their randomised p-values.
    public var seed: UInt64 = 1
    /// The number of tasks that work at once, at least 1; there is one thread for each core at most.
    public var taskCount = 1

    // What people may choose.
    package static let saltCounts = 0...1_000_000
    package static let saltUnitCounts = 100...1_000_000
    package static let generatedUnitCounts = 100...1_000_000_000
    package static let customaryGeneratedUnitCount = 1_000_000

    /// Creates a study of Allot's bucketing.
    public init(_ randomisations: [Randomisation]) { self.randomisations = randomisations }

    /// Works through several sources, one after another, and judges all samples together.
    public func report(
        on sources: [any UnitSource], alarmLevel: Double = DistributionReport.standardAlarmLevel,
        progress: @escaping @Sendable (_ hashCount: Int) -> Void = { _ in }
    ) async throws -> DistributionReport {
        var samples: [DistributionSample] = []
        for source in sources { samples.append(try await sample(source, progress: progress)) }
        return DistributionReport(self, samples: samples, alarmLevel: alarmLevel)
    }

    /// How many unit IDs are hashed for some sources; `nil` if the size of one is not known.
    public func hashCount(of sources: [any UnitSource]) -> Int? {
        let counts = sources.compactMap(\.expectedCount)
        guard counts.count == sources.count else { return nil }
        return counts.reduce(0) { $0 + $1 * randomisations.count + saltCount * min($1, saltUnitCount) }
    }

    /// Puts the unit IDs of a source through every randomisation, and through the A/A comparisons.
    ///
    /// Complexity: O(units × randomisations) hashes and O(units × pairs / 64) steps.
    public func sample(
        _ source: any UnitSource, progress: @escaping @Sendable (_ hashCount: Int) -> Void = { _ in }
    ) async throws -> DistributionSample {
        let layout = StudyLayout(randomisations, function: function)
        let counted = try await withThrowingTaskGroup(of: Counted.self) { group in
            for _ in 0..<max(taskCount, 1) { group.addTask { try count(source, layout: layout, progress: progress) } }
            var sum: Counted?
            while let next = try await group.next() {
                if sum == nil { sum = next } else { sum?.add(next) }
            }
            return sum ?? Counted(tally: StudyTally(layout))
        }
        let trial = await trial(on: counted.units(atMost: saltUnitCount), progress: progress)
        return DistributionSample(counted.tally, layout: layout, name: source.name, notes: source.notes, trial: trial)
    }

    private struct Counted: Sendable {
        var tally: StudyTally
        /// By how many unit IDs come before each block: blocks come in any order.
        var first: [Int: UnitBlock] = [:]

        mutating func add(_ other: Counted) {
            tally.add(other.tally)
            first.merge(other.first) { $1 }
        }

        func units(atMost limit: Int) -> [UnitBlock] {
            first.sorted { $0.key < $1.key }.filter { $0.key < limit }.map { $0.value.prefix(limit - $0.key) }
        }
    }

    private func count(
        _ source: any UnitSource, layout: StudyLayout, progress: @Sendable (Int) -> Void
    ) throws -> Counted {
        var counted = Counted(tally: StudyTally(layout))
        var block = UnitBlock()
        while let start = try source.next(into: &block) {
            try Task.checkCancellation()
            counted.tally.add(block)
            if saltCount > 0, start < saltUnitCount { counted.first[start] = block }
            progress(block.count * randomisations.count)
        }
        return counted
    }
}
