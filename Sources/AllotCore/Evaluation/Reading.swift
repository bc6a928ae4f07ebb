import AllotConfiguration

/// The value of a setting for a subject, and the exposures that reading it causes.
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// let steps = try plan.reading("Checkout", "Steps", as: Int.self, for: Subject(id: "user-42"), at: .now)
/// print(steps.value, steps.exposures.map { "\($0.experiment): \($0.variant)" })
/// ```
public struct Reading<Value: Sendable>: Sendable {
    /// The value, with the overrides of all variants that the subject is assigned.
    public let value: Value
    /// The exposures, in the order of the experiments' keys: one for each experiment that compares the setting and
    /// assigns the subject a variant, also one that leaves the setting as it is, as a control does.
    ///
    /// An experiment that randomises nothing exposes no unit.
    public let exposures: [ReadingExposure]
    /// The instant of evaluation.
    public let instant: Instant
}

/// The event that a unit meets its variant of an experiment because a setting is read.
public struct ReadingExposure: Sendable, Hashable {
    /// The unit's ID.
    public let unit: String
    /// The experiment's key.
    public let experiment: String
    /// The salt of the experiment's hash: with the key it names the randomisation.
    public let salt: String
    /// The variant's key.
    public let variant: String
    /// The reason of the assignment.
    public let reason: Reason
    /// The revision of the experiment's definition.
    public let revision: String
    /// The number of the window of the experiment's period that decided; `nil` if none did.
    public let window: Int64?
}

extension Plan {
    /// The value of a setting for a subject, and the exposures that reading it causes.
    ///
    /// Decides only the experiments that compare the setting, and those that they require.
    ///
    /// - Throws: `SettingError` if the setting does not exist, or has a value of another type or out of range.
    public func reading<Value: SettingValue>(
        _ section: String, _ setting: String, as type: Value.Type, for subject: Subject, at instant: Instant
    ) throws(SettingError) -> Reading<Value> {
        let comparing = template.experiments(comparing: section, setting)
        var evaluator = Evaluator(plan: self, at: instant, selection: comparing)
        evaluator.evaluate(PreparedSubject(subject, for: self))
        var merged = base.value(section, setting)
        var exposures: [ReadingExposure] = []
        for index in comparing {
            let (experiment, decision) = (experiments[index], evaluator.decision(of: index))
            guard let variant = decision.variant.map({ experiment.variants[$0] }) else { continue }
            if let override = variant.overrides.object(section)?[setting] { merged = merged?.merging(override) }
            guard let draw = experiment.draw, let unit = subject.unitID(draw.unit) else { continue }
            exposures.append(
                ReadingExposure(
                    unit: unit, experiment: experiment.key, salt: draw.hash.salt, variant: variant.key,
                    reason: decision.reason, revision: experiment.revision,
                    window: window(of: index, decision, at: instant)?.number))
        }
        let value = try MergedSetting(sections: base.sections, merged: merged).value(section, setting, as: type)
        return Reading(value: value, exposures: exposures, instant: instant)
    }
}

private struct MergedSetting: ReadableConfiguration {
    let sections: JSONObject
    let merged: JSONValue?

    func value(_ section: String, _ setting: String) -> JSONValue? { merged }
}
