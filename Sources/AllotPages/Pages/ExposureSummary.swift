import AllotAnalysis
import AllotConfiguration
import AllotCore
package import AllotExposures

/// How many units have met the experiments of a plan, and whether their variants are in the right ratio.
package struct ExposureSummary: Sendable {
    package struct Entry: Sendable {
        /// The first exposures, under the present salt, of units that were randomised or got the winner.
        package let units: Int
        /// The test of those of the present revision, or of those that name none if only their ratio is not to be
        /// trusted or there are no others; `nil` without a ratio, and if the result is open.
        let ratio: RatioHistory?
        /// Whether only the units' days tell if the ratio can be trusted, and too many units have them to be read.
        var isOpen = false
    }

    private let entries: [String: Entry]
    /// The experiments whose ratio is not to be trusted, in the order of their keys.
    package let mismatches: [String]
    /// The instant at which the store counted; `nil` where pages do not say it.
    package var countedAt: Instant?
    /// Up to this number of units the days of all experiments are worth reading.
    private static let fewUnits = 1_000_000
    /// The most units whose days are read where there are more.
    private static let mostUnits = 5_000_000

    /// Tests what a store counted: by days where `histories` has them, otherwise all units at once.
    package init(_ totals: [ExposureTotal], of plan: Plan, histories: [String: ExposureHistory] = [:]) {
        var entries: [Int: Entry] = [:]
        let level = plan.ratioLevel
        for (index, totals) in Self.present(totals, of: plan) {
            let experiment = plan.experiments[index]
            entries[index] = Entry(totals, of: experiment, histories[experiment.key], level: level)
        }
        self.init(entries, of: plan)
    }

    /// Tests what a store counted, and reads the days of experiments where they would tell more: of all while there are
    /// few units, otherwise of those with a mismatch that may be one of reassigned units, which counts cannot tell.
    /// Then the result of those without a mismatch is left open, and that of the largest ones if they have too many
    /// units.
    package init<Failure: Error>(
        _ totals: [ExposureTotal], of plan: Plan,
        reading read: (_ experiments: [Plan.Experiment]) async throws(Failure) -> [String: ExposureHistory]
    ) async throws(Failure) {
        let own = Self.present(totals, of: plan)
        let level = plan.ratioLevel
        var entries: [Int: Entry] = [:]
        var unclear = own.keys.sorted()
        if own.values.reduce(0, { $0 + $1.units }) > Self.fewUnits {
            for (index, totals) in own {
                let entry = Entry(totals, of: plan.experiments[index], level: level)
                // One look at all units says less than one at each of their days.
                let isCalm = entry.ratio.map { !$0.isMismatch && !$0.days.isEmpty } ?? false
                entries[index] = isCalm ? Entry(units: entry.units, ratio: nil, isOpen: true) : entry
            }
            unclear = unclear.filter { index in
                entries[index]?.ratio?.isMismatch ?? false
                    && Set(own[index, default: []].map { $0.revision.map(UTF8Key.init) }).count > 1
            }
            let bySize = unclear.map { (index: $0, units: own[$0, default: []].units) }.sorted { $0.units < $1.units }
            var left = Self.mostUnits
            for (index, units) in bySize {
                left -= units
                if left < 0 { entries[index] = Entry(units: units, ratio: nil, isOpen: true) }
            }
            unclear.removeAll { entries[$0]?.isOpen ?? false }
        }
        let histories = unclear.isEmpty ? [:] : try await read(unclear.map { plan.experiments[$0] })
        for index in unclear {
            let experiment = plan.experiments[index]
            entries[index] = Entry(own[index, default: []], of: experiment, histories[experiment.key], level: level)
        }
        self.init(entries, of: plan)
    }

    private init(_ entries: [Int: Entry], of plan: Plan) {
        self.entries = Dictionary(entries.map { (plan.experiments[$0].key, $1) }) { first, _ in first }
        mismatches = plan.experiments.indices.filter { entries[$0]?.ratio?.isMismatch ?? false }
            .map { plan.experiments[$0].key }
    }

    /// The counted totals of the present randomisations, by the experiments' places.
    private static func present(_ totals: [ExposureTotal], of plan: Plan) -> [Int: [ExposureTotal]] {
        totals.reduce(into: [:]) { own, total in
            guard total.isCounted, let index = plan.index(of: total.experiment),
                plan.experiments[index].salt.map({ UTF8Order.areEqual($0, total.salt) }) ?? false
            else { return }
            own[index, default: []].append(total)
        }
    }

    package subscript(key: String) -> Entry? { entries[key] }
}

extension [ExposureTotal] { fileprivate var units: Int { reduce(0) { $0 + $1.units } } }

extension ExposureSummary.Entry {
    fileprivate init(
        _ totals: [ExposureTotal], of experiment: Plan.Experiment, _ history: ExposureHistory? = nil, level: Double
    ) {
        let history = history ?? ExposureHistory(totals)
        let periods = experiment.salt.map { salt in
            ExperimentExposures(experiment, salt: salt, history, level: level).periods
        }
        // Senders need not name revisions.
        let ratios = [periods?.first(where: \.isPresent), periods?.first { $0.revision == nil }]
            .compactMap { $0?.ratio }
        self.init(units: totals.units, ratio: ratios.first(where: \.isMismatch) ?? ratios.first)
    }
}

extension ExposureHistory {
    /// The history of the totals of one randomisation, as if all were of one day.
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
    /// The evidence against the ratio, greater for a smaller p-value; `nil` without a result.
    var evidence: Double? { ratio.flatMap { $0.days.last?.evidence.sequential ?? ($0.isMismatch ? .infinity : nil) } }

    /// The result of the test in a few words, and whether it is bad.
    var verdict: (text: String, isBad: Bool)? {
        if isOpen { return ("see the experiment's page", false) }
        guard let ratio else { return nil }
        let p = ratio.days.last.map { "p = \($0.texts.sequential)" }
        if ratio.isMismatch { return (["mismatch", p].compactMap { $0 }.joined(separator: ", "), true) }
        return p.map { (ratio.isUnusual ? "unusual, \($0)" : "fine, \($0)", false) }
    }
}

/// The exposures of an overview, as far as they are known.
package enum KnownExposures: Sendable {
    case none
    case unreadable
    case counted(ExposureSummary)

    subscript(key: String) -> ExposureSummary.Entry? {
        if case .counted(let summary) = self { summary[key] } else { nil }
    }

    /// The number of an experiment's units; `nil` if none are counted.
    func units(of entry: CatalogEntry) -> Int? {
        guard case .counted = self else { return nil }
        return self[entry.key]?.units ?? (entry.experiment.draw == nil ? nil : 0)
    }
}
