import Allot

/// Tests how good a bucketing function is: whether units get variants in the shares that were asked for, whether
/// different salts are independent, and whether A/A comparisons find differences as rarely as they should.
///
///     var study = DistributionStudy(Randomisation.all(of: plan))
///     study.saltCount = 10_000
///     let sample = try await study.sample(GeneratedUnits(.uuid, count: 1_000_000))
///     let report = DistributionReport(study, samples: [sample])
///     print(report.verdict)
///
/// Every unit goes through every randomisation by itself, see ``Randomisation``. The results are the same whatever the
/// number of tasks. Memory is bounded: it does not grow with the number of units.
public struct DistributionStudy: Sendable {
    /// What is tested.
    public var function: any BucketingFunction = AllotBucketing()
    /// What is randomised.
    public var randomisations: [Randomisation]
    /// The number of salts of the A/A comparisons, 0 for none.
    public var saltCount = 1000
    /// The number of units that each of those salts splits, at most; the first ones of the source.
    public var saltUnitCount = 10_000
    /// What the salts of the A/A comparisons and their randomised p-values depend on.
    public var seed: UInt64 = 1
    /// The number of tasks that work at once, at least 1; there is one thread for each core at most.
    public var taskCount = 1

    /// Creates a study of Allot's bucketing.
    public init(_ randomisations: [Randomisation]) {
        self.randomisations = randomisations
    }

    /// How many unit IDs are hashed for a source, if its size is known.
    public func hashCount(of source: any UnitSource) -> Int? {
        source.expectedCount.map { count in
            count * randomisations.count + saltCount * min(count, saltUnitCount)
        }
    }

    /// Puts the unit IDs of a source through every randomisation, and through the A/A comparisons.
    ///
    /// Complexity: O(units × randomisations) hashes and O(units × pairs / 64) steps.
    ///
    /// - Parameter progress: is told how many more unit IDs were hashed, from any thread.
    /// - Parameter source: Where the unit IDs come from.
    /// - Throws: what the source throws.
    public func sample(
        _ source: any UnitSource, progress: @escaping @Sendable (_ hashCount: Int) -> Void = { _ in }
    ) async throws -> DistributionSample {
        let layout = StudyLayout(randomisations, function: function)
        let counted = try await withThrowingTaskGroup(of: Counted.self) { group in
            for _ in 0..<max(taskCount, 1) {
                group.addTask { try count(source, layout: layout, progress: progress) }
            }
            var sum: Counted?
            while let next = try await group.next() {
                if sum == nil { sum = next } else { sum?.add(next) }
            }
            return sum ?? Counted(tally: StudyTally(layout))
        }
        let trial = await SaltSplitting(
            function: function, units: counted.head.units(atMost: saltUnitCount), saltCount: saltCount, seed: seed
        ).trial(taskCount: taskCount, progress: progress)
        return DistributionSample(
            counted.tally, layout: layout, name: source.name, notes: source.notes, trial: trial)
    }

    /// What a task has counted, and the first units of the source, as far as it has met them.
    private struct Counted: Sendable {
        var tally: StudyTally
        var head = SampleHead()

        mutating func add(_ other: Counted) {
            tally.add(other.tally)
            head.add(other.head)
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
            if saltCount > 0, start < saltUnitCount { counted.head.add(block, at: start) }
            progress(block.count * randomisations.count)
        }
        return counted
    }
}
