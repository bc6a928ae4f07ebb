import AllotAnalysis
import AllotConfiguration
import AllotCore
package import AllotExposures

/// The units that met each variant in one randomisation of an experiment, by day, and whether they are in the ratio of
/// the definition: that of randomised units by revision, each in its first variant, as `allot srm` tests it. Units of
/// the winner count, but say nothing of the ratio; forced ones and overrides on a device do not count.
package struct ExperimentExposures: Sendable {
    /// The units whose first exposure was under one revision of the definition.
    package struct Period: Sendable {
        /// The revision; `nil` for exposures that name none.
        package let revision: String?
        /// Whether it is the revision of the present definition.
        package let isPresent: Bool
        /// The randomised units of each variant, without those that another variant counts already.
        package let units: [Int]
        /// The first exposure and the last unit's first exposure.
        package let (earliest, latest): (Instant, Instant)
        /// The test of the ratio; `nil` where the shares of that time are not known, or there is no ratio.
        package let ratio: RatioHistory?
    }

    package let salt: String
    package let isPresent: Bool
    /// The variants of the definition in their order, then others that units met.
    package let variants: [String]
    /// The days that have counted units, in order, with those of each variant: split and winner.
    package let days: [(day: Int, units: [Int])]
    /// By revision, what was met first before the others.
    package let periods: [Period]
    /// The number of revisions that are left out, those that were met last before the others.
    package let olderPeriods: Int
    package let winners: [ExposureCounts.Group]
    /// The units that are not counted: forced ones and overrides on devices.
    package let others: [ExposureCounts.Group]
    package let unitsInSeveralVariants: Int
    /// The number of them that met another variant before shares could change or a variant could win; 0 if revisions
    /// are left out.
    package let unitsWronglyInSeveralVariants: Int
    /// The instant at which the store counted; `nil` where pages do not say it.
    package var countedAt: Instant?

    /// Sorts the counts of the randomisation with a salt out. `level` is that of all tests of its ratio together.
    package init(_ experiment: Plan.Experiment, salt: String, _ history: ExposureHistory, level: Double) {
        let groups = history.counts.groups
        let (variants, places) = Self.variants(experiment, groups)
        (self.salt, self.variants) = (salt, variants)
        isPresent = experiment.salt.map { UTF8Order.areEqual($0, salt) } ?? false
        unitsInSeveralVariants = history.counts.unitsInSeveralVariants
        func tally(_ selection: [Int], countsRepeats: Bool) -> [(day: Int, units: [Int])] {
            var days: [Int: [Int]] = [:]
            for index in selection {
                let variant = places[UTF8Key(groups[index].variant)] ?? variants.count - 1
                for day in history.days[index] {
                    days[day.day, default: Array(repeating: 0, count: variants.count)][variant] +=
                        countsRepeats ? day.units : day.units - day.repeats
                }
            }
            return days.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
        days = tally(groups.indices.filter { groups[$0].isCounted }, countsRepeats: true)
        let split = groups.indices.filter { groups[$0].isSplit }
        let isPresentSalt = isPresent
        let revisions = Dictionary(grouping: split) { groups[$0].revision.map(UTF8Key.init) }.sorted { left, right in
            (left.value.map { groups[$0].latest }.max() ?? 0) > (right.value.map { groups[$0].latest }.max() ?? 0)
        }
        let kept = revisions.enumerated().filter { place, revision in
            place < Self.mostPeriods || revision.key.map { UTF8Order.areEqual($0.text, experiment.revision) } ?? true
        }
        olderPeriods = revisions.count - kept.count
        func isOfDefinition(_ revision: UTF8Key?) -> Bool {
            isPresentSalt && (revision.map { UTF8Order.areEqual($0.text, experiment.revision) } ?? false)
        }
        // As for `allot srm`, exposures without a revision are taken for those of the present definition.
        func isTested(_ revision: UTF8Key?) -> Bool { isOfDefinition(revision) || isPresentSalt && revision == nil }
        let testCount = kept.count { isTested($0.element.key) }
        periods = kept.map(\.element).map { revision, selection in
            let days = tally(selection, countsRepeats: false)
            let known = isTested(revision) ? try? VariantShares(experiment) : nil
            return Period(
                revision: revision?.text, isPresent: isOfDefinition(revision),
                units: days.reduce(into: variants.map { _ in 0 }) { sums, day in
                    for variant in sums.indices { sums[variant] += day.units[variant] }
                }, earliest: Instant(milliseconds: selection.map { groups[$0].earliest }.min() ?? 0),
                latest: Instant(milliseconds: selection.map { groups[$0].latest }.max() ?? 0),
                ratio: known.map { Self.ratio($0, variants, days, threshold: level / Double(testCount)) })
        }.sorted { ($0.earliest, $0.revision ?? "") < ($1.earliest, $1.revision ?? "") }
        let repeats = zip(groups, history.days).filter { [first = periods.first] group, _ in
            group.isSplit && group.revision.map(UTF8Key.init) == first?.revision.map(UTF8Key.init)
        }.reduce(0) { sum, group in group.1.reduce(sum) { $0 + $1.repeats } }
        // One that met three variants has two repeats.
        unitsWronglyInSeveralVariants = olderPeriods > 0 ? 0 : min(repeats, unitsInSeveralVariants)
        winners = groups.filter { $0.isCounted && !$0.isSplit }.merged
        others = groups.filter { !$0.isCounted }.merged
    }

    /// The most variants that the definition does not have, and the most revisions, that are kept apart.
    private static let (mostUnknown, mostPeriods) = (8, 50)

    /// The variants of the definition, then others that units met, and their places; the rarest have the last in
    /// common.
    private static func variants(
        _ experiment: Plan.Experiment, _ groups: [ExposureCounts.Group]
    ) -> (keys: [String], places: [UTF8Key: Int]) {
        var keys = experiment.variants.map(\.key)
        var places = Dictionary(keys.enumerated().map { (UTF8Key($1), $0) }) { first, _ in first }
        var units: [UTF8Key: Int] = [:]
        for group in groups where places[UTF8Key(group.variant)] == nil {
            units[UTF8Key(group.variant), default: 0] += group.units
        }
        let unknown = units.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        for key in unknown.prefix(mostUnknown) {
            places[key] = keys.count
            keys.append(key.text)
        }
        let rest = unknown.dropFirst(mostUnknown)
        if !rest.isEmpty {
            for key in rest { places[key] = keys.count }
            keys.append("\(rest.count) others")
        }
        return (keys, places)
    }

    private static func ratio(
        _ shares: VariantShares, _ variants: [String], _ days: [(day: Int, units: [Int])], threshold: Double
    ) -> RatioHistory {
        let columns = shares.variants.map { key in variants.firstIndex { UTF8Order.areEqual($0, key) } }
        let unknown = variants.indices.filter { column in
            !columns.contains(column) && days.contains { $0.units[column] > 0 }
        }
        return RatioHistory(
            shares, days: days.map { day in (day.day, columns.map { $0.map { day.units[$0] } ?? 0 }) },
            unknown: unknown.map { variants[$0] }, threshold: threshold)
    }

    package var units: [Int] {
        days.reduce(into: variants.map { _ in 0 }) { sums, day in
            for variant in sums.indices { sums[variant] += day.units[variant] }
        }
    }

    /// The period that stands for the experiment: that of the present definition, else the last one that can be tested.
    package var main: Period? { periods.last(where: \.isPresent) ?? periods.last { $0.ratio != nil } }
    package var isMismatch: Bool { periods.contains(where: \.isMismatch) }
    /// The period whose test decides: the main one, unless only the ratio of others is not to be trusted.
    package var decisive: Period? { main?.isMismatch == true ? main : periods.last(where: \.isMismatch) ?? main }
}

extension ExperimentExposures.Period { package var isMismatch: Bool { ratio?.isMismatch ?? false } }

extension ExposureCounts.Group { fileprivate var isSplit: Bool { isCounted && reason == Reason.split.text } }

extension [ExposureCounts.Group] {
    fileprivate var merged: Self {
        reduce(into: []) { merged, group in
            let place = merged.firstIndex {
                UTF8Order.areEqual($0.variant, group.variant) && UTF8Order.areEqual($0.reason, group.reason)
                    && $0.isOverridden == group.isOverridden
            }
            guard let place else { return merged.append(group) }
            merged[place] = ExposureCounts.Group(
                variant: group.variant, revision: nil, reason: group.reason, isOverridden: group.isOverridden,
                units: merged[place].units + group.units, earliest: Swift.min(merged[place].earliest, group.earliest),
                latest: Swift.max(merged[place].latest, group.latest))
        }
    }
}
