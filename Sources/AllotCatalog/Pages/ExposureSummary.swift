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
        /// Whether they are of several revisions, between which units may have been reassigned.
        let hasSeveralRevisions: Bool
    }

    private let entries: [String: Entry]
    /// The experiments whose ratio is not to be trusted, in the order of their keys.
    package let mismatches: [String]

    /// Up to this number of units the days of all experiments are worth reading.
    private static let fewUnits = 1_000_000

    /// Tests what a store counted. Complexity: linear in the counts and in the experiments.
    ///
    /// - Parameter histories: the units of the present randomisations by the experiments' keys, where they were read.
    ///   Of others all units are tested at once, and those that are in several variants in each of them.
    package init(_ totals: [ExposureTotal], of plan: Plan, histories: [String: ExposureHistory] = [:]) {
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
            let history = histories[experiment.key] ?? ExposureHistory(totals)
            entries[experiment.key] = Entry(
                units: totals.reduce(0) { $0 + $1.units }, ratio: Self.ratio(history, of: experiment),
                hasSeveralRevisions: Set(totals.map { $0.revision.map(UTF8Key.init) }).count > 1)
        }
        self.entries = entries
        mismatches = plan.experiments.map(\.key).filter { entries[$0]?.ratio?.isMismatch ?? false }
    }

    /// What is known of an experiment; `nil` if no unit is counted.
    package subscript(key: String) -> Entry? { entries[key] }

    /// The experiments whose histories would tell more: all while there are few units, otherwise those with a mismatch
    /// that may be one of reassigned units, which counts of them cannot tell.
    package var unclear: [String] {
        let isSmall = entries.values.reduce(0) { $0 + $1.units } <= Self.fewUnits
        return isSmall ? entries.keys.sorted() : mismatches.filter { entries[$0]?.hasSeveralRevisions ?? false }
    }

    private static func ratio(_ history: ExposureHistory, of experiment: Plan.Experiment) -> RatioHistory? {
        guard let salt = experiment.salt else { return nil }
        let periods = ExperimentExposures(experiment, salt: salt, history).periods
        // Senders need not name revisions.
        let ratios = [periods.first(where: \.isPresent), periods.first { $0.revision == nil }].compactMap { $0?.ratio }
        return ratios.first(where: \.isMismatch) ?? ratios.first
    }
}

extension ExposureHistory {
    /// What totals say of one randomisation, as if all were of one day.
    fileprivate init(_ totals: [ExposureTotal]) {
        self.init(
            groups: totals.map { total in
                let group = ExposureCounts.Group(
                    variant: total.variant, revision: total.revision, reason: total.reason, isOverridden: false,
                    units: total.units, earliest: 0, latest: 0)
                return (group, [Day(day: 0, units: total.units)])
            },
            // Totals do not tell.
            unitsInSeveralVariants: 0)
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
