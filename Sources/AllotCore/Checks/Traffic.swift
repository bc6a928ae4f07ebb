import AllotConfiguration

// Check: the share of eligible units that is enrolled.

/// The share of eligible units that an experiment enrols: the same at all times, or raised by steps.
///
/// Shares are numbers of first buckets, of 1,000,000. There are steps and no slopes: between two steps nothing changes.
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// for experiment in plan.experiments {
///     print(experiment.key, Percentage.text(ofBuckets: experiment.traffic.share(at: .now)))
/// }
/// ```
public struct Traffic: Sendable, Hashable {
    /// A change of the share at an instant.
    public struct Step: Sendable, Hashable {
        /// The instant from which the share applies.
        public let from: Instant
        /// The number of first buckets that are enrolled, of 1,000,000.
        public let share: Int

        package init(from: Instant, share: Int) { (self.from, self.share) = (from, share) }
    }

    package let initial: Int
    /// The steps in the order of their instants; empty for a share that never changes.
    public let steps: [Step]

    private init(initial: Int, steps: [Step]) { (self.initial, self.steps) = (initial, steps) }

    /// A share that never changes.
    package static func constant(_ share: Int) -> Traffic { Traffic(initial: share, steps: []) }
    /// Steps at strictly increasing instants; before the first one no unit is enrolled.
    package static func steps(_ steps: [Step]) -> Traffic { Traffic(initial: 0, steps: steps) }
    /// The number of first buckets that are enrolled at an instant, of 1,000,000.
    public func share(at instant: Instant) -> Int { step(at: instant)?.share ?? initial }
    /// The step that applies at an instant. Returns `nil` before the first one.
    private func step(at instant: Instant) -> Step? { steps.last { $0.from <= instant } }
    package var highestShare: Int { steps.reduce(initial) { max($0, $1.share) } }

    /// The part of a schedule outside of which the share is 0. A share that is always 0 leaves the schedule as it is:
    /// it is about to be raised.
    package func enrolment(within schedule: Schedule) -> Schedule {
        guard let first = steps.firstIndex(where: { $0.share > 0 }), let last = steps.lastIndex(where: { $0.share > 0 })
        else { return schedule }
        let begins = initial > 0 ? nil : steps[first].from
        let ceases = last + 1 < steps.count ? steps[last + 1].from : nil
        return Schedule(
            starts: [schedule.starts, begins].compactMap { $0 }.max(),
            ends: [schedule.ends, ceases].compactMap { $0 }.min())
    }

    /// The traffic within a schedule: the same share at each of its instants, without the steps that change nothing
    /// then.
    package func limited(to schedule: Schedule) -> Traffic {
        let start = schedule.starts.map(share(at:)) ?? initial
        var kept: [Step] = []
        for step in steps where schedule.reason(at: step.from) == nil && step.from != schedule.starts {
            if step.share != (kept.last?.share ?? start) { kept.append(step) }
        }
        return Traffic(initial: start, steps: kept)
    }
}

extension Traffic {
    /// The share, or every step: `1% from 2026-12-01T09:00Z, 10% from 2026-12-03T09:00Z`.
    package var text: String {
        guard !steps.isEmpty else { return Percentage.text(ofBuckets: initial) }
        return steps.map { step in
            // A step of 1970 stands for all instants before the next one.
            Percentage.text(ofBuckets: step.share) + (step.from.seconds > 0 ? " from \(step.from.shortText)" : "")
        }.joined(separator: ", ")
    }

    /// The share at an instant, since when it applies, and the next step: `10% since 2026-12-03T09:00Z; 50% from
    /// 2026-12-08T09:00Z`.
    package func text(at instant: Instant) -> String {
        let next = steps.first { $0.from > instant }
        return Percentage.text(ofBuckets: share(at: instant))
            + (step(at: instant).map { " since \($0.from.shortText)" } ?? "")
            + (next.map { "; \(Percentage.text(ofBuckets: $0.share)) from \($0.from.shortText)" } ?? "")
    }

    /// The first step after an instant that enrols a first bucket. Returns `nil` if none does.
    package func step(after instant: Instant, enrolling bucket: Int) -> Step? {
        steps.first { $0.from > instant && bucket < $0.share }
    }
}

extension DecisionLoop {
    /// A unit is enrolled if its first bucket is below the traffic at the instant. The variant depends on the second
    /// bucket only, so raising the traffic reassigns no unit. A plan compiles a share that never changes to a number,
    /// and steps to a number below every bucket, so that only experiments with steps look for the one that applies.
    @inline(__always) func traffic<R: Recorder>(
        _ index: Int, row: Int, _ experiment: CompiledExperiment, bucket: Int, _ recorder: inout R
    ) -> Decision? {
        let isBelow =
            bucket < Int(experiment.traffic)
            || (experiment.traffic == CompiledExperiment.trafficOfSteps && isBelowStep(index, row, bucket))
        recorder.traffic(bucket: bucket, isBelow: isBelow)
        return isBelow ? nil : .none(.traffic)
    }

    /// The traffic that applies to all rows. Returns `nil` if there are steps, and each row has an instant of its own.
    @inline(__always) func sharedTraffic(_ index: Int, _ experiment: CompiledExperiment) -> Int? {
        guard experiment.traffic == CompiledExperiment.trafficOfSteps else { return Int(experiment.traffic) }
        return instants.isEmpty ? compiled.steps[index].share(at: instant) : nil
    }

    @inline(never) private func isBelowStep(_ index: Int, _ row: Int, _ bucket: Int) -> Bool {
        bucket < compiled.steps[index].share(at: instant(of: row))
    }
}

extension BucketedVariants {
    /// Refuses the units whose first buckets are not below the traffic, and leaves the others as they are.
    mutating func enrol(_ traffic: Int, _ firsts: Span<UInt32>) {
        let traffic = UInt32(truncatingIfNeeded: traffic)
        let refused = Decision.outcome(.traffic)
        firsts.withUnsafeBufferPointer { firsts in
            outcomes.withUnsafeMutableBufferPointer { outcomes in
                for position in firsts.indices {
                    let enrolled: UInt32 = firsts[position] < traffic ? .max : 0
                    outcomes[position] = outcomes[position] & enrolled | refused & ~enrolled
                }
            }
        }
    }
}
