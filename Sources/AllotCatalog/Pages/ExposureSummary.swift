import Allot
import AllotAnalysis
import AllotConfiguration
package import AllotExposures

/// How many units have met the experiments of a plan, and whether their variants are in the right ratio.
package struct ExposureSummary: Sendable {
    /// What is known of one experiment.
    package struct Entry: Sendable {
        /// The first exposures, under the present salt, of units that were randomised or got the winner: a unit
        /// counts once for each variant that it met.
        package let units: Int
        /// The test of those that were randomised under the present revision, or of those that name none if only their
        /// ratio is not to be trusted or there are no others; `nil` without a ratio.
        let ratio: RatioHistory?
    }

    private let entries: [String: Entry]
    /// The experiments whose ratio is not to be trusted, in the order of their keys.
    package let mismatches: [String]

    /// Tests what a store counted. Complexity: linear in the counts and in the experiments.
    package init(_ totals: [ExposureTotal], of plan: Plan) {
        var own: [Int: [ExposureTotal]] = [:]
        for total in totals where total.isCounted {
            guard let index = plan.index(of: total.experiment),
                plan.experiments[index].salt.map({ UTF8Order.areEqual($0, total.salt) }) ?? false
            else { continue }
            own[index, default: []].append(total)
        }
        var entries: [String: Entry] = [:]
        for (index, totals) in own {
            let experiment = plan.experiments[index]
            entries[experiment.key] = Entry(
                units: totals.reduce(0) { $0 + $1.units }, ratio: Self.ratio(totals, of: experiment))
        }
        self.entries = entries
        mismatches = plan.experiments.map(\.key).filter { entries[$0]?.ratio?.isMismatch ?? false }
    }

    /// What is known of an experiment; `nil` if no unit is counted.
    package subscript(key: String) -> Entry? { entries[key] }

    private static func ratio(_ totals: [ExposureTotal], of experiment: Plan.Experiment) -> RatioHistory? {
        // Everybody gets the winner: these units say nothing about the shares.
        let split = totals.filter { $0.reason == Reason.split.text }
        // Senders need not name revisions.
        let ratios = ([experiment.revision, nil] as [String?]).compactMap { revision -> RatioHistory? in
            guard let shares = experiment.shares(ofRevision: revision) else { return nil }
            return ratio(split.filter { $0.revision == revision }, shares)
        }
        return ratios.first(where: \.isMismatch) ?? ratios.first
    }

    private static func ratio(_ tested: [ExposureTotal], _ shares: VariantShares) -> RatioHistory? {
        var units = shares.variants.map { _ in 0 }
        var unknown: [String] = []
        for total in tested {
            if let variant = shares.variants.firstIndex(where: { UTF8Order.areEqual($0, total.variant) }) {
                units[variant] += total.units
            } else {
                unknown.append(total.variant)
            }
        }
        guard !tested.isEmpty else { return nil }
        return RatioHistory(shares, days: [(day: 0, units: units)], unknown: unknown)
    }
}

extension ExposureSummary.Entry {
    /// The result of the test in a few words, and whether it is bad.
    var verdict: (text: String, isBad: Bool)? {
        guard let ratio else { return nil }
        let p = ratio.days.last?.texts.fixed.map { "p = \($0)" }
        if ratio.isMismatch { return (["mismatch", p].compactMap { $0 }.joined(separator: ", "), true) }
        return p.map { (ratio.isUnusual ? "unusual, \($0)" : "fine, \($0)", false) }
    }
}

/// What an overview knows of exposures.
package enum KnownExposures: Sendable {
    /// Exposures are not taken in.
    case none
    /// They cannot be read now.
    case unreadable
    /// What a store counted.
    case counted(ExposureSummary)

    /// What is known of an experiment.
    subscript(key: String) -> ExposureSummary.Entry? {
        if case .counted(let summary) = self { summary[key] } else { nil }
    }
}
