import AllotConfiguration

@testable import AllotExposures

/// The rules of a store, in memory and in the simplest way.
struct ExposureModel {
    struct Identity: Hashable {
        let texts: [UTF8Key]
        let window: Int64?
        let isCounted: Bool

        init(_ exposure: Exposure) {
            texts = [exposure.experiment, exposure.salt, exposure.unit, exposure.variant].map { UTF8Key($0) }
            window = exposure.window
            isCounted = exposure.isCounted
        }
    }

    /// In the order of their cursors.
    private(set) var rows: [(cursor: Int, exposure: Exposure, identity: Identity)] = []
    private(set) var cursor = 0

    mutating func record(_ exposures: [Exposure]) -> [ExposureOutcome] {
        exposures.map { exposure in
            let identity = Identity(exposure)
            if let id = exposure.id.map(UTF8Key.init),
                rows.contains(where: { $0.identity != identity && $0.exposure.id.map(UTF8Key.init) == id })
            {
                return .duplicate
            }
            let index = rows.firstIndex { $0.identity == identity }
            if let index {
                guard Self.precedes(exposure, rows[index].exposure) else { return .duplicate }
                rows.remove(at: index)
            }
            cursor += 1
            rows.append((cursor, exposure, identity))
            return index == nil ? .stored : .duplicate
        }
    }

    private static func precedes(_ left: Exposure, _ right: Exposure) -> Bool {
        if (left.doubt == nil) != (right.doubt == nil) { return left.doubt == nil }
        return left.at < right.at
    }

    func parts(of deletion: ExposureDeletion) -> [ExposureDeletion.Part] {
        let own = Dictionary(grouping: rows.map(\.exposure).filter { deletion.contains($0) }, by: \.experiment)
        return own.sorted { $0.key < $1.key }.map { key, exposures in
            let times = exposures.map(\.at)
            return ExposureDeletion.Part(
                experiment: key, count: times.count, earliest: times.min() ?? 0, latest: times.max() ?? 0)
        }
    }

    mutating func remove(where isRemoved: (Exposure) -> Bool) -> Int {
        let count = rows.count
        rows.removeAll { isRemoved($0.exposure) }
        return count - rows.count
    }

    func exposures(of selection: ExposureSelection = ExposureSelection(), after cursor: Int = 0) -> [Exposure] {
        rows.filter { $0.cursor > cursor }.map(\.exposure).filter {
            $0.isCounted == selection.isCounted
                && (selection.experiment == nil || selection.experiment.map(UTF8Key.init) == UTF8Key($0.experiment))
                && (selection.salt == nil || selection.salt.map(UTF8Key.init) == UTF8Key($0.salt))
        }
    }

    func counts(experiment: String, salt: String) -> ExposureCounts {
        let own = rows.map(\.exposure).filter { $0.experiment == experiment && $0.salt == salt }
        let groups = Dictionary(grouping: own) {
            [$0.variant, $0.revision.map { "1" + $0 } ?? "", $0.reason, $0.isOverridden ? "1" : "0"]
        }
        let units = Dictionary(grouping: own.filter(\.isCounted)) { [UTF8Key($0.unit), UTF8Key("\($0.window ?? -1)")] }
        return ExposureCounts(
            groups: groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { _, exposures in
                guard let first = exposures.first else { return nil }
                let times = exposures.map(\.at)
                return ExposureCounts.Group(
                    variant: first.variant, revision: first.revision, reason: first.reason,
                    isOverridden: first.isOverridden, units: times.count, earliest: times.min() ?? 0,
                    latest: times.max() ?? 0)
            },
            unitsInSeveralVariants: units.values.count { $0.count > 1 })
    }

    func history(experiment: String, salt: String) -> ExposureHistory {
        let counts = counts(experiment: experiment, salt: salt)
        let groups = counts.groups.map { group in
            let own = rows.map(\.exposure).filter {
                $0.experiment == experiment && $0.salt == salt && $0.variant == group.variant
                    && $0.revision == group.revision && $0.reason == group.reason
                    && $0.isOverridden == group.isOverridden
            }
            // All times are on the last day before 1970 or on the first one after.
            let days = Dictionary(grouping: own) { $0.at < 0 ? -1 : 0 }.sorted { $0.key < $1.key }
            return (
                group,
                days.map { day, exposures in
                    ExposureHistory.Day(
                        day: day, units: exposures.count, repeats: exposures.count { isRepeat($0) })
                }
            )
        }
        return ExposureHistory(groups: groups, unitsInSeveralVariants: counts.unitsInSeveralVariants)
    }

    /// Whether the unit of an exposure was counted in another variant before, in the same window.
    private func isRepeat(_ exposure: Exposure) -> Bool {
        let identity = Identity(exposure)
        guard exposure.isCounted, let own = rows.first(where: { $0.identity == identity }) else { return false }
        return rows.contains { other in
            other.exposure.isCounted && UTF8Key(other.exposure.experiment) == UTF8Key(exposure.experiment)
                && UTF8Key(other.exposure.salt) == UTF8Key(exposure.salt)
                && UTF8Key(other.exposure.unit) == UTF8Key(exposure.unit) && other.exposure.window == exposure.window
                && (other.exposure.at, other.cursor) < (exposure.at, own.cursor)
        }
    }

    func totals() -> [ExposureTotal] {
        ExposureTotal.sums(
            of: rows.map(\.exposure).map {
                ExposureTotal(
                    experiment: $0.experiment, salt: $0.salt, variant: $0.variant, revision: $0.revision,
                    reason: $0.reason, isCounted: $0.isCounted, units: 1)
            })
    }

    func hasWindows(experiment: String, salt: String) -> Bool {
        rows.map(\.exposure).contains { $0.experiment == experiment && $0.salt == salt && $0.window != nil }
    }

    func randomisations(of experiment: String?) -> [StoredRandomisation] {
        let own = rows.map(\.exposure).filter { experiment == nil || $0.experiment == experiment }
        let groups = Dictionary(grouping: own) { [$0.experiment, $0.salt] }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, exposures in
            StoredRandomisation(
                experiment: key[0], salt: key[1], variants: Set(exposures.map(\.variant)).sorted(),
                lastReceivedAt: exposures.map(\.receivedAt).max() ?? 0)
        }
    }
}

extension ExposureDeletion {
    init(before time: Int64, of experiments: [String]?) {
        self.init(before: time)
        self.experiments = experiments
    }

    /// Whether it is about an exposure, without regard to what definitions have.
    func contains(_ exposure: Exposure) -> Bool {
        experiments?.contains(exposure.experiment) ?? true && exposure.at < before ?? .max
            && unit.map { $0.utf8.elementsEqual(exposure.unit.utf8) } ?? true
    }
}
