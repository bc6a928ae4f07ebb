import AllotConfiguration

@testable import AllotExposures

/// The rules of a store, in memory and in the simplest way.
struct ExposureModel {
    private struct Place: Hashable {
        let unit: [UInt8]
        let experiment: [UInt8]
        let variant: [UInt8]
    }

    private var rows: [(place: Place, exposure: Exposure, at: Int64)] = []
    private var events: Set<[UInt8]> = []

    mutating func record(_ exposures: [Exposure]) -> [ExposureOutcome] {
        exposures.map { exposure in
            if let id = exposure.id, events.contains(Array(id.utf8)) { return .duplicate }
            let place = Place(
                unit: Array(exposure.unit.utf8), experiment: Array(exposure.experiment.utf8),
                variant: Array(exposure.variant.utf8))
            if let index = rows.firstIndex(where: { $0.place == place }) {
                rows[index].at = min(rows[index].at, exposure.at)
                return .duplicate
            }
            rows.append((place, exposure, exposure.at))
            if let id = exposure.id { events.insert(Array(id.utf8)) }
            return .stored
        }
    }

    /// The rows of the export without its header, in some order among equal times and units.
    func exported(_ experiment: String? = nil) -> [[String]] {
        rows.filter { experiment == nil || $0.exposure.experiment == experiment }
            .sorted { left, right in
                left.at != right.at ? left.at < right.at : left.place.unit.lexicographicallyPrecedes(right.place.unit)
            }
            .map { row in
                [
                    row.exposure.unit, row.exposure.variant, row.exposure.experiment,
                    Instant(milliseconds: row.at).text(.milliseconds), row.exposure.attributes ?? "",
                ]
            }
    }

    func counts(_ experiment: String) -> [(variant: String, units: Int, earliest: Int64, latest: Int64)] {
        let own = rows.filter { $0.exposure.experiment == experiment }
        return Set(own.map(\.exposure.variant)).sorted().map { variant in
            let times = own.filter { $0.exposure.variant == variant }.map(\.at)
            return (variant, times.count, times.min() ?? 0, times.max() ?? 0)
        }
    }

    func unitsInSeveralVariants(_ experiment: String) -> Int {
        let units = rows.filter { $0.exposure.experiment == experiment }.map(\.place.unit)
        return Dictionary(grouping: units) { $0 }.values.count { $0.count > 1 }
    }
}
