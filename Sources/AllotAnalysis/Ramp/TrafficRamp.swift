import AllotConfiguration
import AllotCore

/// Traffic that rises to one share after another at regular intervals.
///
/// An experiment that enrols units already keeps them: the steps that have begun stay, and a share that had no step
/// becomes one, so that past instants keep their answers. Steps that have not begun are replaced.
package struct TrafficRamp: Sendable {
    package static let replacement =
        "the traffic steps are replaced by one share for all times; allot ramp changes the steps to come"

    package let traffic: Traffic
    package let added: [Traffic.Step]

    /// Plans the ramp of an experiment to shares of 1,000,000 buckets, in ascending order; it starts after `now` if the
    /// experiment has begun.
    package init(
        _ shares: [Int], from start: Instant, every interval: TimeSpan, of experiment: Plan.Experiment, at now: Instant
    ) throws(AnalysisError) {
        guard experiment.status != .concluded
        else { throw AnalysisError("\(experiment.key) is concluded, so its traffic decides nothing any more") }
        try experiment.checkTakesTraffic()
        let last = start.seconds + Int64(max(0, shares.count - 1)) * interval.seconds
        guard Instant(seconds: last) <= Instant.writable.upperBound
        else { throw AnalysisError("the last step would be after the year 9999; choose a shorter interval") }
        added = shares.enumerated().map { index, share in
            .init(from: start.adding(seconds: Int64(index) * interval.seconds), share: share)
        }
        let hasBegun = experiment.status != .draft && experiment.schedule.reason(at: now) != .notStarted
        guard !hasBegun || start > now else {
            throw AnalysisError(
                "\(experiment.key) has begun already, so the first step must be after \(now.shortText), and not at "
                    + "\(start.shortText); begin later")
        }
        let kept = hasBegun ? Self.kept(experiment, at: now) : []
        try Self.check(kept: kept, added: added, of: experiment)
        traffic = .steps(kept + added)
    }

    private static func kept(_ experiment: Plan.Experiment, at now: Instant) -> [Traffic.Step] {
        let steps = experiment.traffic.steps
        guard steps.isEmpty else { return steps.filter { $0.from <= now } }
        let share = experiment.traffic.share(at: now)
        // An experiment without a start has had its share since 1970, which is before all.
        return share > 0 ? [.init(from: experiment.starts ?? Instant(seconds: 0), share: share)] : []
    }

    private static func check(
        kept: [Traffic.Step], added: [Traffic.Step], of experiment: Plan.Experiment
    ) throws(AnalysisError) {
        func text(_ step: Traffic.Step) -> String { Percentage.text(ofBuckets: step.share) }
        let key = experiment.key
        if let former = kept.last, let first = added.first, first.share <= former.share {
            let (share, next) = (text(former), text(first))
            guard first.share < former.share
            else { throw AnalysisError("\(key) enrols \(share) already; leave \(next) out") }
            let rise = former.share < Bucketing.bucketCount ? "begin above \(share), or " : ""
            throw AnalysisError(
                "\(key) enrols \(share) already, so a step to \(next) would make units leave; \(rise)set the traffic "
                    + "to \(next) first")
        }
        let all = [Traffic.Step(from: Instant(seconds: 0), share: 0)] + added
        for (former, step) in zip(all, added) where step.share <= former.share {
            throw AnalysisError(
                "\(text(step)) is not above \(text(former)); list the shares of a ramp in ascending order")
        }
        if let ends = experiment.ends, let late = added.first(where: { $0.from >= ends }) {
            throw AnalysisError(
                "\(key) ends at \(ends.writtenText), before the step to \(text(late)) at \(late.from.writtenText); "
                    + "choose a shorter interval, or move the end")
        }
    }
}

extension Plan.Experiment {
    package func checkTakesTraffic() throws(AnalysisError) {
        guard let hash else { throw .notRandomised(key, "traffic to change") }
        guard hash.foreign == nil else {
            throw AnalysisError(
                "\(key) has the hash \(hash.scheme.rawValue), which gives one number for the variant and none for the "
                    + "traffic; change the buckets of its variants with allot reweight")
        }
    }
}
