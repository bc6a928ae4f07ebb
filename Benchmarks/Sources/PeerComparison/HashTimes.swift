import Allot
import AllotAnalysis
import Timing

/// What a bucket costs.
public enum HashTimes {
    private static let unitCount = 16_384

    /// Nanoseconds for a unit ID (a UUID) on one core, for each function: the median of many rounds.
    public static func measure(_ functions: [any BucketingFunction], rounds: Int = 101) -> [Double] {
        var block = UnitBlock()
        guard let salt = Salt("exp-1"), GeneratedUnits(.uuid, count: unitCount).next(into: &block) != nil else {
            return []
        }
        let units = block
        let works = functions.map { function in
            var buckets = UnitBuckets(count: unitCount)
            return Stopwatch.Work(name: function.name, operations: unitCount) {
                function.fill(&buckets, for: units, under: .sha256(salt))
                return UInt64(buckets.second[unitCount - 1])
            }
        }
        return Stopwatch.measure(works, rounds: rounds).map(\.nanoseconds)
    }
}
