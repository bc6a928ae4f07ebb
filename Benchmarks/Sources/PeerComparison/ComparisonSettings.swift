import AllotAnalysis

/// How much is tested.
public struct ComparisonSettings: Sendable {
    /// What the unit IDs look like.
    public var shapes = UnitShape.allCases
    /// The number of unit IDs of each shape.
    public var unitCount = 100_000
    /// The number of salts of the A/A comparisons, for each shape.
    public var trialSaltCount = 10_000
    /// The number of units that each of those salts splits.
    public var trialUnitCount = 10_000
    /// What random unit IDs depend on.
    public var seed: UInt64 = 1
    /// The number of tasks that work at once.
    public var taskCount = 2

    /// The settings of the README.
    public init() {}

    /// Puts a function through the tests of `allot distribution`: every salt of ``RealisticSalts`` splits the units of
    /// each shape in halves.
    public func report(on function: any BucketingFunction) async -> DistributionReport {
        var study = DistributionStudy(
            RealisticSalts.all.map { Randomisation(.experiment, name: $0.text, hash: .sha256($0), categories: []) })
        study.function = function
        study.saltCount = trialSaltCount
        study.saltUnitCount = trialUnitCount
        study.seed = seed
        study.taskCount = taskCount
        var samples: [DistributionSample] = []
        for shape in shapes {
            // Generated units do not throw.
            if let sample = try? await study.sample(GeneratedUnits(shape, count: unitCount, seed: seed)) {
                samples.append(sample)
            }
        }
        return DistributionReport(study, samples: samples)
    }
}
