import AllotConfiguration
import AllotCore
import TestSupport

@testable import AllotAnalysis

extension Definitions {
    /// Definitions of experiments alone.
    init(_ experiments: [ExperimentDefinition]) {
        self.init(base: [:], meta: [:], layers: [], holdouts: [], experiments: experiments)
    }
}

extension Traffic {
    /// Steps at seconds since 1970.
    static func steps(_ steps: KeyValuePairs<Int64, Int>) -> Traffic {
        .steps(steps.map { .init(from: Instant(seconds: $0.key), share: $0.value) })
    }
}

extension BucketRegion {
    /// Whether buckets lie in it.
    func contains(_ bucket: (BucketDimension) -> Int) -> Bool {
        boxes.contains { $0.sets.allSatisfy { dimension, set in set.contains(bucket(dimension)) } }
    }
}

extension SeededGenerator {
    /// Some parts that share all buckets in scattered ranges.
    mutating func parts(_ count: Int, cuts most: Int) -> [[Range<Int>]] {
        let cuts = (0..<Int.random(in: 0...most, using: &self)).map { _ in Int.random(in: 0...1_000_000, using: &self) }
        let edges = ([0] + cuts + [1_000_000]).sorted()
        var ranges: [[Range<Int>]] = Array(repeating: [], count: count)
        for (lower, upper) in zip(edges, edges.dropFirst()) {
            ranges[Int.random(in: 0..<count, using: &self)].append(lower..<upper)
        }
        return ranges
    }
}
