import Allot
import AllotConfiguration

/// The experiments that hold the slots of a layer, and where a new one would fit.
package struct LayerSlots: Sendable {
    /// One experiment's part of the layer.
    package struct Holding: Sendable {
        package let experiment: String
        package let status: ExperimentStatus
        package let starts: Instant?
        package let ends: Instant?
        package let slots: BucketSet
        /// Whether a new experiment of the wanted time may have these slots.
        package let state: State
    }

    /// Whether slots that an experiment names can be given to another one.
    package enum State: String, Sendable {
        /// They cannot.
        case taken
        /// The experiment is concluded or has ended.
        case over
        /// It starts when the new one has ended.
        case later
    }

    /// In the order of their first slots.
    package let holdings: [Holding]

    /// The holdings of a layer.
    ///
    /// - Parameters:
    ///   - starts: when the new experiment starts; `nil` for at once.
    ///   - ends: when it ends; `nil` for never.
    package init(_ layer: String, in definitions: Definitions, from starts: Instant, until ends: Instant?) {
        holdings = definitions.experiments.filter { $0.layer == layer }.map { experiment in
            Holding(
                experiment: experiment.key, status: experiment.status, starts: experiment.starts,
                ends: experiment.ends, slots: BucketSet(experiment.slots),
                state: State(experiment, from: starts, until: ends))
        }
        .sorted {
            ($0.slots.ranges.first?.lowerBound ?? 0, $0.experiment) < (
                $1.slots.ranges.first?.lowerBound ?? 0, $1.experiment
            )
        }
    }

    /// The slots that no taken holding has.
    package var free: BucketSet {
        holdings.filter { $0.state == .taken }.reduce(BucketSet.none) { $0.union($1.slots) }.complement
    }

    /// Free slots for a new experiment: the smallest gap that holds it, else as few gaps as can be.
    ///
    /// - Parameter count: how many slots.
    /// - Returns: `nil` when fewer are free.
    package func place(_ count: Int) -> BucketSet? {
        let gaps = free.ranges
        if let gap = gaps.filter({ $0.count >= count }).min(by: { $0.count < $1.count }) {
            return BucketSet([gap.lowerBound..<gap.lowerBound + count])
        }
        guard free.count >= count else { return nil }
        var left = count
        var taken: [Range<Int>] = []
        for gap in gaps.sorted(by: { ($1.count, $0.lowerBound) < ($0.count, $1.lowerBound) }) where left > 0 {
            taken.append(gap.lowerBound..<gap.lowerBound + min(left, gap.count))
            left -= min(left, gap.count)
        }
        return BucketSet(taken)
    }

    /// Experiments that held some of these slots and no longer do: their units have met those variants.
    package func formerHolders(of slots: BucketSet) -> [String] {
        holdings.filter { $0.state == .over && $0.status != .draft && !$0.slots.intersection(slots).isEmpty }
            .map(\.experiment)
    }
}

extension LayerSlots.State {
    /// The state of an experiment's slots for a new experiment that is live from `starts` until before `ends`.
    fileprivate init(_ experiment: ExperimentDefinition, from starts: Instant, until ends: Instant?) {
        for check in Check.allCases {
            switch check {
            case .schedule where experiment.status != .concluded:
                guard experiment.schedule.isDisjoint(from: Schedule(starts: starts, ends: ends)) else { continue }
                self = experiment.schedule.reason(at: starts) == .ended ? .over : .later
                return
            case .conclusion where experiment.status == .concluded:
                self = .over
                return
            // A paused experiment may continue, and a draft may start. The others leave some unit in the slots.
            case .unit, .paused, .forced, .draft, .displacement, .schedule, .holdout, .slot, .requirement, .audience,
                .conclusion, .traffic, .split:
                continue
            }
        }
        self = .taken
    }
}
