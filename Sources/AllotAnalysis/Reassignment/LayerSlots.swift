import AllotConfiguration
import AllotCore

/// The experiments that hold the slots of a layer, and where a new one would fit.
package struct LayerSlots: Sendable {
    package struct Holding: Sendable {
        package let experiment: ExperimentDefinition
        package let slots: BucketSet
        package let availability: SlotAvailability

        fileprivate var firstSlot: Int { slots.ranges.first?.lowerBound ?? 0 }
    }

    package let slotCount: Int
    /// In the order of their first slots.
    package let holdings: [Holding]

    /// The holdings of a layer, as a new experiment finds them from its start to its end (`nil` for never).
    package init(_ layer: LayerDefinition, in definitions: Definitions, from starts: Instant, until ends: Instant?) {
        slotCount = layer.hash.resolution
        holdings = definitions.experiments.filter { $0.layer == layer.name }.map {
            Holding(
                experiment: $0, slots: BucketSet($0.slots),
                availability: SlotAvailability($0, from: starts, until: ends))
        }.sorted { ($0.firstSlot, $0.experiment.key) < ($1.firstSlot, $1.experiment.key) }
    }

    package var free: BucketSet {
        holdings.filter { $0.availability == .taken }.reduce(BucketSet.none) { $0.union($1.slots) }
            .complement(in: slotCount)
    }

    /// Free slots for a new experiment: the smallest gap that holds it, else as few gaps as can be. Returns `nil` when
    /// fewer are free.
    func place(_ count: Int) -> BucketSet? {
        let gaps = free.ranges
        if let gap = gaps.filter({ $0.count >= count }).min(by: { $0.count < $1.count }) {
            return BucketSet([gap.prefix(count)])
        }
        guard free.count >= count else { return nil }
        var left = count
        var taken: [Range<Int>] = []
        for gap in gaps.sorted(by: { ($1.count, $0.lowerBound) < ($0.count, $1.lowerBound) }) where left > 0 {
            taken.append(gap.prefix(left))
            left -= taken[taken.count - 1].count
        }
        return BucketSet(taken)
    }

    /// Experiments that held some of these slots and no longer do: their units have met those variants.
    func formerHolders(of slots: BucketSet) -> [String] {
        holdings.filter {
            $0.availability == .over && $0.experiment.status != .draft && !$0.slots.intersection(slots).isEmpty
        }
        .map(\.experiment.key)
    }
}

package enum SlotAvailability: String, Sendable {
    /// The slots cannot be given away.
    case taken
    /// The experiment is concluded or has ended.
    case over
    /// The experiment starts when the new one has ended.
    case later

    init(_ experiment: ExperimentDefinition, from starts: Instant, until ends: Instant?) {
        if experiment.status == .concluded {
            self = .over
        } else if experiment.schedule.isDisjoint(from: Schedule(starts: starts, ends: ends)) {
            self = experiment.schedule.reason(at: starts) == .ended ? .over : .later
        } else {
            // A paused experiment may continue, and a draft may start.
            self = .taken
        }
    }
}
