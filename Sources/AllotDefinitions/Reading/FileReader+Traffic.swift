import AllotConfiguration
import AllotCore

extension FileReader {
    private static let trafficForm =
        "write a percentage such as 50%, or steps such as [{ from: 2026-12-01T09:00:00Z, share: 10% }]"

    /// The traffic: a percentage, or steps, of which those outside of the schedule are reported. Returns `nil` if it
    /// cannot be read.
    mutating func traffic(_ field: Field, within schedule: Schedule) -> Traffic? {
        switch field.node.content {
        case .list: return steps(field, within: schedule).map(Traffic.steps)
        case .map:
            error("traffic is \(field.node.described); \(Self.trafficForm)", at: field)
            return nil
        default: return percentage(field, "traffic").map(Traffic.constant)
        }
    }

    private mutating func steps(_ field: Field, within schedule: Schedule) -> [Traffic.Step]? {
        guard let elements = elements(field, of: "traffic", form: "[{ from: INSTANT, share: 10% }]") else { return nil }
        guard !elements.isEmpty else {
            error("traffic is a list without a step; \(Self.trafficForm)", at: field)
            return nil
        }
        let steps = elements.compactMap { element in step(element).map { (step: $0, field: element) } }
        guard steps.count == elements.count, areInOrder(steps) else { return nil }
        reportShares(steps)
        report(steps, outside: schedule)
        return steps.map(\.step)
    }

    private mutating func step(_ field: Field) -> Traffic.Step? {
        let form = "{ from: 2026-12-01T09:00:00Z, share: 10% }"
        guard let fields = fields(field, of: "a step of the traffic", form: form, known: ["from", "share"]) else {
            return nil
        }
        for (key, value) in [("from", "2026-12-01T09:00:00Z"), ("share", "10%")] where fields[key] == nil {
            error("the step has no \(key); add \(key): \(value)", at: field)
        }
        let from = instant(fields, "from")
        let share = fields["share"].flatMap { percentage($0, "share") }
        guard let from, let share else { return nil }
        return Traffic.Step(from: from, share: share)
    }

    private typealias PlacedStep = (step: Traffic.Step, field: Field)

    private mutating func areInOrder(_ steps: [PlacedStep]) -> Bool {
        var isInOrder = true
        for (before, after) in zip(steps, steps.dropFirst()) where before.step.from >= after.step.from {
            isInOrder = false
            error(
                "the step begins at \(after.step.from.writtenText), which is not after "
                    + "\(before.step.from.writtenText) of the step before it; order the steps by time, one for "
                    + "each instant", at: after.field)
        }
        return isInOrder
    }

    /// Warns about steps that lower the share, or leave it as it is.
    private mutating func reportShares(_ steps: [PlacedStep]) {
        var share = 0
        for (step, field) in steps {
            let (before, after) = (Percentage.text(ofBuckets: share), Percentage.text(ofBuckets: step.share))
            if step.share < share {
                warning(
                    "the step lowers the share from \(before) to \(after), so units leave the experiment; a share that "
                        + "only rises keeps every unit in its variant", at: field)
            } else if step.share == share {
                warning("the share is \(before) before this step too; remove the step", at: field)
            }
            share = step.share
        }
    }

    /// Reports steps that the schedule leaves without effect, and a start without a share.
    private mutating func report(_ steps: [PlacedStep], outside schedule: Schedule) {
        for (index, (step, field)) in steps.enumerated() {
            if let ends = schedule.ends, step.from >= ends {
                let message =
                    "the step begins at \(step.from.writtenText), and the experiment has ended by then (ends "
                    + "\(ends.writtenText))"
                if index == 0 {
                    error("\(message); it would never enrol a unit", at: field)
                } else {
                    warning("\(message); remove the step, or move the end", at: field)
                }
            }
            guard let starts = schedule.starts else { continue }
            if index + 1 < steps.count, steps[index + 1].step.from <= starts {
                warning(
                    "the next step replaces this one before the experiment starts (starts \(starts.writtenText)); "
                        + "remove the step", at: field)
            }
            if index == 0, step.from > starts, step.share > 0 {
                warning(
                    "the experiment starts at \(starts.writtenText) and enrols no unit before this step; let it start "
                        + "with its first step", at: field)
            }
        }
    }
}
