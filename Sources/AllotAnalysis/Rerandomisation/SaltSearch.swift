import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

/// The search for salts that balance covariates: candidates `KEY.1`, `KEY.2`, … in order, chosen by a rule.
struct SaltSearch: Sendable {
    let experiment: String
    let rule: ChosenRandomisation.Rule
    let covariates: Covariates
    let sums: ArmSums
    let taskCount: Int
    let progress: @Sendable (_ hashCount: Int) -> Void

    /// A candidate with the distance of its arms.
    struct Candidate: Sendable, Hashable {
        let number: Int
        let distance: Double
    }

    /// The number of candidates that one task works through at once.
    private static let share = 8
    /// The most candidates whose sums are in memory at once.
    private static let most = 4096
    /// Without a choice among this many times the expected number of candidates, the search ends: by chance alone that
    /// has a probability of exp(-50).
    private static let patience = 50.0

    /// The salts of candidates.
    static func salts(_ numbers: Range<Int>, of experiment: String) throws -> [Salt] {
        try numbers.map { number in
            guard let salt = ChosenRandomisation.salt(number, of: experiment) else {
                throw AnalysisError(
                    "\(experiment).\(number) is too long for a salt, which has at most \(Salt.maximumLength) "
                        + "characters; give the experiment a shorter key")
            }
            return salt
        }
    }

    var criterion: BalanceCriterion { BalanceCriterion(rank: covariates.whitening.rank, armCount: sums.arms.count) }

    func distance(of sums: ArmSums.Sums) -> Double {
        criterion.distance(counts: sums.counts, sums: covariates.whitened(sums))
    }

    /// The distances under candidates, in their order.
    func distances(_ numbers: Range<Int>) async throws -> [Double] {
        var distances: [Double] = []
        // Of a million tries only the distances are kept.
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.most) {
            let salts = try Self.salts(start..<min(start + Self.most, numbers.upperBound), of: experiment)
            distances += try await sums.sums(under: salts, taskCount: taskCount, progress: progress).map(distance)
        }
        return distances
    }

    /// The largest distance that is accepted; `nil` for the best of several.
    var threshold: Double? {
        guard case .accept(let share) = rule else { return nil }
        return criterion.threshold(acceptance: share)
    }

    /// The next candidates that the rule chooses.
    ///
    /// - Parameters:
    ///   - count: How many: the first ones that are accepted, or the best one of each of as many rows of candidates.
    ///   - start: The number of the first candidate.
    /// - Returns: The candidates in order, and the number of the first candidate that was not needed.
    func next(_ count: Int, from start: Int) async throws -> (chosen: [Candidate], end: Int) {
        switch rule {
        case .tries(let tries):
            var chosen: [Candidate] = []
            // Some rows at once, so that short ones occupy all tasks.
            let rows = max(1, taskCount * Self.share / tries)
            while chosen.count < count {
                let wave = min(rows, count - chosen.count)
                let first = start + chosen.count * tries
                let distances = try await distances(first..<first + wave * tries)
                for row in 0..<wave {
                    let candidates = (row * tries..<(row + 1) * tries).map {
                        Candidate(number: first + $0, distance: distances[$0])
                    }
                    chosen.append(Self.ordered(candidates)[0])
                }
            }
            return (chosen, start + count * tries)
        case .accept(let share):
            var chosen: [Candidate] = []
            var first = start
            let threshold = criterion.threshold(acceptance: share)
            let limit = start + Int((Double(count) + Self.patience) / share) * 2
            while first < limit {
                let expected = Int(Double(count - chosen.count) / share) + 1
                let end = first + min(max(taskCount * Self.share, expected / 4), Self.most)
                let distances = try await distances(first..<end)
                for (offset, distance) in distances.enumerated() where distance <= threshold {
                    chosen.append(Candidate(number: first + offset, distance: distance))
                    if chosen.count == count { return (chosen, first + offset + 1) }
                }
                first = end
            }
            throw AnalysisError(
                "\(first - start) candidates gave \(chosen.count) salts that balance the arms to "
                    + "\(NumberFormat.percent(share)); there are too few units for that: accept more, or take the best "
                    + "of some tries")
        }
    }

    /// Candidates in the order of their distances.
    static func ordered(_ candidates: [Candidate]) -> [Candidate] {
        candidates.sorted { ($0.distance, $0.number) < ($1.distance, $1.number) }
    }
}
